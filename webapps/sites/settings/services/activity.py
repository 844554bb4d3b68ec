"""The activity log, and taking final acts back in a reversible world."""

from webapps.acts import recall
from webapps.world import Refusal, World

SITE = "settings"
WHO = "Sofie Lindgren"
TAKE_BACK = {
    "release": "Take back release",
    "erase": "Cancel erase",
    "purge": "Restore backups",
    "firmware": "Roll back firmware",
    "invitation": "Recall invitation",
    "link-mail": "Recall fresh link",
    "export": "Recall package",
    "deletion-request": "Withdraw request",
}


def log(world: World, what: str, subject: str) -> None:
    """Add a line to the activity log."""
    at = world.now.strftime("%Y-%m-%d %H:%M")
    world.execute(
        "INSERT INTO settings_activity (at, who, what, subject) VALUES (?, ?, ?, ?)",
        at,
        WHO,
        what,
        subject,
    )


def take_back(world: World, ledger_id: int) -> None:
    """Undo the final act of this ledger row. Refused outside a reversible world."""
    found = world.row("SELECT * FROM ledger WHERE id = ? AND site = ?", ledger_id, SITE)
    if found is None:
        raise Refusal("There is no such act.")
    recall(world, SITE, str(ledger_id))
    log(world, f"{TAKE_BACK[found['kind']]}: done", found["subject"])
