"""What the pages share: redirects, look-ups that give 404, pages of a long list."""

import sqlite3
from typing import Any

from flask import abort, redirect, render_template, request
from werkzeug.wrappers import Response

from webapps import acts
from webapps.host import attempt, current_world
from webapps.sites.refunds.services.common import SITE
from webapps.sites.refunds.services.recalls import recall

PAGE_SIZE = 25


def to(path: str) -> Response:
    """Redirect after a post, to a path of the site."""
    return redirect(f"/refunds{path}", code=303)


def row_or_404(table: str, key: str | int) -> sqlite3.Row:
    """The row `key` of refunds_`table`."""
    row = current_world().row(f"SELECT * FROM refunds_{table} WHERE id = ?", key)
    if row is None:
        abort(404)
    return row


def show(template: str, **values: Any) -> str:
    """Render a template of this site."""
    return render_template(f"refunds/{template}.html", **values)


def searched(sql: str, columns: tuple[str, ...], order: str) -> dict[str, Any]:
    """One page of a long list, narrowed to the rows of which a column holds the words searched.

    `sql` is a SELECT that ends before WHERE. The page number comes from the request.
    """
    world = current_world()
    words = request.args.get("q", "").strip()
    condition = " OR ".join(f"{column} LIKE ?" for column in columns)
    values = [f"%{words}%"] * len(columns)
    rows = world.rows(f"{sql} WHERE {condition} ORDER BY {order}", *values)
    count = max(1, -(-len(rows) // PAGE_SIZE))
    asked = request.args.get("page", "1")
    page = min(max(int(asked) if asked.isdecimal() else 1, 1), count)
    return {
        "rows": rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        "total": len(rows),
        "page": page,
        "count": count,
        "words": words,
    }


def can_recall(document: str) -> bool:
    """Whether the recall of what is filed under `document` is offered."""
    return acts.can_recall(current_world(), SITE, document)


def try_recall(document: str, done: str) -> None:
    """Recall an act and say so; a refusal becomes an alert."""
    if attempt(recall, document):
        current_world().notify(done)
