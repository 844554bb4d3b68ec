"""A small real web server for pages that tests write themselves."""

import threading
import time

import waitress
from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

SLOW_SECONDS = 0.4


class Pages:
    """Serves `html[path]`; counts every request in `hits`, as "POST /path name=value".

    `/done` is a page, `/slow` one that takes its time, `/nothing` an answer without content,
    `/file` a download; every POST leads to `/done`.
    """

    def __init__(self) -> None:
        self.html: dict[str, str] = {}
        self.hits: list[str] = []
        self.headers: list[dict[str, str]] = []
        self._server = waitress.create_server(self._application(), host="127.0.0.1", port=0)
        self.port = int(self._server.effective_port)
        threading.Thread(target=self._server.run, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _application(self) -> Flask:
        app = Flask("tests.pages", static_folder=None)

        special = {
            "done": lambda: Response("<title>Done</title><h1>Done</h1>", mimetype="text/html"),
            "slow": _slow,
            "nothing": lambda: Response(status=204),
            "file": lambda: Response(
                "report", headers={"Content-Disposition": "attachment; filename=report.txt"}
            ),
        }

        @app.route("/", defaults={"path": ""}, methods=["GET", "POST"])
        @app.route("/<path:path>", methods=["GET", "POST"])
        def serve(path: str) -> AnyResponse:
            values = " ".join(f"{name}={value}" for name, value in request.values.items())
            self.hits.append(f"{request.method} /{path} {values}".strip())
            self.headers.append(dict(request.headers))
            if request.method == "POST":
                return redirect("/done", code=303)
            if path in special:
                return special[path]()
            html = self.html.get(f"/{path}")
            if html is None:
                return Response("404 Not Found", status=404, mimetype="text/plain")
            return Response(f"<!doctype html><html lang=en>{html}", mimetype="text/html")

        return app


def _slow() -> Response:
    # A server that takes its time is what the page under test is about.
    time.sleep(SLOW_SECONDS)
    return Response("<title>Slow</title>", mimetype="text/html")
