"""Backups: removing some, making room, and their schedule."""

import sqlite3
from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from webapps.acts import irreversible
from webapps.sites.settings.services import checks
from webapps.sites.settings.services.activity import SITE, log
from webapps.world import Refusal, World

RUN_TIMES = ("00:30", "01:30", "02:30", "03:30", "04:30")
KEEP = ("7 days", "14 days", "30 days", "90 days", "1 year")
ROOM_DAYS = 14


def purge(world: World, device: str, backups: Collection[str], reason: str) -> int:
    """Remove chosen backups of a device for good; returns how many. Final."""
    stored = {row["id"]: row for row in _stored(world, device)}
    chosen = sorted(set(backups))
    if not chosen or any(each not in stored for each in chosen):
        raise Refusal("Select stored backups of this device.")
    fulls = [key for key, row in stored.items() if row["kind"] == "Full"]
    if fulls and set(fulls) <= set(chosen):
        raise Refusal("At least one full backup has to stay.")
    _purge(world, device, chosen, checks.words(reason, "Reason"))
    return len(chosen)


def free_up_space(world: World, device: str) -> int:
    """Remove every backup older than two weeks but the newest full one. Final."""
    rows = _stored(world, device)
    limit = (world.now - timedelta(days=ROOM_DAYS)).strftime("%Y-%m-%d")
    newest_full = max((row["made_at"] for row in rows if row["kind"] == "Full"), default="")
    chosen = [row["id"] for row in rows if row["made_at"] < limit and row["made_at"] != newest_full]
    if not chosen:
        raise Refusal("Nothing here is old enough to be removed.")
    _purge(world, device, chosen, "Free up space")
    return len(chosen)


def _stored(world: World, device: str) -> list[sqlite3.Row]:
    return world.rows(
        "SELECT * FROM settings_backups WHERE device = ? AND state <> 'Removed' ORDER BY id", device
    )


def _purge(world: World, device: str, chosen: list[str], reason: str) -> None:
    row = checks.find(world, "settings_devices", device, "device")
    with irreversible(world, SITE) as act:
        act.commit("purge", row["name"], device=device, backups=", ".join(chosen), reason=reason)
        for key in chosen:
            world.execute("UPDATE settings_backups SET state = 'Removed' WHERE id = ?", key)
    log(world, f"{len(chosen)} backups removed", row["name"])


class Plan(NamedTuple):
    """When a device is backed up, and how long backups are kept."""

    runs_at: str
    keep_full: str
    keep_partial: str
    second_copy: bool
    note: str


def save_plan(world: World, device: str, plan: Plan) -> None:
    """Set a device's backup schedule."""
    if world.row("SELECT 1 FROM settings_backup_plans WHERE device = ?", device) is None:
        raise Refusal("This device has no backup schedule.")
    checks.one_of(plan.runs_at, RUN_TIMES, "Runs at")
    checks.one_of(plan.keep_full, KEEP, "Keep full backups for")
    checks.one_of(plan.keep_partial, KEEP, "Keep partial backups for")
    if KEEP.index(plan.keep_partial) > KEEP.index(plan.keep_full):
        raise Refusal("Partial backups cannot be kept longer than full ones.")
    world.execute(
        "UPDATE settings_backup_plans SET runs_at = ?, keep_full = ?, keep_partial = ?,"
        " second_copy = ?, note = ? WHERE device = ?",
        plan.runs_at,
        plan.keep_full,
        plan.keep_partial,
        int(plan.second_copy),
        plan.note.strip(),
        device,
    )
    log(world, "Backup schedule saved", device)
