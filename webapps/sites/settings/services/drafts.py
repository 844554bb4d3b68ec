"""Drafts of the multi-step forms: kept aside until the form is confirmed or given up."""

import json
from typing import Any

from webapps.world import World


def read(world: World, form: str, subject: str) -> dict[str, Any]:
    """What was entered so far; empty for a form that was not begun."""
    text = world.value(
        "SELECT data FROM settings_drafts WHERE form = ? AND subject = ?", form, subject
    )
    draft: dict[str, Any] = {} if text is None else json.loads(text)
    return draft


def add(world: World, form: str, subject: str, **fields: Any) -> None:
    """Keep the fields of one step."""
    data = json.dumps(read(world, form, subject) | fields)
    world.execute("INSERT OR REPLACE INTO settings_drafts VALUES (?, ?, ?)", form, subject, data)


def drop(world: World, form: str, subject: str) -> None:
    """Forget a draft."""
    world.execute("DELETE FROM settings_drafts WHERE form = ? AND subject = ?", form, subject)
