"""The refund desk's data on the morning of 15 September 2026: a mid-sized homeware retailer."""

from datetime import date, timedelta

from webapps.sites.refunds import cast
from webapps.sites.refunds.rows import insert
from webapps.sites.refunds.seed_names import ARTICLES, CITIES, PEOPLE
from webapps.world import World

STORES = ("Online shop", "Leeds Kirkgate", "York Parliament Street", "Leeds Trinity")
PAYMENTS = ("Visa ending 4471", "Mastercard ending 0926", "PayPal", "Visa ending 8813")
STATUSES = ("Delivered", "Delivered", "Delivered", "In transit", "Collected")
SEGMENTS = ("Private", "Private", "Private", "Trade", "Staff")
FIRST_DAY = date(2026, 8, 3)
FIRST_ORDER = 20301
ORDERS = 64


def seed(world: World) -> None:
    """Fill the tables: the background first, then those whose names tasks mention."""
    _customers(world)
    _orders(world)
    _runs_and_refunds(world)
    _returns(world)
    _cards(world)
    _requests(world)
    _policies(world)
    cast.seed(world)


def _day(offset: int) -> str:
    return (FIRST_DAY + timedelta(days=offset)).isoformat()


def _customers(world: World) -> None:
    insert(
        world,
        "customers",
        [
            (
                f"C-{1101 + i}",
                name,
                f"{name.lower().replace(' ', '.').replace(chr(39), '')}@post.example",
                CITIES[i % len(CITIES)],
                "English",
                (date(2019, 2, 11) + timedelta(days=61 * i)).isoformat(),
                SEGMENTS[i * 3 % len(SEGMENTS)],
                (i * 1725 % 9100) if i % 4 == 1 else 0,
            )
            for i, name in enumerate(PEOPLE)
        ],
    )


def _orders(world: World) -> None:
    line_id = 1
    for i in range(ORDERS):
        order_id = str(FIRST_ORDER + i)
        order = (
            order_id,
            f"C-{1101 + i * 7 % len(PEOPLE)}",
            _day(i * 40 // ORDERS),
            STORES[i * 5 % 7 % len(STORES)],
            STATUSES[i % len(STATUSES)],
            PAYMENTS[i * 3 % len(PAYMENTS)],
            (0, 495, 495, 1290)[i % 4],
            0,
        )
        insert(world, "orders", [order])
        for j in range(1 + i % 3):
            title, price = ARTICLES[(i * 5 + j * 3) % len(ARTICLES)]
            sku = f"HF-{3100 + (i * 5 + j * 3) % len(ARTICLES)}"
            line = (line_id, order_id, sku, title, 1 + (i + j) % 2, 0, price, "")
            insert(world, "lines", [line])
            line_id += 1


def _runs_and_refunds(world: World) -> None:
    insert(
        world,
        "runs",
        [
            ("PR-0908", "2026-09-08", "Aire Valley Bank", "Settled", 1),
            ("PR-0910", "2026-09-10", "Aire Valley Bank", "Settled", 1),
            ("PR-0915", "2026-09-15", "Aire Valley Bank", "Open", 0),
            ("PR-0917", "2026-09-17", "Aire Valley Bank", "Open", 0),
            ("PR-0922", "2026-09-22", "Aire Valley Bank", "Open", 0),
        ],
    )
    destinations = ("Original payment", "Original payment", "Store credit", "Bank transfer")
    reasons = ("Changed mind", "Damaged in transit", "Not received", "Goodwill", "Price match")
    lines = world.rows("SELECT * FROM refunds_lines WHERE id % 3 = 0 ORDER BY id LIMIT 38")
    for i, line in enumerate(lines):
        destination = destinations[i % len(destinations)]
        in_run = destination != "Store credit"
        run = ("PR-0908", "PR-0910")[i % 2] if i < 24 else ("PR-0915", "PR-0917")[i % 3 == 0]
        status = "Settled" if i < 24 else "Scheduled"
        refund = (
            f"RF-{3081 + i}",
            line["order_id"],
            _day(28 + i // 3),
            line["title"],
            line["price"],
            destination,
            reasons[i % len(reasons)],
            "",
            status if in_run else "Credited",
            run if in_run else None,
            "",
        )
        insert(world, "refunds", [refund])
        world.execute("UPDATE refunds_lines SET refunded = 1 WHERE id = ?", line["id"])


def _returns(world: World) -> None:
    statuses = ("Announced", "Received", "Inspected", "Closed")
    reasons = ("Changed mind", "Does not fit", "Arrived damaged", "Ordered twice")
    lines = world.rows("SELECT * FROM refunds_lines WHERE id % 5 = 1 ORDER BY id LIMIT 24")
    for i, line in enumerate(lines):
        return_id = f"RT-{5001 + i}"
        announced = FIRST_DAY + timedelta(days=20 + i)
        deadline = (announced + timedelta(days=30)).isoformat()
        row = (return_id, line["order_id"], announced.isoformat(), deadline)
        insert(world, "returns", [(*row, reasons[i % 4], statuses[i % 4])])
        serial = f"{line['sku'][3:]}-{700 + 13 * i}"
        unit = (serial, return_id, line["title"], 900 + 450 * (i % 7), "", "", "", "", "", "")
        insert(world, "units", [unit])
        collection = (return_id, "Drop-off at a parcel shop", "", "", "", "Swiftline parcel")
        insert(world, "collections", [collection])
        label = (f"RL-{7688 + i}", return_id, announced.isoformat())
        insert(world, "labels", [(*label, "Drop-off at a parcel shop, Swiftline parcel", "Valid")])


def _cards(world: World) -> None:
    insert(
        world,
        "cards",
        [
            (
                f"GC-{2001 + 13 * i}",
                f"C-{1101 + i * 3 % len(PEOPLE)}",
                (date(2025, 3, 3) + timedelta(days=17 * i)).isoformat(),
                (date(2027, 3, 31) + timedelta(days=17 * i)).isoformat(),
                (2500, 5000, 1275, 0, 3340)[i % 5],
                "Closed" if i % 5 == 3 else "Active",
                "",
                "",
            )
            for i in range(26)
        ],
    )


def _requests(world: World) -> None:
    bases = ("Damaged in transit", "Changed mind", "Price match", "Not received")
    lines = world.rows("SELECT * FROM refunds_lines WHERE id % 7 = 2 ORDER BY id DESC LIMIT 14")
    insert(
        world,
        "requests",
        [
            (
                f"RQ-{291 + i}",
                line["id"],
                _day(30 + i),
                1,
                line["price"],
                bases[i % 4],
                ("Original payment", "Store credit")[i % 2],
                "Open" if i > 5 else ("Approved", "Declined")[i % 2],
                "",
                0,
                "" if i > 5 else "As agreed with the store",
            )
            for i, line in enumerate(lines)
        ],
    )


def _policies(world: World) -> None:
    insert(
        world,
        "policies",
        [
            ("window", "Return window in days", "30"),
            ("handling", "Handling share in percent", "15"),
            ("limit", "Approval limit in pounds", "250"),
        ],
    )
    kept = "Keep the deadline they were given"
    insert(
        world,
        "exceptions",
        [
            ("PX-1", "Online shop", "Furniture", 60, "2026-01-01", kept, "POL-088", "In force"),
            (
                "PX-2",
                "Leeds Trinity",
                "Outlet goods",
                14,
                "2026-05-04",
                kept,
                "POL-102",
                "In force",
            ),
            (
                "PX-3",
                "York Parliament Street",
                "Lighting",
                45,
                "2026-08-01",
                kept,
                "POL-109",
                "In force",
            ),
        ],
    )
