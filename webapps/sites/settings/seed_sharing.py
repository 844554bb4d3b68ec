"""Initial data about sharing: links and their guests, data packages and the people in them."""

from collections.abc import Mapping
from typing import Any

from webapps.sites.settings.seed_people import CABIN, HOUSE, STUDIO, WORKSHOP

LINKS = [
    ("L-198", "Cabin photos 2025", CABIN, "M-05", 14.2, 1, "2027-01-31", 96),
    ("L-199", "Tender drawings, Ekbacken school", STUDIO, "M-06", 3.8, 4, "2026-10-30", 212),
    ("L-200", "Facade study", STUDIO, "M-13", 1.1, 1, "2026-09-30", 8),
    ("L-201", "Harbour crane manuals", WORKSHOP, "M-17", 0.6, 2, "2027-06-30", 41),
    ("L-202", "Canal Street survey 2024", STUDIO, "M-08", 22.7, 3, "2026-12-31", 118),
    ("L-203", "Recipes", HOUSE, "M-02", 0.2, 1, "2028-01-01", 305),
    ("L-204", "Canal Street survey", STUDIO, "M-06", 31.5, 2, "2026-12-31", 64),
    ("L-205", "Insurance papers", HOUSE, "M-01", 0.1, 1, "2026-11-15", 5),
    ("L-206", "Timber orders", WORKSHOP, "M-19", 0.4, 1, "2026-10-01", 27),
    ("L-207", "Interior samples", STUDIO, "M-16", 5.9, 1, "2026-11-30", 33),
    ("L-208", "School concert", HOUSE, "M-03", 8.3, 1, "2026-09-20", 51),
    ("L-209", "Site diary, quay 7", WORKSHOP, "M-18", 2.4, 5, "2027-03-31", 147),
]

_VIEW, _COMMENT, _UPLOAD = "View", "Comment", "Upload"
_SURVEY = [
    (
        "G-301",
        "Jonas Berg",
        "Berg & Daal Arkitekter",
        "jonas@bergdaal.example",
        1,
        _COMMENT,
        "2026-12-31",
        1,
    ),
    ("G-302", "Jonas Berg", "Bergfoto", "jonas@bergfoto.example", 1, _UPLOAD, "2026-12-31", 1),
    (
        "G-303",
        "Karin Falk",
        "Stockholms stad",
        "karin.falk@stad.example",
        1,
        _VIEW,
        "2026-12-31",
        0,
    ),
    ("G-304", "Milo Aalto", "Aalto Geodesi", "milo@aaltogeo.example", 1, _UPLOAD, "2026-10-31", 1),
    (
        "G-305",
        "Ines Okafor",
        "Canal Street studio",
        "ines@canalstudio.example",
        0,
        _UPLOAD,
        "2026-12-31",
        1,
    ),
    (
        "G-306",
        "Tomas Wik",
        "Canal Street studio",
        "tomas@canalstudio.example",
        0,
        _UPLOAD,
        "2026-12-31",
        1,
    ),
    (
        "G-307",
        "Lotte Brandt",
        "Canal Street studio",
        "lotte@canalstudio.example",
        0,
        _COMMENT,
        "2026-12-31",
        1,
    ),
]
_OTHERS = [
    ("Greta Lindgren", "Family", "greta@lindgren.example", 0),
    ("Viola Sandberg", "Harbour workshop", "viola@harbourworks.example", 0),
    ("Pernilla Ask", "Ask Ljus", "pernilla@askljus.example", 1),
    ("Rolf Engström", "Engström Bygg", "rolf@engstrombygg.example", 1),
    ("Mona Kaya", "Kaya Glas", "mona@kayaglas.example", 1),
    ("Yusuf Demir", "Canal Street studio", "yusuf@canalstudio.example", 0),
]
_ACCESS = (_VIEW, _COMMENT, _VIEW, _UPLOAD)
GUESTS = [(row[0], "L-204", *row[1:]) for row in _SURVEY] + [
    (f"G-{310 + number}", link[0], *_OTHERS[number % 6], _ACCESS[number % 4], link[6], number % 2)
    for number, link in enumerate(link for link in (*LINKS, *LINKS[1:10]) if link[0] != "L-204")
]

REMINDERS = [
    ("L-199", "M-06", "2 weeks before", "Tender papers close"),
    ("L-201", "M-17", "1 week before", "Renew crane manuals"),
    ("L-208", "M-03", "1 day before", "Concert link ends"),
]

PACKAGES = [
    ("K-05", "Energy, second quarter", "Kraftverk Nord", STUDIO, "Daily", "KN-4471-2", 1, "Sent"),
    ("K-06", "Water, first half-year", "Uppsala Vatten", HOUSE, "Monthly", "UV-20981", 1, "Sent"),
    ("K-07", "Door log for the insurer", "Trygga Hamn", WORKSHOP, "Hourly", "TH-77120", 1, "Sent"),
    ("K-08", "Energy, third quarter", "Kraftverk Nord", HOUSE, "Daily", "", 0, "Prepared"),
    ("K-09", "Energy, third quarter", "Kraftverk Nord", STUDIO, "Daily", "", 0, "Prepared"),
    ("K-10", "Air quality, desks", "Arbetshälsan", STUDIO, "Daily", "", 0, "Prepared"),
]

_GIVEN, _LAPSED, _WITHDRAWN, _NEVER = "Given", "Lapsed", "Withdrawn", "Not asked"
_STAFF = [
    ("Ines Okafor", "Meeting room meter", _GIVEN, "2026-01-08"),
    ("Tomas Wik", "Desk meter 1", _GIVEN, "2026-01-08"),
    ("Petra Wik", "Desk meter 2", _LAPSED, "2025-07-31"),
    ("Petra Wiik", "Desk meter 3", _GIVEN, "2026-04-02"),
    ("Halvard Moe", "Desk meter 4", _WITHDRAWN, "2025-11-21"),
    ("Emil Lindgren", "Desk meter 5", _GIVEN, "2026-01-12"),
    ("Dario Conti", "Desk meter 6", _GIVEN, "2026-01-08"),
    ("Sanna Lund", "Desk meter 7", _NEVER, ""),
    ("Yusuf Demir", "Plotter room meter", _GIVEN, "2026-01-09"),
    ("Lotte Brandt", "Model shop meter", _GIVEN, "2026-01-14"),
]
_HOME = [
    ("Sofie Lindgren", "Kitchen meter", _GIVEN, "2026-01-02"),
    ("Mikkel Lindgren", "Garage meter", _GIVEN, "2026-01-02"),
    ("Astrid Lindgren", "Upper floor meter", _GIVEN, "2026-01-05"),
]
_CROWDS = (
    ("K-05", _STAFF[:2]),
    ("K-06", _HOME),
    ("K-08", _HOME),
    ("K-09", _STAFF),
    ("K-10", _STAFF[:4]),
)
PARTICIPANTS = [
    (
        f"{package}-{number}",
        package,
        *person,
        "" if not person[3] else "In the app",
        "",
        0,
    )
    for package, crowd in _CROWDS
    for number, person in enumerate(crowd, start=1)
]

TABLES: Mapping[str, list[tuple[Any, ...]]] = {
    "settings_links": LINKS,
    "settings_guests": GUESTS,
    "settings_reminders": REMINDERS,
    "settings_packages": PACKAGES,
    "settings_participants": PARTICIPANTS,
}
