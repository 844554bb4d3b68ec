"""What all sites' pages share: fields of forms, look-ups that end in 404, pages of long lists."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from flask import abort, redirect, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.world import World

PAGE_SIZE = 25


def act(
    service: Callable[..., Any],
    *values: Any,
    done: str | Callable[[Any], str] = "",
    **named: Any,
) -> bool:
    """Call a service and show `done` on the next page; a refusal is shown instead. True if done.

    `done` may be a function of what the service returns.
    """

    def call(world: World) -> bool:
        answer = service(world, *values, **named)
        text = done if isinstance(done, str) else done(answer)
        if text:
            world.notify(text)
        return True

    return attempt(call) is not None


def entered(name: str) -> str:
    """A field of the form that was sent."""
    return request.form.get(name, "")


def ticked(name: str) -> bool:
    """Whether a checkbox or switch was on in the form that was sent."""
    return name in request.form


def query() -> str:
    """The words searched for."""
    return request.args.get("q", "").strip()


def see(path: str) -> Response:
    """Go on to a page after a form was handled."""
    return redirect(path, code=303)


def row_or_404(table: str, key: str | int) -> sqlite3.Row:
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
    shown = rows[start : start + PAGE_SIZE]
    return {"rows": shown, "page": page, "count": count, "total": len(rows)}
