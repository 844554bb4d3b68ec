"""Firmware: the release channel, pushing at once, and planned updates."""

import sqlite3
from typing import NamedTuple

from webapps.acts import irreversible
from webapps.sites.settings.services import checks, drafts
from webapps.sites.settings.services.activity import SITE, log
from webapps.sites.settings.services.devices import held
from webapps.world import Refusal, World

CHANNELS = ("Stable", "Preview")
SLOTS = ("02:00–03:00", "03:00–04:00", "11:00–12:00", "22:00–23:00")
NOBODY = "Nobody"


def save_channel(world: World, device: str, channel: str) -> None:
    """Choose which releases a device is offered."""
    row = held(world, device)
    checks.one_of(channel, CHANNELS, "Release channel")
    world.execute("UPDATE settings_devices SET channel = ? WHERE id = ?", channel, device)
    log(world, "Release channel saved", row["name"])


def versions(world: World, model: str) -> list[sqlite3.Row]:
    """The releases for a model, newest first."""
    return world.rows(
        "SELECT * FROM settings_versions WHERE model = ? ORDER BY released_on DESC", model
    )


def _fits(device: sqlite3.Row, version: sqlite3.Row) -> bool:
    return version["hardware"] in ("rev. A and B", device["hardware"])


def update_now(world: World, device: str) -> str:
    """Push the newest release of the device's channel; returns its number. Final."""
    row = held(world, device)
    for version in versions(world, row["model"]):
        offered = version["state"] == "Offered" and version["channel"] == row["channel"]
        if offered and _fits(row, version) and version["version"] != row["firmware"]:
            break
    else:
        raise Refusal(f"{row['name']} has the newest firmware of its channel.")
    with irreversible(world, SITE) as act:
        act.commit("firmware", row["name"], device=device, version=version["version"])
        world.execute(
            "UPDATE settings_devices SET firmware = ? WHERE id = ?", version["version"], device
        )
    log(world, f"Firmware {version['version']} pushed", row["name"])
    return str(version["version"])


def choose_version(world: World, device: str, version: str) -> None:
    """First step of a planned update."""
    row = held(world, device)
    known = {each["version"]: each for each in versions(world, row["model"])}
    if version not in known:
        raise Refusal("Choose a version.")
    chosen = known[version]
    if chosen["channel"] != row["channel"]:
        raise Refusal(f"{version} is not of this device's release channel.")
    if not _fits(row, chosen):
        raise Refusal(f"{version} does not suit hardware {row['hardware']}.")
    if chosen["state"] != "Offered":
        raise Refusal(f"{version} is {chosen['state'].lower()} by the maker.")
    drafts.add(world, "update", device, version=version)


class Slot(NamedTuple):
    """When and how a planned update is carried out."""

    not_before: str
    slot: str
    backup_first: bool
    restart_linked: bool
    tell: str
    note: str


def choose_slot(world: World, device: str, slot: Slot) -> None:
    """Second step of a planned update."""
    held(world, device)
    checks.coming_day(world, slot.not_before, "Not before")
    checks.one_of(slot.slot, SLOTS, "Slot")
    checks.one_of(slot.tell, (NOBODY, *(row["name"] for row in tellable(world))), "Tell")
    drafts.add(world, "update", device, **slot._asdict())


def tellable(world: World) -> list[sqlite3.Row]:
    """Who can be told of updates."""
    return world.rows(
        "SELECT name FROM settings_members WHERE standing IN"
        " ('Organiser', 'Studio lead', 'Workshop lead') ORDER BY id"
    )


def plan_update(world: World, device: str) -> None:
    """Confirm the update that was drafted. It can be planned anew until it runs."""
    row = held(world, device)
    draft = drafts.read(world, "update", device)
    if "version" not in draft or "slot" not in draft:
        raise Refusal("Fill in all steps first.")
    world.execute(
        "INSERT OR REPLACE INTO settings_update_plans VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        device,
        draft["version"],
        draft["not_before"],
        draft["slot"],
        int(draft["backup_first"]),
        int(draft["restart_linked"]),
        draft["tell"],
        draft["note"],
    )
    drafts.drop(world, "update", device)
    log(world, f"Update to {draft['version']} planned", row["name"])
