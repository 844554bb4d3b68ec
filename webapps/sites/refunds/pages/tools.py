"""What the pages share: redirects, templates, long lists, recalls."""

from typing import Any

from flask import render_template
from werkzeug.wrappers import Response

from webapps import acts
from webapps.host import current_world
from webapps.pages import act, page_of, query, see
from webapps.sites.refunds.services.common import SITE
from webapps.sites.refunds.services.recalls import recall


def to(path: str) -> Response:
    """Redirect after a post, to a path of the site."""
    return see(f"/refunds{path}")


def show(template: str, **values: Any) -> str:
    """Render a template of this site."""
    return render_template(f"refunds/{template}.html", **values)


def searched(sql: str, columns: tuple[str, ...], order: str) -> dict[str, Any]:
    """One page of a long list, narrowed to the rows of which a column holds the words searched.

    `sql` is a SELECT that ends before WHERE. The page number comes from the request.
    """
    words = query()
    condition = " OR ".join(f"{column} LIKE ?" for column in columns)
    values = [f"%{words}%"] * len(columns)
    rows = current_world().rows(f"{sql} WHERE {condition} ORDER BY {order}", *values)
    return {**page_of(rows), "words": words}


def can_recall(document: str) -> bool:
    """Whether the recall of what is filed under `document` is offered."""
    return acts.can_recall(current_world(), SITE, document)


def try_recall(document: str, done: str) -> None:
    """Recall an act and say so; a refusal becomes an alert."""
    act(recall, document, done=done)
