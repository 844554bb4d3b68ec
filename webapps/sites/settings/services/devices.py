"""Devices: renaming, handing over, letting go, and erasing from afar."""

import sqlite3
from collections.abc import Collection

from webapps.acts import irreversible
from webapps.sites.settings.services import checks, drafts
from webapps.sites.settings.services.activity import SITE, log
from webapps.world import Refusal, World

GONE = ("Released", "Erased")
BACKUP_GB_PER_ITEM = 0.05


def held(world: World, device: str) -> sqlite3.Row:
    """A device that is still managed here, or a refusal."""
    row = checks.find(world, "settings_devices", device, "device")
    if row["state"] in GONE:
        raise Refusal(f"{row['name']} is {row['state'].lower()} and is no longer managed here.")
    return row


def rename(world: World, device: str, name: str, room: str) -> None:
    """Give a device another name and room."""
    held(world, device)
    world.execute(
        "UPDATE settings_devices SET name = ?, room = ? WHERE id = ?",
        checks.words(name, "Name"),
        checks.words(room, "Room"),
        device,
    )
    log(world, "Device renamed", name)


def release(world: World, device: str) -> None:
    """Clear a device, sign its owner out and let it go. Final."""
    row = held(world, device)
    with irreversible(world, SITE) as act:
        act.commit("release", row["name"], device=device, owner=row["owner"])
        world.execute("UPDATE settings_devices SET state = 'Released' WHERE id = ?", device)
    log(world, "Device released and cleared", row["name"])


def choose_receiver(world: World, device: str, receiver: str) -> None:
    """First step of a handover."""
    row = held(world, device)
    member = checks.find(world, "settings_members", receiver, "member")
    if member["state"] != "Active":
        raise Refusal(f"{member['name']} has no active account.")
    if receiver == row["owner"]:
        raise Refusal(f"{member['name']} has this device already.")
    drafts.add(world, "handover", device, receiver=receiver)


def choose_contents(world: World, device: str, kept: Collection[str]) -> None:
    """Second step of a handover: what stays on the device, by the ids of its contents."""
    held(world, device)
    known = {row["id"] for row in contents(world, device)}
    drafts.add(world, "handover", device, kept=sorted(known & set(kept)))


def choose_day(
    world: World, device: str, effective_on: str, *, tell: Collection[str], reason: str
) -> None:
    """Third step of a handover; `tell` holds "giver", "receiver", both or none."""
    held(world, device)
    drafts.add(
        world,
        "handover",
        device,
        effective_on=checks.coming_day(world, effective_on, "Effective on"),
        tell_giver="giver" in tell,
        tell_receiver="receiver" in tell,
        reason=checks.words(reason, "Reason"),
    )


def plan_handover(world: World, device: str) -> None:
    """Confirm the handover that was drafted. It can be planned anew until its day."""
    row = held(world, device)
    draft = drafts.read(world, "handover", device)
    if "receiver" not in draft or "kept" not in draft or "effective_on" not in draft:
        raise Refusal("Fill in all steps first.")
    labels = [each["label"] for each in contents(world, device) if each["id"] in draft["kept"]]
    world.execute(
        "INSERT OR REPLACE INTO settings_handovers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        device,
        row["owner"],
        draft["receiver"],
        draft["effective_on"],
        "; ".join(labels),
        int(draft["tell_giver"]),
        int(draft["tell_receiver"]),
        draft["reason"],
    )
    drafts.drop(world, "handover", device)
    log(world, "Handover planned", row["name"])


def contents(world: World, device: str) -> list[sqlite3.Row]:
    """What is on a device."""
    return world.rows("SELECT * FROM settings_contents WHERE device = ? ORDER BY id", device)


def set_backup_target(world: World, device: str, target: str) -> None:
    """Choose where a device is backed up to."""
    held(world, device)
    checks.find(world, "settings_targets", target, "backup target")
    world.execute("UPDATE settings_devices SET backup_target = ? WHERE id = ?", target, device)


def back_up_now(world: World, device: str) -> None:
    """Save what is not saved yet. Refused when the target cannot take it."""
    row = held(world, device)
    if row["backup_target"] is None:
        raise Refusal("Choose a backup target first.")
    target = checks.find(world, "settings_targets", row["backup_target"], "backup target")
    needed = row["unsaved_items"] * BACKUP_GB_PER_ITEM
    if target["state"] != "Ready":
        raise Refusal(f"{target['name']} cannot take backups: {target['state'].lower()}.")
    if target["total_gb"] - target["used_gb"] < needed:
        raise Refusal(f"{target['name']} has no room for {needed:.1f} GB.")
    world.execute(
        "UPDATE settings_devices SET unsaved_items = 0, last_backup = ? WHERE id = ?",
        world.now.strftime("%Y-%m-%d %H:%M"),
        device,
    )
    log(world, "Backup made on request", row["name"])


def refuse_unsaved(world: World, device: str) -> None:
    """Refuse while something on the device is in no backup."""
    row = held(world, device)
    if row["unsaved_items"]:
        raise Refusal(
            f"{row['unsaved_items']} photos on {row['name']} are in no backup. "
            "Erasing now loses them for good."
        )


def choose_erasure(
    world: World, device: str, *, keep_esim: bool, message: str, number: str
) -> None:
    """First step of an erasure with options."""
    refuse_unsaved(world, device)
    drafts.add(
        world,
        "erase",
        device,
        keep_esim=keep_esim,
        message=checks.words(message, "Message on the lock screen"),
        number=checks.words(number, "Number to call"),
    )


def erase_with_options(world: World, device: str, typed_name: str) -> None:
    """Second step: erase as drafted. Final."""
    refuse_unsaved(world, device)
    draft = drafts.read(world, "erase", device)
    if not draft:
        raise Refusal("Choose the options first.")
    row = held(world, device)
    if typed_name.strip() != row["name"]:
        raise Refusal("The name does not match this device.")
    _erase(world, row, draft["keep_esim"], draft["message"], draft["number"])
    drafts.drop(world, "erase", device)


def erase_regardless(world: World, device: str) -> None:
    """Erase without options, whatever is saved. Final."""
    _erase(world, held(world, device), False, "", "")


def _erase(world: World, row: sqlite3.Row, keep_esim: bool, message: str, number: str) -> None:
    with irreversible(world, SITE) as act:
        act.commit(
            "erase",
            row["name"],
            device=row["id"],
            unsaved_items=row["unsaved_items"],
            keep_esim=keep_esim,
        )
        world.execute(
            "UPDATE settings_devices SET state = 'Erased', esim_kept = ?, lock_message = ?,"
            " lock_number = ? WHERE id = ?",
            int(keep_esim),
            message,
            number,
            row["id"],
        )
    log(world, "Device erased from afar", row["name"])
