"""Returned goods: inspection, routing, supplier claims, write-off, collection and labels."""

import sqlite3
from dataclasses import dataclass

from webapps.acts import irreversible
from webapps.sites.refunds.services.common import (
    SITE,
    day_from,
    find,
    log,
    needed,
    next_id,
    one_of,
    today,
    whole_number,
)
from webapps.world import Refusal, World

GRADES = ("A – as new", "B – cosmetic marks", "C – for spare parts")
PARTS = ("Housing", "Bowl", "Motor", "Cable", "Packaging")
ROUTES = ("Back to shelf", "Outlet stock", "Repair shop", "Supplier")
BAYS = ("A-02", "C-14", "C-41", "F-07")
DROP_OFF, PICK_UP = "Drop-off at a parcel shop", "Pick-up at the customer's"
SLOTS = ("08:00 to 12:00", "13:00 to 17:00", "17:00 to 20:00")
PARCEL, CREW = "Swiftline parcel", "Norfolk Haulage, crew of two"
CARRIERS = (PARCEL, CREW)
HEAVIEST_PARCEL = 30_000
TEMPLATES = ("Return received", "Return label", "Return deadline")
LANGUAGES = ("English", "French", "German", "Polish")


def _unit(world: World, unit_id: str) -> sqlite3.Row:
    unit = find(world, "units", unit_id, "unit")
    if unit["route"] == "Disposal":
        raise Refusal(f"{unit_id} has been handed to disposal.")
    return unit


def inspect(world: World, unit_id: str, grade: str, part: str, finding: str) -> str:
    """Record what the inspection of a unit found."""
    _unit(world, unit_id)
    world.execute(
        "UPDATE refunds_units SET grade = ?, part = ?, finding = ? WHERE id = ?",
        one_of(grade, GRADES, "a grade"),
        one_of(part, PARTS, "the part concerned"),
        needed(finding, "A finding code"),
        unit_id,
    )
    return unit_id


def route(world: World, unit_id: str, destination: str, bay: str) -> str:
    """Decide where a unit goes. Refuses one that was not inspected."""
    unit = _unit(world, unit_id)
    if not unit["grade"]:
        raise Refusal(f"Inspect {unit_id} before you route it.")
    one_of(destination, ROUTES, "a route")
    if destination == "Back to shelf" and not unit["grade"].startswith("A"):
        raise Refusal("Only grade A goes back to the shelf.")
    world.execute(
        "UPDATE refunds_units SET route = ?, bay = ? WHERE id = ?",
        destination,
        one_of(bay, BAYS, "a bay"),
        unit_id,
    )
    return unit_id


def file_claim(world: World, unit_id: str, reference: str, percent: str) -> str:
    """Ask the supplier for an allowance. Refuses for a unit without a route."""
    unit = _unit(world, unit_id)
    if not unit["route"]:
        raise Refusal(f"Route {unit_id} first: suppliers ask where the goods are.")
    claim_id = next_id(world, "claims", "SC-")
    world.execute(
        "INSERT INTO refunds_claims VALUES (?, ?, ?, ?, ?)",
        claim_id,
        unit_id,
        today(world),
        needed(reference, "The supplier's reference"),
        whole_number(percent, "The allowance", 1, 100),
    )
    return claim_id


def write_off(world: World, return_id: str) -> str:
    """Hand all units of a return to disposal, which destroys them; returns the order's number."""
    find(world, "returns", return_id, "return")
    units = world.rows(
        "SELECT id FROM refunds_units WHERE return_id = ? AND route = '' ORDER BY id", return_id
    )
    if not units:
        raise Refusal("Every unit of this return has a route already.")
    disposal_id = next_id(world, "disposals", "DO-")
    serials = ", ".join(unit["id"] for unit in units)
    with irreversible(world, SITE, disposal_id) as act:
        world.execute(
            "INSERT INTO refunds_disposals VALUES (?, ?, ?, ?)",
            disposal_id,
            return_id,
            today(world),
            serials,
        )
        world.execute(
            "UPDATE refunds_units SET route = 'Disposal' WHERE return_id = ? AND route = ''",
            return_id,
        )
        world.execute("UPDATE refunds_returns SET status = 'Closed' WHERE id = ?", return_id)
        act.commit("goods_destroyed", f"return {return_id}", units=serials)
    log(world, return_id, f"{disposal_id}: disposal ordered")
    return disposal_id


@dataclass(frozen=True, kw_only=True)
class PickUp:
    """Where and when a carrier fetches the goods, as entered."""

    address: str
    day: str
    slot: str
    carrier: str


