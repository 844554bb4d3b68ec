"""A local server that speaks OpenAI's chat completions, and misbehaves as a script says.

Each request is answered by the script's next behaviour; its last one goes on for ever. A behaviour
is a function of the server that returns a Flask response.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from flask import Flask, Response, request
from werkzeug.serving import make_server

from runner.models import ModelClient, ModelSettings, Prices

Behaviour = Callable[["ModelServer"], Response]
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
SERVER_MODEL = "small-model-2026-01"
MESSAGES = [{"role": "user", "content": "What next?"}]
NOW = 1_800_000_000.0
# For a bill that is easy to check: USAGE has 10 prompt tokens.
DOLLAR_A_REPLY = Prices(prompt=1e5, completion=0.0)


class ModelServer:
    """Serves on 127.0.0.1 at a port the system chooses. `requests` holds all bodies received."""

    def __init__(self, *script: Behaviour) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.closing = threading.Event()
        self.arrived = threading.Condition()
        self._script = list(script)
        app = Flask(__name__)
        app.post("/v1/chat/completions")(self._answer)
        self._server = make_server("127.0.0.1", 0, app, threaded=True)
        self.api_base = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def __enter__(self) -> "ModelServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self) -> Response:
        with self.arrived:
            self.requests.append(request.get_json())
            self.keys.append(request.headers.get("Authorization", ""))
            behaviour = self._script.pop(0) if len(self._script) > 1 else self._script[0]
            self.arrived.notify_all()
        return behaviour(self)

    def await_requests(self, number: int, *, seconds: float) -> bool:
        """Wait until that many requests have arrived; False when they do not within `seconds`."""
        with self.arrived:
            return self.arrived.wait_for(lambda: len(self.requests) >= number, timeout=seconds)


def _json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps(value)
    return Response(body, status=status, headers=headers, mimetype="application/json")


def _completion(choices: object, usage: object = None) -> Response:
    value = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": SERVER_MODEL,
        "choices": choices,
    }
    return _json(value if usage is None else {**value, "usage": usage})


def replies(
    content: object, *, finish: str = "stop", usage: object = None, **fields: object
) -> Behaviour:
    """A reply with this content (text, None or typed parts); `fields` join the message."""
    message = {"role": "assistant", "content": content, **fields}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return lambda _server: _completion([choice], USAGE if usage is None else usage)


def replies_without_usage(content: str) -> Behaviour:
    """A reply that does not say how many tokens it took."""
    message = {"role": "assistant", "content": content}
    return lambda _server: _completion([{"index": 0, "message": message, "finish_reason": "stop"}])


def replies_nothing(choices: object = ()) -> Behaviour:
    """A reply without a choice."""
    return lambda _server: _completion(choices, USAGE)


def fails(
    status: int,
    message: str = "it went wrong",
    *,
    retry_after: str = "",
    code: str = "",
) -> Behaviour:
    """An HTTP error."""
    headers = {"Retry-After": retry_after} if retry_after else {}
    error = {"message": message, "type": "error", "param": None, "code": code}
    return lambda _server: _json({"error": error}, status, headers)


def broken_json(_server: ModelServer) -> Response:
    """A body that is cut off in the middle, sent as if it were whole."""
    return Response('{"choices": [', mimetype="application/json")


def resets_connection(_server: ModelServer) -> Response:
    """A connection that the server resets in the middle of the body."""
    at_once = struct.pack("ii", 1, 0)
    request.environ["werkzeug.socket"].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)

    def body() -> Iterator[bytes]:
        yield b'{"choices": ['
        raise ConnectionResetError("cut off by the test")

    return Response(body(), headers={"Content-Length": "1000"}, mimetype="application/json")


def hangs(server: ModelServer) -> Response:
    """Nothing at all, until the server is closed."""
    server.closing.wait(timeout=60)
    return fails(503)(server)


def trickles(server: ModelServer) -> Response:
    """A space now and then, as some providers send to keep a connection open."""

    def body() -> Iterable[bytes]:
        for _ in range(600):
            yield b" "
            if server.closing.wait(timeout=0.1):
                return

    return Response(body(), mimetype="application/json")


def waits_for_requests(number: int, *, seconds: float, then: Behaviour) -> Behaviour:
    """Answers once so many requests have arrived, or when `seconds` are over."""

    def behave(server: ModelServer) -> Response:
        server.await_requests(number, seconds=seconds)
        return then(server)

    return behave


class Waits(list[float]):
    """Stands in for the passing of time: waiting takes none, and is written down."""

    def client(self, server: ModelServer, **settings: Any) -> ModelClient:
        """A client of `server` that waits here."""
        given = {"model": "openai/small", "api_base": server.api_base, **settings}
        return ModelClient(ModelSettings(**given), sleep=self.append, clock=lambda: NOW)
