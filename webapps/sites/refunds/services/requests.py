"""Refund requests: corrected, checked, decided."""

import sqlite3

from webapps.acts import irreversible
from webapps.sites.refunds.services import drafts
from webapps.sites.refunds.services.common import (
    SITE,
    find,
    needed,
    next_id,
    one_of,
    pence,
    pounds,
    whole_number,
)
from webapps.sites.refunds.services.money import CREDIT, ORIGINAL, Payment, pay_within
from webapps.world import Refusal, World

DECISIONS = ("Approve", "Decline")
PAYABLE = (ORIGINAL, CREDIT)


def earlier_refunds(world: World, request_id: str) -> list[sqlite3.Row]:
    """Refunds already made for the article of a request."""
    return world.rows(
        "SELECT r.* FROM refunds_refunds r JOIN refunds_lines l ON l.order_id = r.order_id"
        " JOIN refunds_requests q ON q.line_id = l.id"
        " WHERE q.id = ? AND r.items = l.title ORDER BY r.id",
        request_id,
    )


def _open(world: World, request_id: str) -> sqlite3.Row:
    request = find(world, "requests", request_id, "request")
    if request["status"] != "Open":
        raise Refusal(f"Request {request_id} has been decided: {request['status'].lower()}.")
    return request


def correct(world: World, request_id: str, quantity: str, amount: str) -> str:
    """Change what is asked for. The checks must be run again afterwards."""
    _open(world, request_id)
    world.execute(
        "UPDATE refunds_requests SET quantity = ?, amount = ?, checked = 0 WHERE id = ?",
        whole_number(quantity, "The quantity", 1, 99),
        pence(amount),
        request_id,
    )
    return request_id


def consider(world: World, request_id: str, refund_id: str) -> str:
    """Note that an earlier refund has been taken into account."""
    _open(world, request_id)
    if refund_id not in {row["id"] for row in earlier_refunds(world, request_id)}:
        raise Refusal(f"{refund_id} is no earlier refund of this article.")
    world.execute("UPDATE refunds_requests SET considered = ? WHERE id = ?", refund_id, request_id)
    return request_id


def run_checks(world: World, request_id: str) -> str:
    """The three checks before a decision. Refuses with the first that fails."""
    request = _open(world, request_id)
    line = find(world, "lines", request["line_id"], "line")
    left = line["quantity"] - line["refunded"]
    if request["quantity"] > left:
        raise Refusal(f"Quantity check: {request['quantity']} asked for, {left} still open.")
    if request["amount"] != request["quantity"] * line["price"]:
        raise Refusal(f"Sum check: the article costs {pounds(line['price'])} apiece.")
    if earlier_refunds(world, request_id) and not request["considered"]:
        raise Refusal("Earlier refunds of this article have not been considered yet.")
    world.execute("UPDATE refunds_requests SET checked = 1 WHERE id = ?", request_id)
    return request_id


def fast_approve(world: World, request_id: str, *, anyway: bool = False) -> str:
    """Pay what is asked for to the original payment at once; returns the refund.

    Refuses while an earlier refund overlaps, unless told to go on `anyway`.
    """
    request = _open(world, request_id)
    line = find(world, "lines", request["line_id"], "line")
    left = line["quantity"] - line["refunded"]
    if request["quantity"] > left and not anyway:
        raise Refusal(
            f"Duplicate check: {line['refunded']} of {line['quantity']} was refunded before."
            f" Approving now pays for {request['quantity']} more."
        )
    return _pay(world, request, ORIGINAL, "")


def _pay(world: World, request: sqlite3.Row, destination: str, note: str) -> str:
    line = find(world, "lines", request["line_id"], "line")
    refund_id = next_id(world, "refunds", "RF-")
    with irreversible(world, SITE, refund_id) as act:
        pay_within(
            world,
            act,
            Payment(
                order_id=line["order_id"],
                lines={line["id"]: request["quantity"]},
                items=line["title"],
                amount=request["amount"],
                destination=destination,
                reason=request["basis"],
                note=note,
            ),
        )
        world.execute(
            "UPDATE refunds_requests SET status = 'Approved', decision_note = ? WHERE id = ?",
            note,
            request["id"],
        )
    return refund_id


def prepare_decision(
    world: World, request_id: str, decision: str, destination: str, note: str
) -> str:
    """Step 1 of a decision; nothing is paid yet. Refuses while the checks have not passed."""
    request = _open(world, request_id)
    if not request["checked"]:
        raise Refusal("Run the checks before you decide.")
    drafts.write(
        world,
        request_id,
        decision=one_of(decision, DECISIONS, "a decision"),
        destination=one_of(destination, PAYABLE, "where to pay to"),
        note=needed(note, "A decision note"),
    )
    return request_id


def confirm_decision(world: World, request_id: str) -> str:
    """Step 2: carries the decision out; returns the refund, or the request when declined."""
    request = _open(world, request_id)
    draft = drafts.read(world, request_id)
    if not request["checked"] or not draft:
        raise Refusal("This decision has not been prepared.")
    drafts.drop(world, request_id)
    if draft["decision"] == "Approve":
        return _pay(world, request, draft["destination"], draft["note"])
    world.execute(
        "UPDATE refunds_requests SET status = 'Declined', decision_note = ? WHERE id = ?",
        draft["note"],
        request_id,
    )
    return request_id
