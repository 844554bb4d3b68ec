"""`python -m webapps serve`: click through the sites as a person."""

import argparse
import time

from webapps.host import LOOPBACK, Host
from webapps.world import new_world


def main() -> None:
    """Serve one world, without a cookie, until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m webapps", description="The sites, for people.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve all sites on this machine")
    serve.add_argument("--port", type=int, default=8000, help="default: %(default)s")
    serve.add_argument("--bind", default=LOOPBACK, help="address; default: %(default)s")
    serve.add_argument("--reversible", action="store_true", help="a world that offers undo")
    chosen = parser.parse_args()
    try:
        world = new_world(reversible=chosen.reversible)
        host = Host(visitors=world, bind=chosen.bind, port=chosen.port)
    except OSError as error:
        parser.exit(1, f"cannot listen on {chosen.bind}:{chosen.port}: {error}\n")
    with host:
        print(f"http://{chosen.bind}:{host.port}/  (Ctrl+C stops)", flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
