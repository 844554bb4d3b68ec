"""Customers, orders and papers that tasks are about, each with a near double beside it."""

from collections.abc import Sequence
from typing import Any

from webapps.sites.refunds.rows import insert
from webapps.world import World

DROP_OFF = "Drop-off at a parcel shop"
PARCEL = "Swiftline parcel"


def seed(world: World) -> None:
    """Add them all."""
    _customers(world)
    _lamps(world)
    _shelves(world)
    _payouts(world)
    _mixers(world)
    _armchair(world)
    _cards(world)
    _notices(world)


def _customers(world: World) -> None:
    people = (
        ("C-1012", "Marta Lindqvist", "marta.lindqvist@post.example", "Leeds", "English", 0),
        ("C-1013", "Priya Raman", "priya.raman@post.example", "York", "English", 0),
        ("C-1014", "Chinedu Okafor", "c.okafor@post.example", "Sheffield", "English", 0),
        ("C-1015", "Chidi Okafor", "chidi.okafor@post.example", "Leeds", "English", 0),
        ("C-1016", "Ewa Nowak", "ewa.nowak@post.example", "Leith", "Polish", 0),
        ("C-1017", "Claire Dubois", "claire.dubois@post.example", "Harrogate", "French", 1250),
        ("C-1018", "Aidan Burke", "aidan.burke@post.example", "Durham", "English", 0),
        ("C-1019", "Leonie Hartmann", "l.hartmann@werkhof.example", "York", "German", 3500),
        ("C-1020", "Tomasz Wilk", "tomasz.wilk@post.example", "Lincoln", "Polish", 4000),
        ("C-1021", "Harrowgate Catering", "office@harrowgate.example", "Harrogate", "English", 0),
    )
    insert(
        world,
        "customers",
        [
            (key, name, email, city, language, f"20{18 + i % 7}-0{1 + i % 9}-14", segment, credit)
            for i, (key, name, email, city, language, credit) in enumerate(people)
            for segment in ["Trade" if key == "C-1021" else "Private"]
        ],
    )


def _order(
    world: World, order: Sequence[Any], *lines: tuple[str, str, int, int, int, str]
) -> list[int]:
    """Add an order and its lines (sku, title, quantity, refunded, price, remark); line ids."""
    insert(world, "orders", [order])
    first: int = world.value("SELECT max(id) + 1 FROM refunds_lines")
    insert(world, "lines", [(first + i, order[0], *line) for i, line in enumerate(lines)])
    return [first + i for i in range(len(lines))]


def _lamps(world: World) -> None:
    closed = "Gift card GC-1733 (closed)"
    _order(
        world,
        ("20418", "C-1012", "2026-09-07", "Online shop", "Delivered", closed, 495, 0),
        ("HF-3301", "Desk lamp Arne, oak", 1, 0, 6450, "Customer, 14 Sep: shade cracked"),
        ("HF-3302", "Desk lamp Arne, ash", 1, 0, 6450, "Customer, 14 Sep: works, keeps it"),
        ("HF-3310", "Bulb E14 warm, pack of two", 1, 0, 890, ""),
    )
    _order(
        world,
        ("20408", "C-1012", "2026-08-21", "Leeds Kirkgate", "Collected", "PayPal", 0, 0),
        ("HF-3301", "Desk lamp Arne, oak", 1, 0, 6450, ""),
    )


def _shelves(world: World) -> None:
    line_id = _order(
        world,
        ("20391", "C-1017", "2026-08-12", "Online shop", "Delivered", "Visa ending 2206", 1290, 0),
        ("HF-3320", "Shelf Tove, oak", 2, 1, 7450, "Carrier scan: one parcel of two"),
        ("HF-3321", "Shelf bracket Tove, black", 4, 0, 1150, ""),
    )[0]
    original, credit = "Original payment", "Store credit"
    insert(
        world,
        "refunds",
        [
            (
                *("RF-3121", "20391", "2026-08-27", "Shelf Tove, oak", 7450, original),
                *("Not received", "", "Settled", "PR-0908", ""),
            )
        ],
    )
    asked = ("2026-09-13", 2, 14900, "Not received", credit, "Open", "", 0, "")
    insert(world, "requests", [("RQ-311", line_id, *asked)])


def _payouts(world: World) -> None:
    visa, bank = "Visa ending 5104", "Bank transfer"
    for order_id, customer_id in (("20431", "C-1014"), ("20433", "C-1015")):
        _order(
            world,
            (order_id, customer_id, "2026-08-30", "Leeds Kirkgate", "Delivered", visa, 0, 0),
            ("HF-3340", "Bedside table Ouse, pine", 1, 1, 8640, ""),
        )
    rows = (
        ("RF-3127", "20431", 8640, "Changed mind"),
        ("RF-3172", "20433", 8460, "Changed mind"),
    )
    insert(
        world,
        "refunds",
        [
            (
                *(key, order_id, "2026-09-11", "Bedside table Ouse, pine", amount, bank, reason),
                *("", "Scheduled", "PR-0915", ""),
            )
            for key, order_id, amount, reason in rows
        ],
    )


def _return(
    world: World, return_id: str, order_id: str, reason: str, *units: tuple[str, str, int, str]
) -> None:
    row = (return_id, order_id, "2026-09-08", "2026-10-08", reason, "Received")
    insert(world, "returns", [row])
    blank = ("", "", "", "", "")
    insert(
        world,
        "units",
        [(serial, return_id, title, weight, text, *blank) for serial, title, weight, text in units],
    )
    insert(world, "collections", [(return_id, DROP_OFF, "", "", "", PARCEL)])


