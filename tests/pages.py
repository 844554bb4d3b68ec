"""A small real web server for pages that tests write themselves."""

import threading

import waitress
from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse


class Pages:
    """Serves `html[path]`; counts every request in `hits`, as "POST /path name=value"."""

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

        @app.route("/", defaults={"path": ""}, methods=["GET", "POST"])
        @app.route("/<path:path>", methods=["GET", "POST"])
        def serve(path: str) -> AnyResponse:
            values = " ".join(f"{name}={value}" for name, value in request.values.items())
            self.hits.append(f"{request.method} /{path} {values}".strip())
            self.headers.append(dict(request.headers))
            if request.method == "POST":
                return redirect("/done", code=303)
            if path == "nothing":
                return Response(status=204)
            if path == "file":
                disposition = {"Content-Disposition": "attachment; filename=report.txt"}
                return Response("report", headers=disposition)
            if path == "done":
                return Response("<title>Done</title><h1>Done</h1>", mimetype="text/html")
            html = self.html.get(f"/{path}")
            if html is None:
                return Response("404 Not Found", status=404, mimetype="text/plain")
            return Response(f"<!doctype html><html lang=en>{html}", mimetype="text/html")

        return app
