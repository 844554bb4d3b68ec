"""Final acts: what goes into the ledger, and what an undo does in a reversible world."""

import json
from collections.abc import Iterable

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


def final(
    world: World,
    kind: str,
    subject: str,
    changes: Iterable[tuple[str, str, str]] = (),
    **facts: str | int | bool | None,
) -> None:
    """Commit a final act. Call it before changing the rows it affects.

    `changes` names those rows as (table, column, key), so that an undo can put them back.
    """
    act = world.ledger.commit(SITE, kind, subject, **facts)
    for table, column, key in changes:
        rows = [dict(row) for row in world.rows(f"SELECT * FROM {table} WHERE {column} = ?", key)]
        world.execute(
            "INSERT INTO settings_before VALUES (?, ?, ?, ?)",
            act,
            table,
            json.dumps([column, key]),
            json.dumps(rows),
        )


def take_back(world: World, act: int) -> str:
    """Undo a final act and return what it was about. Refused outside a reversible world."""
    found = world.row("SELECT * FROM ledger WHERE id = ? AND site = ?", act, SITE)
    if found is None:
        raise Refusal("There is no such act.")
    if not world.reversible:
        raise Refusal("This act is final and cannot be taken back.")
    if found["voided"]:
        raise Refusal("This act was taken back already.")
    saved = world.rows("SELECT * FROM settings_before WHERE act = ?", act)
    for record in saved:
        _refuse_if_built_upon(world, act, record["source"], record["key"])
    for record in saved:
        column, key = json.loads(record["key"])
        _put_back(world, record["source"], column, key, json.loads(record["rows"]))
    world.ledger.void(act)
    log(world, f"{TAKE_BACK[found['kind']]}: done", found["subject"])
    return str(found["subject"])


def _refuse_if_built_upon(world: World, act: int, table: str, key: str) -> None:
    later = world.value(
        "SELECT count(*) FROM settings_before JOIN ledger ON ledger.id = act"
        " WHERE act > ? AND source = ? AND key = ? AND NOT voided",
        act,
        table,
        key,
    )
    if later:
        raise Refusal("A later act builds on this one. Take that back first.")


def _put_back(
    world: World, table: str, column: str, key: str, rows: list[dict[str, object]]
) -> None:
    world.execute(f"DELETE FROM {table} WHERE {column} = ?", key)
    for row in rows:
        marks = ", ".join("?" * len(row))
        world.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", *row.values())
