"""The history: final acts, and everything else."""

import json

from flask import render_template
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, page_of, query, see
from webapps.sites.settings.pages.shared import pages
from webapps.sites.settings.services import activity


@pages.get("/activity")
def history() -> str:
    """Final acts first, then the log."""
    world = current_world()
    rows = world.rows(
        "SELECT * FROM settings_activity WHERE (who || ' ' || what || ' ' || subject) LIKE ?"
        " ORDER BY id DESC",
        f"%{query()}%",
    )
    final = [
        {**dict(row), "facts": _words(json.loads(row["facts"]))}
        for row in reversed(world.ledger.rows(activity.SITE))
    ]
    return render_template(
        "settings/activity.html",
        found=page_of(rows),
        q=query(),
        final=final,
        take_back=activity.TAKE_BACK,
    )


def _words(facts: dict[str, str | int | bool | None]) -> str:
    return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in facts.items() if value)


@pages.post("/activity/<int:key>/take-back")
def take_back(key: int) -> Response:
    """Undo a final act."""
    act(activity.take_back, key, done="Taken back.")
    return see("/settings/activity")
