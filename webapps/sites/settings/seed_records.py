"""Initial data about running matters: notifications, networks, backups, activity."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from webapps.sites.settings.seed_devices import DEVICES
from webapps.sites.settings.seed_people import CABIN, HOUSE, STUDIO, WORKSHOP

TOPICS = [
    ("N-01", "Doors and windows", "Security", 1, 1, 1, 1),
    ("N-02", "Camera movement", "Security", 0, 1, 0, 0),
    ("N-03", "Unknown device joined", "Security", 1, 1, 0, 1),
    ("N-04", "Sign-in from a new place", "Security", 1, 1, 1, 1),
    ("N-05", "Water leak", "Safety", 1, 1, 1, 1),
    ("N-06", "Smoke and gas", "Safety", 1, 1, 1, 1),
    ("N-07", "Frost warning", "Safety", 1, 1, 0, 0),
    ("N-08", "Dust above limit", "Safety", 1, 0, 0, 0),
    ("N-09", "Backup failed", "Storage", 1, 1, 0, 0),
    ("N-10", "Disk nearly full", "Storage", 1, 0, 0, 0),
    ("N-11", "Update ready", "Devices", 1, 0, 0, 0),
    ("N-12", "Device offline", "Devices", 0, 1, 0, 0),
    ("N-13", "Battery low", "Devices", 0, 1, 0, 0),
    ("N-14", "Printer needs paper", "Devices", 0, 1, 0, 0),
    ("N-15", "Link about to end", "Sharing", 1, 0, 0, 0),
    ("N-16", "Guest opened a link", "Sharing", 0, 0, 0, 0),
    ("N-17", "Invitation accepted", "People", 1, 0, 0, 0),
    ("N-18", "Monthly summary", "People", 1, 0, 0, 0),
]
CHANNELS = [
    ("email", "E-mail", "sofie@lindgren.example", "22:00", "06:30", 0),
    ("push", "Push", "Sofie's phone", "22:30", "06:30", 0),
    ("text", "Text message", "+46 70 555 01 18", "", "", 0),
]
NETWORKS = [
    ("W-1", "lindgren", HOUSE, "2.4 and 5 GHz", "WPA3", "Everyday", 1, 0),
    ("W-2", "lindgren-guests", HOUSE, "5 GHz", "WPA2", "Guests", 1, 1),
    ("W-3", "canal-work", STUDIO, "5 and 6 GHz", "WPA3", "Everyday", 1, 0),
    ("W-4", "canal-guests", STUDIO, "5 GHz", "WPA2", "Guests", 1, 1),
    ("W-5", "canal-things", STUDIO, "2.4 GHz", "WPA2", "Things", 0, 1),
    ("W-6", "furusund", CABIN, "2.4 GHz", "WPA2", "Everyday", 1, 0),
    ("W-7", "quay7", WORKSHOP, "2.4 and 5 GHz", "WPA3", "Everyday", 1, 0),
]
OPENINGS = [
    ("O-1", "W-1", "Game server", 27015, "UDP", "D-1015", 0),
    ("O-2", "W-1", "Home mail relay", 587, "TCP", "D-1005", 1),
    ("O-3", "W-3", "Remote drafting", 3390, "TCP", "D-1008", 1),
    ("O-4", "W-3", "Render queue", 7070, "TCP", "D-1016", 1),
    ("O-5", "W-3", "Render queue, spare", 7071, "TCP", "D-1017", 0),
    ("O-6", "W-5", "Camera archive", 8554, "TCP", "D-1030", 0),
    ("O-7", "W-6", "Frost telemetry", 1883, "TCP", "D-1059", 1),
    ("O-8", "W-7", "Crane diary", 8443, "TCP", "D-1011", 1),
]
TARGETS = [
    ("T-1", "Attic NAS", HOUSE, 4000, 3996, "Full"),
    ("T-2", "Studio NAS", STUDIO, 8000, 6810, "Ready"),
    ("T-3", "Cabin disk", CABIN, 1000, 402, "Offline"),
    ("T-4", "Workshop disk", WORKSHOP, 500, 487, "Ready"),
    ("T-5", "Studio archive", STUDIO, 6000, 1120, "Read only"),
]

_DRAFTING = [
    ("B-3101", "2026-06-28 02:30", "Full", 798.2, "Complete"),
    ("B-3102", "2026-07-05 02:30", "Partial", 61.0, "Complete"),
    ("B-3103", "2026-07-26 02:30", "Full", 801.5, "Complete"),
    ("B-3104", "2026-08-02 02:30", "Partial", 40.3, "Complete"),
    ("B-3105", "2026-08-09 02:30", "Partial", 118.9, "Interrupted"),
    ("B-3106", "2026-08-16 02:30", "Partial", 44.7, "Complete"),
    ("B-3107", "2026-08-23 02:30", "Partial", 97.6, "Interrupted"),
    ("B-3108", "2026-08-30 02:30", "Full", 808.8, "Complete"),
    ("B-3109", "2026-09-06 02:30", "Partial", 71.4, "Interrupted"),
    ("B-3110", "2026-09-13 02:30", "Partial", 39.2, "Complete"),
]
_SAVED = [
    device for device in DEVICES if device[15] is not None and device[0] not in ("D-1008", "D-1056")
]
_NIGHT = datetime(2026, 9, 13, 2, 30)  # noqa: DTZ001 - the sites' own civil time


def _backup(number: int, device: tuple[Any, ...], weeks: int) -> tuple[Any, ...]:
    made = _NIGHT - timedelta(weeks=weeks, days=number % 5)
    full = weeks == 3
    size = round(device[13] * (1 if full else 0.07 + number % 4 / 100), 1)
    return (
        f"B-{3200 + number}", device[0], made.strftime("%Y-%m-%d %H:%M"),
        "Full" if full else "Partial", size, device[15],
        "Interrupted" if number % 11 == 5 else "Complete",
    )  # fmt: skip


BACKUPS = [
    *((row[0], "D-1008", *row[1:4], "T-2", row[4]) for row in _DRAFTING),
    ("B-3151", "D-1056", "2026-08-27 02:30", "Full", 181.0, "T-1", "Complete"),
    ("B-3152", "D-1056", "2026-09-03 02:30", "Partial", 3.1, "T-1", "Interrupted"),
    *(
        _backup(2 * number + part, device, (0, 3)[part])
        for number, device in enumerate(_SAVED)
        for part in (0, 1)
    ),
]
BACKUP_PLANS = [
    (device[0], "02:30", "90 days", "30 days", int(device[5] == STUDIO), "")
    for device in DEVICES
    if device[15] is not None
]

_LOG = [
    ("Sofie Lindgren", "Signed in", "Sofie's laptop"),
    ("Homebase", "Nightly backup finished", "Drafting laptop"),
    ("Ines Okafor", "Link opened to guests", "Canal Street survey"),
    ("Homebase", "Firmware offered", "Front door camera"),
    ("Tomas Wik", "Invitation drafted", "Leila Haddad"),
    ("Mikkel Lindgren", "Device reported lost", "Mikkel's phone"),
    ("Homebase", "Backup target full", "Attic NAS"),
    ("Anders Nyström", "Port opening added", "Crane diary"),
    ("Homebase", "Backup interrupted", "Drafting workstation"),
    ("Astrid Lindgren", "Invitation drafted", "Oskar Lind"),
    ("Noor Lindgren", "Link ended", "School play"),
]
ACTIVITY = [
    (
        40 - number,
        (_NIGHT - timedelta(hours=9 * number)).strftime("%Y-%m-%d %H:%M"),
        *_LOG[number % 11],
    )
    for number in range(40)
]

TABLES: Mapping[str, list[tuple[Any, ...]]] = {
    "settings_topics": TOPICS,
    "settings_channels": CHANNELS,
    "settings_networks": NETWORKS,
    "settings_openings": OPENINGS,
    "settings_targets": TARGETS,
    "settings_backups": BACKUPS,
    "settings_backup_plans": BACKUP_PLANS,
    "settings_activity": ACTIVITY,
}
