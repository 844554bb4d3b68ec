"""The host: one WSGI application that serves every site, each episode in its own world.

The control plane (open, close, look into a world) is `Host`, an object in the runner's process.
There is no HTTP route to it, so an agent that may go to any address still cannot grade, reset or
read another episode.
"""

import secrets
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import waitress
from flask import Flask, Response, g, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from webapps.site import load_sites
from webapps.world import Refusal, World

COOKIE = "session"
LOOPBACK = "127.0.0.1"
VIRTUAL_HOST = "backoffice.example"
ORIGIN = f"http://{VIRTUAL_HOST}"
Answer = TypeVar("Answer")


def current_world() -> World:
    """The world of the request being served."""
    world: World = g.world
    return world


def attempt(service: Callable[..., Answer], *values: Any, **named: Any) -> Answer | None:
    """Call a service; a refusal changes nothing, becomes an alert on the next page, gives None."""
    world = current_world()
    try:
        with world.transaction():
            return service(world, *values, **named)
    except Refusal as refusal:
        world.notify(str(refusal), role="alert")
        return None


class Host:
    """A server on 127.0.0.1 at a port the system chooses, and the worlds it serves.

    `bind` and `port` choose another address: for people, where loopback is not enough.
    `visitors` get this world when they bring no cookie; without it they get a plain 403.
    """

    def __init__(
        self,
        *,
        visitors: World | None = None,
        bind: str = LOOPBACK,
        port: int = 0,
        threads: int = 8,
    ) -> None:
        self._worlds: dict[str, World] = {}
        self._visitors = visitors
        self.app = self._application()
        self._server = waitress.create_server(
            self.app,
            host=bind,
            port=port,
            threads=threads,
            clear_untrusted_proxy_headers=True,
        )
        self.port = int(self._server.effective_port)
        self._thread = threading.Thread(target=self._server.run, daemon=True, name="site-host")
        self._thread.start()

    def __enter__(self) -> "Host":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, world: World) -> str:
        """Serve `world`; returns the secret cookie value that leads to it."""
        token = secrets.token_urlsafe(24)
        self._worlds[token] = world
        return token

    def release(self, token: str) -> None:
        """Stop serving a world. It stays usable in this process."""
        self._worlds.pop(token, None)

    def close(self) -> None:
        """Stop the server."""
        self._server.task_dispatcher.shutdown()
        self._server.trigger.pull_trigger(self._hang_up)
        self._thread.join(timeout=5)

    def _hang_up(self) -> None:
        # On the server's own thread, which would otherwise poll sockets that are closed under it.
        for channel in [*self._server.active_channels.values()]:
            channel.close()
        self._server.close()

    def _application(self) -> Flask:
        app = Flask("webapps.ui", static_folder="static", template_folder="templates")
        app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
        sites = load_sites()
        for site in sites.values():
            app.register_blueprint(site.blueprint(), url_prefix=f"/{site.name}")

        @app.before_request
        def enter_world() -> Response | None:
            if request.endpoint == "static":
                return None
            world = self._worlds.get(request.cookies.get(COOKIE, ""), self._visitors)
            if world is None:
                return Response("403 Forbidden: no session\n", status=403, mimetype="text/plain")
            world.lock.acquire()
            g.world = world
            return None

        @app.after_request
        def forbid_caching(response: Response) -> Response:
            if request.endpoint != "static":
                response.headers["Cache-Control"] = "no-store"
            else:
                response.headers["Cache-Control"] = "max-age=86400"
            return response

        @app.teardown_request
        def leave_world(_error: BaseException | None) -> None:
            world = g.pop("world", None)
            if world is not None:
                world.lock.release()

        @app.errorhandler(404)
        def not_found(_error: Exception) -> tuple[str, int]:
            return render_template("not_found.html", sites=sites.values()), 404

        @app.get("/")
        def front() -> str:
            return render_template("front.html", sites=sites.values())

        @app.context_processor
        def shared() -> dict[str, Any]:
            world = g.get("world")
            site = sites.get((request.blueprint or "").split(".")[0])
            return {
                "site": site,
                "world": world,
                "notices": world.take_notices if world is not None else list,
            }

        return app


def back(default: str) -> AnyResponse:
    """Redirect to the page the form was on; to `default` when the browser does not say."""
    referrer = request.referrer or ""
    target = referrer.partition(request.host)[2] or default
    return redirect(target, code=303)
