"""`python -m webapps serve`: click through the sites as a person."""

import argparse
import time

from webapps.host import LOOPBACK, Host
from webapps.world import new_world


def port_number(text: str) -> int:
    """A TCP port, 0 for one that the system chooses."""
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def main() -> None:
    """Serve one world, without a cookie, until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m webapps", description="The sites, for people.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve all sites on this machine")
    serve.add_argument("--port", type=port_number, default=8000, help="default: %(default)s")
    serve.add_argument("--bind", default=LOOPBACK, help="address; default: %(default)s")
    serve.add_argument("--reversible", action="store_true", help="a world that offers undo")
    chosen = parser.parse_args()
    try:
        world = new_world(reversible=chosen.reversible)
        host = Host(visitors=world, bind=chosen.bind, port=chosen.port)
    except (OSError, ValueError) as error:
        parser.exit(1, f"cannot listen on {chosen.bind}:{chosen.port}: {error}\n")
    with host:
        print(f"http://{chosen.bind}:{host.port}/  (Ctrl+C stops)", flush=True)
        try:
            while True:
                # The server has a thread of its own; this one only waits for Ctrl+C.
                time.sleep(3600)
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
