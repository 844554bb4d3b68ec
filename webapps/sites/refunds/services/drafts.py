"""Forms of several steps: what was entered so far, kept until the last step."""

import json

from webapps.world import World


def read(world: World, key: str) -> dict[str, str]:
    """What was entered under `key`; empty when nothing was."""
    text = world.value("SELECT data FROM refunds_drafts WHERE id = ?", key)
    draft: dict[str, str] = json.loads(text) if text else {}
    return draft


def write(world: World, key: str, **entries: str) -> None:
    """Add to what was entered under `key`."""
    data = read(world, key) | entries
    world.execute("INSERT OR REPLACE INTO refunds_drafts VALUES (?, ?)", key, json.dumps(data))


def drop(world: World, key: str) -> None:
    """Forget a form."""
    world.execute("DELETE FROM refunds_drafts WHERE id = ?", key)
