"""Initial data about devices: the devices, what is on them, their privacy and their firmware."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from webapps.sites.settings.seed_people import CABIN, HOUSE, STUDIO, WORKSHOP

# name, kind, model, place, room, owner, used GB, total GB
_ROWS = [
    ("Hall gateway", "Gateway", "Northlink G3", HOUSE, "Hallway", "M-01", 1.2, 8),
    ("Studio gateway", "Gateway", "Northlink G5", STUDIO, "Server cupboard", "M-06", 2.1, 16),
    ("Cabin gateway", "Gateway", "Northlink G2", CABIN, "Porch", "M-05", 0.8, 4),
    ("Workshop gateway", "Gateway", "Northlink G5", WORKSHOP, "Office", "M-17", 1.7, 16),
    ("Attic NAS", "Storage", "Vault 4", HOUSE, "Attic", "M-02", 3996.0, 4000),
    ("Studio NAS", "Storage", "Vault 8", STUDIO, "Server cupboard", "M-06", 6810.0, 8000),
    ("Cabin disk", "Storage", "Vault 1", CABIN, "Loft", "M-05", 402.0, 1000),
    ("Drafting workstation", "Computer", "Forma T7", STUDIO, "Drawing room", "M-08", 811.4, 2000),
    ("Drafting laptop", "Computer", "Forma L5", STUDIO, "Drawing room", "M-09", 344.9, 1000),
    ("Reception computer", "Computer", "Forma S2", STUDIO, "Reception", "M-16", 121.0, 500),
    ("Workshop terminal", "Computer", "Forma S2", WORKSHOP, "Saw hall", "M-18", 66.3, 250),
    ("Sofie's laptop", "Computer", "Forma L5", HOUSE, "Study", "M-01", 402.7, 1000),
    ("Mikkel's laptop", "Computer", "Forma L3", HOUSE, "Study", "M-02", 218.8, 500),
    ("Noor's laptop", "Computer", "Forma L3", HOUSE, "Noor's room", "M-03", 97.5, 500),
    ("Homework computer", "Computer", "Forma S1", HOUSE, "Living room", "M-04", 58.1, 250),
    ("Rendering node 1", "Computer", "Forma R1", STUDIO, "Server cupboard", "M-06", 1490.0, 4000),
    ("Rendering node 2", "Computer", "Forma R1", STUDIO, "Server cupboard", "M-06", 1388.2, 4000),
    ("Meeting room screen", "Display", "Panora 55", STUDIO, "Meeting room", "M-06", 9.8, 32),
    ("Reception display", "Display", "Panora 24", STUDIO, "Reception", "M-16", 6.1, 16),
    ("Kitchen display", "Display", "Panora 10", HOUSE, "Kitchen", "M-01", 4.7, 16),
    ("Living room display", "Display", "Panora 55", HOUSE, "Living room", "M-02", 11.9, 32),
    ("Cabin display", "Display", "Panora 24", CABIN, "Kitchen", "M-05", 3.3, 16),
    ("Workshop display", "Display", "Panora 24", WORKSHOP, "Assembly", "M-17", 5.0, 16),
    ("Bedroom display", "Display", "Panora 10", HOUSE, "Bedroom", "M-01", 3.9, 16),
    ("Hallway display", "Display", "Panora 10", HOUSE, "Hallway", "M-01", 4.2, 16),
    ("Stairwell display", "Display", "Panora 10", STUDIO, "Stairwell", "M-06", 4.2, 16),
    ("Garage camera", "Camera", "Vigil Cam 1", HOUSE, "Garage", "M-02", 21.0, 64),
    ("Jetty camera", "Camera", "Vigil Cam 2", CABIN, "Jetty", "M-05", 30.4, 64),
    ("Saw hall camera", "Camera", "Vigil Cam 2", WORKSHOP, "Saw hall", "M-17", 51.2, 128),
    ("Back door camera", "Camera", "Vigil Cam 2", STUDIO, "Courtyard", "M-06", 44.0, 128),
    ("Front door camera", "Camera", "Vigil Cam 2", STUDIO, "Entrance", "M-06", 47.6, 128),
    ("Front gate camera", "Camera", "Vigil Cam 2", WORKSHOP, "Gate", "M-17", 47.6, 128),
    ("Kitchen speaker", "Speaker", "Tonal Mini", HOUSE, "Kitchen", "M-01", 1.0, 4),
    ("Studio speaker", "Speaker", "Tonal Two", STUDIO, "Drawing room", "M-13", 1.4, 8),
    ("Cabin speaker", "Speaker", "Tonal Mini", CABIN, "Living room", "M-05", 1.0, 4),
    ("Front door lock", "Lock", "Bolt Pro", HOUSE, "Hallway", "M-01", 0.1, 1),
    ("Studio door lock", "Lock", "Bolt Pro", STUDIO, "Entrance", "M-06", 0.1, 1),
    ("Tool room lock", "Lock", "Bolt Pro", WORKSHOP, "Tool room", "M-17", 0.1, 1),
    ("Plotter", "Printer", "Drafta A0", STUDIO, "Plotter room", "M-14", 7.7, 64),
    ("Studio printer", "Printer", "Drafta A3", STUDIO, "Reception", "M-16", 0.9, 8),
    ("Home printer", "Printer", "Drafta A4", HOUSE, "Study", "M-02", 0.4, 4),
    ("Atelier tablet", "Tablet", "Slate 11", HOUSE, "Atelier", "M-03", 58.3, 128),
    ("Atelier tablet", "Tablet", "Slate 11", STUDIO, "Model shop", "M-16", 40.9, 128),
    ("Kitchen tablet", "Tablet", "Slate 9", HOUSE, "Kitchen", "M-01", 22.0, 64),
    ("Site tablet 1", "Tablet", "Slate 11 Rugged", STUDIO, "On site", "M-13", 61.7, 128),
    ("Site tablet 2", "Tablet", "Slate 11 Rugged", STUDIO, "On site", "M-14", 88.2, 128),
    ("Quay tablet", "Tablet", "Slate 11 Rugged", WORKSHOP, "Quay 7", "M-18", 35.5, 128),
    ("Sofie's phone", "Phone", "Pocket 6", HOUSE, "With Sofie", "M-01", 144.0, 256),
    ("Noor's phone", "Phone", "Pocket 4", HOUSE, "With Noor", "M-03", 101.9, 128),
    ("Emil's phone", "Phone", "Pocket 4", HOUSE, "With Emil", "M-04", 40.2, 128),
    ("Ines' phone", "Phone", "Pocket 6", STUDIO, "With Ines", "M-06", 171.3, 256),
    ("Tomas' phone", "Phone", "Pocket 5", STUDIO, "With Tomas", "M-08", 93.0, 256),
    ("Studio on-call phone", "Phone", "Pocket 4", STUDIO, "Reception", "M-16", 31.8, 128),
    ("Workshop phone", "Phone", "Pocket 4", WORKSHOP, "Office", "M-17", 28.8, 128),
    ("Mikkel's old phone", "Phone", "Pocket 4", HOUSE, "Drawer", "M-02", 12.4, 128),
    ("Mikkel's phone", "Phone", "Pocket 5", HOUSE, "With Mikkel", "M-02", 187.5, 256),
    ("Heat pump controller", "Sensor", "Klima H1", HOUSE, "Cellar", "M-02", 0.3, 1),
    ("Studio air sensor", "Sensor", "Klima A2", STUDIO, "Drawing room", "M-12", 0.2, 1),
    ("Cabin frost sensor", "Sensor", "Klima F1", CABIN, "Cellar", "M-05", 0.1, 1),
    ("Dust sensor", "Sensor", "Klima A2", WORKSHOP, "Saw hall", "M-18", 0.2, 1),
]
_FIRMWARE = {
    "Gateway": "7.4.1",
    "Storage": "12.0.3",
    "Computer": "26.2",
    "Display": "3.8.0",
    "Camera": "4.1.9",
    "Speaker": "2.2.6",
    "Lock": "1.9.4",
    "Printer": "5.1.0",
    "Tablet": "17.3",
    "Phone": "17.3",
    "Sensor": "1.0.8",
}
_PREVIEW = {"D-1031", "D-1012", "D-1021"}
_STATES = {"D-1056": "Lost", "D-1055": "Offline", "D-1022": "Offline", "D-1007": "Offline"}
_HOME_TARGET = {HOUSE: "T-1", STUDIO: "T-2", CABIN: "T-3", WORKSHOP: "T-4"}
_BACKED_UP = {"Computer", "Tablet", "Phone"}
_START = datetime(2026, 9, 15, 9, 52)  # noqa: DTZ001 - the sites' own civil time


def _device(number: int, row: tuple[Any, ...]) -> tuple[Any, ...]:
    name, kind, model, place, room, owner, used, total = row
    device = f"D-{1000 + number}"
    saves = kind in _BACKED_UP
    seen = _START - timedelta(minutes=number * 3)
    if _STATES.get(device) == "Offline":
        seen = _START - timedelta(days=4, hours=number % 7)
    return (
        device, name, kind, model, "rev. B" if number % 3 == 1 else "rev. A", place, room, owner,
        f"{model.split()[0][:2].upper()}{number * 7919 % 100000:05d}", _FIRMWARE[kind],
        "Preview" if device in _PREVIEW else "Stable", _STATES.get(device, "Online"),
        seen.strftime("%Y-%m-%d %H:%M"), used, total, _HOME_TARGET[place] if saves else None,
        ("2026-09-03 02:30" if device == "D-1056" else "2026-09-15 02:30") if saves else None,
        412 if device == "D-1056" else 0, "", "", 0,
    )  # fmt: skip


DEVICES = [_device(number, row) for number, row in enumerate(_ROWS, start=1)]

_ON_TABLETS = [
    ("Drawings and sketches", 14.6, 0),
    ("Photos and videos", 31.2, 0),
    ("School workspace", 6.4, 0),
    ("Mail account", 1.2, 1),
    ("Payment card", 0.0, 1),
    ("Music library", 4.9, 0),
]
_ON_COMPUTERS = [("Project files", 210.5, 0), ("Mail account", 8.1, 1), ("Downloads", 30.2, 0)]
_ON_PHONES = [("Photos and videos", 61.0, 0), ("Messages", 3.7, 1), ("Payment card", 0.0, 1)]
_CONTENTS = {"Tablet": _ON_TABLETS, "Computer": _ON_COMPUTERS, "Phone": _ON_PHONES}
CONTENTS = [
    (f"{device[0]}/{number}", device[0], label, size, bound)
    for device in DEVICES
    for number, (label, size, bound) in enumerate(_CONTENTS.get(device[2], ())[:6], start=1)
    if device[2] == "Tablet" or int(device[0][2:]) % 2 == 0
]

_WATCHED = {"Display", "Camera", "Speaker"}
PRIVACY = [
    (device[0], 1, 1, int(device[2] == "Speaker"), int(device[5] != STUDIO))
    for device in DEVICES
    if device[2] in _WATCHED
]
_PARTNERS = [
    ("Panora Crash Lab", "Maker", "Crash reports", "2024-05-02"),
    ("Weathervane", "Service", "Place, for the forecast", "2024-05-02"),
    ("Admetrica", "Advertising partner", "Usage times, programmes shown", "2025-03-18"),
    ("Admetrica Hosting", "Service", "Encrypted settings backup", "2024-05-02"),
    ("Viewgauge", "Measurement partner", "Usage times", "2025-11-06"),
]
RECIPIENTS = [
    (f"R-{device[0][2:]}{number}", device[0], *partner, 1)
    for device in DEVICES
    if device[2] == "Display"
    for number, partner in enumerate(_PARTNERS, start=1)
]

VERSIONS = [
    ("F-41", "Vigil Cam 2", "4.1.9", "Stable", "rev. A and B", "2026-04-14", 88, "Offered"),
    ("F-42", "Vigil Cam 2", "4.2.2", "Stable", "rev. A and B", "2026-07-02", 91, "Offered"),
    ("F-43", "Vigil Cam 2", "4.2.3", "Stable", "rev. A and B", "2026-08-18", 91, "Offered"),
    ("F-44", "Vigil Cam 2", "4.2.4", "Stable", "rev. A", "2026-08-27", 92, "Offered"),
    ("F-45", "Vigil Cam 2", "4.2.5", "Stable", "rev. A and B", "2026-09-01", 92, "Held back"),
    ("F-46", "Vigil Cam 2", "5.0.0-rc2", "Preview", "rev. B", "2026-09-08", 117, "Offered"),
    ("F-51", "Vigil Cam 1", "3.9.1", "Stable", "rev. A and B", "2025-12-01", 60, "Offered"),
    ("F-61", "Panora 10", "3.8.0", "Stable", "rev. A and B", "2026-06-10", 240, "Offered"),
    ("F-62", "Panora 10", "3.8.2", "Stable", "rev. A and B", "2026-09-02", 241, "Offered"),
    ("F-63", "Panora 24", "3.8.2", "Stable", "rev. A and B", "2026-09-02", 244, "Offered"),
    ("F-64", "Panora 55", "3.8.2", "Stable", "rev. A and B", "2026-09-02", 251, "Offered"),
    ("F-65", "Panora 55", "4.0.0-rc1", "Preview", "rev. A and B", "2026-09-09", 270, "Offered"),
    ("F-71", "Northlink G3", "7.4.2", "Stable", "rev. A and B", "2026-08-30", 35, "Offered"),
    ("F-72", "Northlink G5", "7.4.2", "Stable", "rev. A and B", "2026-08-30", 36, "Held back"),
    ("F-81", "Forma L5", "26.3", "Stable", "rev. A and B", "2026-09-10", 1400, "Offered"),
    ("F-82", "Forma T7", "26.3", "Stable", "rev. A and B", "2026-09-10", 1420, "Offered"),
    ("F-91", "Bolt Pro", "1.9.5", "Stable", "rev. A and B", "2026-08-05", 4, "Offered"),
]  # fmt: skip
UPDATE_PLANS = [
    ("D-1020", "3.8.2", "2026-09-18", "02:00–03:00", 1, 0, "Sofie Lindgren", ""),
    ("D-1030", "4.2.3", "2026-09-19", "03:00–04:00", 1, 0, "Ines Okafor", "CAM-18"),
    ("D-1036", "1.9.5", "2026-09-17", "11:00–12:00", 0, 0, "Sofie Lindgren", ""),
]
HANDOVERS = [
    ("D-1055", "M-02", "M-04", "2026-10-01", "Photos and videos", 1, 0, "Spare phone"),
]

TABLES: Mapping[str, list[tuple[Any, ...]]] = {
    "settings_devices": DEVICES,
    "settings_contents": CONTENTS,
    "settings_privacy": PRIVACY,
    "settings_recipients": RECIPIENTS,
    "settings_versions": VERSIONS,
    "settings_update_plans": UPDATE_PLANS,
    "settings_handovers": HANDOVERS,
}