def _mixers(world: World) -> None:
    _order(
        world,
        ("20427", "C-1021", "2026-08-25", "Leeds Kirkgate", "Delivered", "Invoice 30 days", 0, 0),
        ("HF-3350", "Stand mixer Brandt B7, graphite", 3, 0, 32900, ""),
    )
    mixer = "Stand mixer Brandt B7, graphite"
    _return(
        world,
        "RT-5031",
        "20427",
        "Arrived damaged",
        ("BM-7714", mixer, 8_200, "Motor hums under load; bowl clean"),
        ("BM-7741", mixer, 8_200, "Runs quietly; bowl scratched inside"),
        ("BM-7747", mixer, 8_200, "Box unopened"),
    )
    closed = world.rows(
        "SELECT u.id, u.return_id, r.announced FROM refunds_units u"
        " JOIN refunds_returns r ON r.id = u.return_id WHERE r.status = 'Closed' ORDER BY u.id"
    )
    for number, unit in enumerate(closed[:4], start=114):
        order = (f"DO-{number}", unit["return_id"], unit["announced"], unit["id"])
        insert(world, "disposals", [order])
        world.execute("UPDATE refunds_units SET route = 'Disposal' WHERE id = ?", unit["id"])
    for number, unit in enumerate(closed[4:], start=208):
        claim = (f"SC-{number}", unit["id"], unit["announced"], f"{unit['id'][:4]}/26", 40)
        insert(world, "claims", [claim])
        world.execute(
            "UPDATE refunds_units SET grade = 'C – for spare parts', part = 'Housing',"
            " finding = 'HS-4', route = 'Supplier', bay = 'F-07' WHERE id = ?",
            unit["id"],
        )
    label = ("RL-7731", "RT-5031", "2026-09-08", f"{DROP_OFF}, {PARCEL}", "Valid")
    insert(world, "labels", [label])


def _armchair(world: World) -> None:
    _order(
        world,
        ("20440", "C-1016", "2026-08-18", "Online shop", "Delivered", "PayPal", 4900, 0),
        ("HF-3360", "Armchair Swaledale, moss", 1, 0, 54900, ""),
    )
    chair = ("SW-0418", "Armchair Swaledale, moss", 34_000, "Seat too low for the customer")
    _return(world, "RT-5044", "20440", "Does not fit", chair)
    insert(
        world,
        "labels",
        [("RL-7730", "RT-5044", "2026-09-08", f"{DROP_OFF}, {PARCEL}", "Valid")],
    )
    world.execute("UPDATE refunds_returns SET status = 'Announced' WHERE id = 'RT-5044'")
    insert(
        world,
        "addresses",
        [
            (1, "C-1016", "4 Maritime Street", "Leith", "Until 31 August 2026"),
            (2, "C-1016", "18 Constitution Street", "Leith", "Home since 1 September 2026"),
            (3, "C-1016", "81 Constitution Street", "Leith", "Neighbour, small parcels only"),
            (4, "C-1012", "7 Otley Road", "Leeds", "Home"),
            (5, "C-1021", "2 Cornmill Yard", "Harrogate", "Kitchen entrance"),
        ],
    )
    insert(
        world,
        "messages",
        [
            (
                *("ML-9001", "C-1016", "2026-09-08", "Return label", "RT-5044"),
                *("English", "Sent", ""),
            ),
            (
                *("ML-9002", "C-1012", "2026-09-14", "Return received", "order 20418"),
                *("English", "Sent", ""),
            ),
        ],
    )


def _cards(world: World) -> None:
    owner = "C-1013"
    insert(
        world,
        "cards",
        [
            ("GC-2641", owner, "2025-06-30", "2026-12-31", 6350, "Active", "", ""),
            ("GC-2987", owner, "2025-12-18", "2027-06-30", 1500, "Active", "", ""),
            ("GC-2978", owner, "2025-07-21", "2027-01-31", 1500, "Active", "", ""),
            ("GC-1733", "C-1012", "2024-05-02", "2026-05-31", 0, "Closed", "", ""),
        ],
    )
    moved = ("TR-71", "GC-2978", "GC-2987", 500, "CS-3902", "2026-03-02")
    insert(world, "transfers", [moved])
    insert(
        world,
        "notes",
        [
            (1, "GC-2641", "2026-03-02", "Store visit", "Topped up at York Parliament Street."),
            (2, "GC-2987", "2026-01-05", "E-mail", "Present from her employer; keep the expiry."),
        ],
    )


def _notices(world: World) -> None:
    insert(
        world,
        "batches",
        [
            ("NB-07", "Store credit expiring in July", "2026-07-15", "Sent", "Credit desk"),
            ("NB-08", "Store credit expiring in August", "2026-08-15", "Sent", "Credit desk"),
            ("NB-09", "Store credit expiring in September", "2026-09-15", "Draft", ""),
        ],
    )
    holders = world.rows("SELECT * FROM refunds_customers WHERE credit > 0 AND id > 'C-1100'")
    insert(
        world,
        "recipients",
        [
            (i, "NB-09", each["id"], each["email"], each["credit"], "", "", "Included")
            for i, each in enumerate(holders, start=1)
        ],
    )
    burke, hartmann, wilk = "C-1018", "C-1019", "C-1020"
    old, new = "l.hartmann@werkhof.example", "leonie.hartmann@postfach.example"
    insert(
        world,
        "recipients",
        [
            (31, "NB-09", burke, "aidan.burke@post.example", 2200, "Credit spent", "", "Included"),
            (32, "NB-09", hartmann, old, 3500, "Two addresses", new, "Included"),
            (33, "NB-09", wilk, "tomasz.wilk@post.example", 4500, "Sum differs", "", "Included"),
        ],
    )
