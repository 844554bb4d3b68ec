"""A visitor without a browser: real HTTP to the real host, with an episode's cookie."""

import http.client
from dataclasses import dataclass, field
from urllib.parse import urlencode

from webapps.host import COOKIE, VIRTUAL_HOST, Host
from webapps.world import World

Fields = dict[str, str | list[str]]


@dataclass(frozen=True)
class Answer:
    """A page as it came: `path` is where the redirects led."""

    status: int
    path: str
    text: str


@dataclass
class Visitor:
    """Somebody who clicks through one world."""

    host: Host
    world: World
    _token: str = field(init=False)

    def __post_init__(self) -> None:
        self._token = self.host.open(self.world)

    def get(self, path: str) -> Answer:
        """Visit a path."""
        return self._ask("GET", path, "")

    def post(self, path: str, fields: Fields | None = None) -> Answer:
        """Send a form, and follow to the page that is shown then."""
        return self._ask("POST", path, urlencode(fields or {}, doseq=True))

    def _ask(self, method: str, path: str, body: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.host.port, timeout=30)
        headers = {"Host": VIRTUAL_HOST, "Cookie": f"{COOKIE}={self._token}"}
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body=body or None, headers=headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status in (301, 302, 303):
            target = answer.headers["Location"].removeprefix(f"http://{VIRTUAL_HOST}")
            return self._ask("GET", target, "")
        return Answer(answer.status, path, text)