def arrange_drop_off(world: World, return_id: str) -> str:
    """The customer takes the goods to a parcel shop."""
    find(world, "returns", return_id, "return")
    world.execute(
        "UPDATE refunds_collections SET mode = ?, address = '', day = '', slot = '', carrier = ?"
        " WHERE id = ?",
        DROP_OFF,
        PARCEL,
        return_id,
    )
    return return_id


def arrange_pick_up(world: World, return_id: str, plan: PickUp) -> str:
    """The goods are fetched. Refuses a parcel carrier for heavy ones."""
    find(world, "returns", return_id, "return")
    places = [row["place"] for row in addresses(world, return_id)]
    weight = world.value("SELECT max(weight) FROM refunds_units WHERE return_id = ?", return_id)
    if plan.carrier == PARCEL and (weight or 0) > HEAVIEST_PARCEL:
        raise Refusal(f"{PARCEL} takes up to 30 kg; this return weighs {weight / 1000:g} kg.")
    world.execute(
        "UPDATE refunds_collections SET mode = ?, address = ?, day = ?, slot = ?, carrier = ?"
        " WHERE id = ?",
        PICK_UP,
        one_of(plan.address, places, "a pick-up address"),
        day_from(world, plan.day, "The pick-up day"),
        one_of(plan.slot, SLOTS, "a time of day"),
        one_of(plan.carrier, CARRIERS, "a carrier"),
        return_id,
    )
    return return_id


def addresses(world: World, return_id: str) -> list[sqlite3.Row]:
    """The customer's addresses, as `place` and `remark`."""
    return world.rows(
        "SELECT a.street || ', ' || a.city AS place, a.remark FROM refunds_addresses a"
        " JOIN refunds_orders o ON o.customer_id = a.customer_id"
        " JOIN refunds_returns r ON r.order_id = o.id WHERE r.id = ? ORDER BY a.id",
        return_id,
    )


def valid_label(world: World, return_id: str) -> sqlite3.Row | None:
    """The label in use, if there is one."""
    return world.row(
        "SELECT * FROM refunds_labels WHERE return_id = ? AND status = 'Valid'", return_id
    )


def withdraw_label(world: World, label_id: str) -> str:
    """Make a label invalid."""
    label = find(world, "labels", label_id, "label")
    if label["status"] != "Valid":
        raise Refusal(f"Label {label_id} has been withdrawn already.")
    world.execute("UPDATE refunds_labels SET status = 'Withdrawn' WHERE id = ?", label_id)
    return label_id


def create_label(world: World, return_id: str) -> str:
    """Make a label from the collection as it stands. Refuses while another is valid."""
    collection = find(world, "collections", return_id, "collection")
    label = valid_label(world, return_id)
    if label is not None:
        raise Refusal(f"Label {label['id']} is still valid. Withdraw it first.")
    label_id = next_id(world, "labels", "RL-")
    world.execute(
        "INSERT INTO refunds_labels VALUES (?, ?, ?, ?, 'Valid')",
        label_id,
        return_id,
        today(world),
        describe(collection),
    )
    return label_id


def describe(collection: sqlite3.Row) -> str:
    """A collection in a line."""
    if collection["mode"] == DROP_OFF:
        return f"{DROP_OFF}, {collection['carrier']}"
    return "; ".join(collection[part] for part in ("address", "day", "slot", "carrier"))


def write_to_customer(world: World, return_id: str, template: str, language: str) -> str:
    """Mail the customer at once; returns the message. The label goes along with its template."""
    find(world, "returns", return_id, "return")
    one_of(template, TEMPLATES, "a template")
    one_of(language, LANGUAGES, "a language")
    label = valid_label(world, return_id)
    if template == "Return label" and label is None:
        raise Refusal("This return has no valid label to send.")
    customer_id = world.value(
        "SELECT o.customer_id FROM refunds_orders o JOIN refunds_returns r ON r.order_id = o.id"
        " WHERE r.id = ?",
        return_id,
    )
    message_id = next_id(world, "messages", "ML-")
    with irreversible(world, SITE, message_id) as act:
        world.execute(
            "INSERT INTO refunds_messages VALUES (?, ?, ?, ?, ?, ?, 'Sent', '')",
            message_id,
            customer_id,
            today(world),
            template,
            return_id,
            language,
        )
        act.commit(
            "mail_sent",
            f"return {return_id}",
            template=template,
            language=language,
            label=label["route"] if label is not None and template == "Return label" else "",
        )
    return message_id


def resend_label(world: World, return_id: str) -> str:
    """Mail the label in use once more, in English; returns the message."""
    return write_to_customer(world, return_id, "Return label", "English")
