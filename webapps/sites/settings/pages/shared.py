"""What the page modules share: the blueprint, look-ups that end in 404, paging, the menu."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.world import World

PAGE_SIZE = 25
pages = Blueprint("settings", "webapps.sites.settings", template_folder="templates")

# Groups of the menu: title, first page, and the pages inside.
MENU = (
    (
        "Devices",
        "/settings/devices",
        (
            ("All devices", "/settings/devices"),
            ("Backups", "/settings/storage"),
            ("Firmware", "/settings/updates"),
        ),
    ),
    (
        "People",
        "/settings/members",
        (
            ("Members", "/settings/members"),
            ("Invitations", "/settings/invitations"),
            ("Shared links", "/settings/sharing"),
        ),
    ),
    (
        "Privacy",
        "/settings/privacy",
        (
            ("By device", "/settings/privacy"),
            ("Data packages", "/settings/packages"),
        ),
    ),
    ("Network", "/settings/network", (("Wireless networks", "/settings/network"),)),
    (
        "Notifications",
        "/settings/notifications",
        (
            ("Topics", "/settings/notifications"),
            ("Channels", "/settings/channels"),
        ),
    ),
    ("Activity", "/settings/activity", (("History", "/settings/activity"),)),
)


@pages.context_processor
def menu() -> dict[str, Any]:
    """The menu, and the group that the page belongs to."""
    inside = next((group for group in MENU if any(_under(path) for _, path in group[2])), None)
    return {"menu": MENU, "group": inside, "under": _under}


def _under(path: str) -> bool:
    return request.path == path or request.path.startswith(f"{path}/")


def get(table: str, key: str) -> sqlite3.Row:
    """The row with this id; 404 when there is none."""
    row = current_world().row(f"SELECT * FROM {table} WHERE id = ?", key)
    if row is None:
        abort(404)
    return row


def page_of(rows: Sequence[Any]) -> dict[str, Any]:
    """The asked-for page of `rows`, with what the pager needs."""
    count = max(1, -(-len(rows) // PAGE_SIZE))
    page = min(max(request.args.get("page", 1, type=int), 1), count)
    start = (page - 1) * PAGE_SIZE
    return {"rows": rows[start : start + PAGE_SIZE], "page": page, "count": count, "all": len(rows)}


def query() -> str:
    """The words searched for."""
    return request.args.get("q", "").strip()


def ticked(name: str) -> bool:
    """Whether a checkbox or switch was on in the form that was sent."""
    return name in request.form


def entered(name: str) -> str:
    """A field of the form that was sent."""
    return request.form.get(name, "")


def see(path: str) -> Response:
    """Go on to a page after a form was handled."""
    return redirect(path, code=303)


def act(service: Callable[..., object], *values: Any, done: str = "", **named: Any) -> bool:
    """Call a service and show `done` on the next page; a refusal is shown instead. True if done."""

    def call(world: World) -> bool:
        service(world, *values, **named)
        if done:
            world.notify(done)
        return True

    return attempt(call) is not None


def names(world: World) -> dict[str, str]:
    """Members' names by id."""
    return {row["id"]: row["name"] for row in world.rows("SELECT id, name FROM settings_members")}
