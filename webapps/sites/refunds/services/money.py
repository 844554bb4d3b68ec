"""Refunds of orders: what is open, and paying it out."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from webapps.acts import Act, irreversible
from webapps.sites.refunds.services import drafts
from webapps.sites.refunds.services.common import (
    SITE,
    find,
    log,
    needed,
    next_id,
    one_of,
    pounds,
    today,
)
from webapps.world import Refusal, World

ORIGINAL, CREDIT, BANK = "Original payment", "Store credit", "Bank transfer"
DESTINATIONS = (ORIGINAL, CREDIT, BANK)
REASONS = ("Damaged in transit", "Not received", "Changed mind", "Price match", "Goodwill")
FULL_PRICE, LESS_HANDLING = "Full price", "Less 15 % handling"
BASES = (FULL_PRICE, LESS_HANDLING)
MESSAGES = ("Card refund under way", "Store credit booked", "Bank transfer under way", "No message")


@dataclass(frozen=True, kw_only=True)
class Payment:
    """One refund about to be paid. `amount` is in pence; `lines` maps line ids to quantities."""

    order_id: str
    lines: dict[int, int]
    items: str
    amount: int
    destination: str
    reason: str
    code: str = ""
    note: str = ""
    shipping: int = 0


def open_lines(world: World, order_id: str) -> list[sqlite3.Row]:
    """The lines of an order of which something can still be refunded."""
    return world.rows(
        "SELECT * FROM refunds_lines WHERE order_id = ? AND refunded < quantity ORDER BY id",
        order_id,
    )


def pay(world: World, payment: Payment) -> str:
    """Book and pay a refund that has been checked; returns its number."""
    refund_id = next_id(world, "refunds", "RF-")
    with irreversible(world, SITE, refund_id) as act:
        pay_within(world, act, payment)
    return refund_id


def pay_within(world: World, act: Act, payment: Payment) -> None:
    """Pay a refund as part of an act that is filed under the refund's number.

    Money to the original payment or to a bank account leaves the house; store credit is at the
    customer's disposal at once. Both are in the ledger.
    """
    _book(world, act.document, payment)
    act.commit(
        "credit_issued" if payment.destination == CREDIT else "money_returned",
        f"order {payment.order_id}",
        amount=payment.amount,
        destination=payment.destination,
        items=payment.items,
    )
    log(world, payment.order_id, f"{act.document}: {pounds(payment.amount)}")


def _book(world: World, refund_id: str, payment: Payment) -> None:
    order = find(world, "orders", payment.order_id, "order")
    credit = payment.destination == CREDIT
    world.execute(
        "INSERT INTO refunds_refunds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
        refund_id,
        payment.order_id,
        today(world),
        payment.items,
        payment.amount,
        payment.destination,
        payment.reason,
        payment.code,
        "Credited" if credit else "Sent",
        payment.note,
    )
    for line_id, quantity in payment.lines.items():
        world.execute(
            "UPDATE refunds_lines SET refunded = refunded + ? WHERE id = ?", quantity, line_id
        )
    world.execute(
        "UPDATE refunds_orders SET shipping_refunded = shipping_refunded + ? WHERE id = ?",
        payment.shipping,
        payment.order_id,
    )
    if credit:
        world.execute(
            "UPDATE refunds_customers SET credit = credit + ? WHERE id = ?",
            payment.amount,
            order["customer_id"],
        )


def refund_everything(world: World, order_id: str) -> str:
    """Pay all that is open on an order back to the original payment, shipping included."""
    order = find(world, "orders", order_id, "order")
    lines = open_lines(world, order_id)
    shipping = order["shipping"] - order["shipping_refunded"]
    if not lines and shipping == 0:
        raise Refusal(f"Nothing is left to refund on order {order_id}.")
    opened = {line["id"]: line["quantity"] - line["refunded"] for line in lines}
    return pay(
        world,
        Payment(
            order_id=order_id,
            lines=opened,
            items="Whole order",
            amount=sum(opened[line["id"]] * line["price"] for line in lines) + shipping,
            destination=ORIGINAL,
            reason="Goodwill",
            shipping=shipping,
        ),
    )


def choose_lines(
    world: World, order_id: str, line_ids: Sequence[str], *, shipping: bool, reason: str
) -> str:
    """Step 1 of a refund: what is refunded, and why."""
    order = find(world, "orders", order_id, "order")
    known = {str(line["id"]) for line in open_lines(world, order_id)}
    if not line_ids and not shipping:
        raise Refusal("Tick at least one line, or the shipping fee.")
    if not set(line_ids) <= known:
        raise Refusal("One of the lines has been refunded already.")
    if shipping and order["shipping"] == order["shipping_refunded"]:
        raise Refusal("The shipping fee has been refunded already, or there was none.")
    one_of(reason, REASONS, "a reason")
    drafts.write(
        world,
        order_id,
        lines=",".join(line_ids),
        shipping="1" if shipping else "",
        reason=reason,
    )
    return order_id


def choose_basis(world: World, order_id: str, basis: str) -> str:
    """Step 2: at which price."""
    drafts.write(world, order_id, basis=one_of(basis, BASES, "at which price to refund"))
    return order_id


def choose_destination(world: World, order_id: str, destination: str, code: str) -> str:
    """Step 3: where the money goes, and the claim code it is filed under."""
    one_of(destination, DESTINATIONS, "where the refund goes")
    if destination == BANK:
        raise Refusal("No bank details are on file for this customer. Request them first.")
    drafts.write(world, order_id, destination=destination, code=code.strip())
    return order_id


def choose_message(world: World, order_id: str, message: str) -> str:
    """Step 4: what the customer is told."""
    drafts.write(world, order_id, message=one_of(message, MESSAGES, "a message"))
    return order_id


def draft_payment(world: World, order_id: str) -> Payment:
    """What the draft of an order's refund comes to. Refuses an unfinished draft."""
    draft = drafts.read(world, order_id)
    missing = {"lines", "reason", "basis", "destination"} - draft.keys()
    if missing:
        raise Refusal("This refund has not been filled in completely. Start it again.")
    order = find(world, "orders", order_id, "order")
    chosen = [
        line for line in open_lines(world, order_id) if str(line["id"]) in draft["lines"].split(",")
    ]
    quantities = {line["id"]: line["quantity"] - line["refunded"] for line in chosen}
    goods = sum(quantities[line["id"]] * line["price"] for line in chosen)
    shipping = order["shipping"] - order["shipping_refunded"] if draft["shipping"] else 0
    if draft["basis"] == LESS_HANDLING:
        goods = goods * 85 // 100
    titles = [line["title"] for line in chosen] + (["Shipping fee"] if shipping else [])
    return Payment(
        order_id=order_id,
        lines=quantities,
        items=", ".join(titles),
        amount=goods + shipping,
        destination=draft["destination"],
        reason=draft["reason"],
        code=draft["code"],
        shipping=shipping,
    )


def confirm_refund(world: World, order_id: str, *, compared: bool) -> str:
    """The last step: pays the draft's refund and writes to the customer; returns the refund."""
    payment = draft_payment(world, order_id)
    message = needed(drafts.read(world, order_id).get("message", ""), "A message")
    if not compared:
        raise Refusal("Compare lines, amount and destination first, and tick that you have.")
    if payment.amount == 0:
        raise Refusal("Nothing is left to refund.")
    refund_id = pay(world, payment)
    order = find(world, "orders", order_id, "order")
    if message != MESSAGES[-1]:
        queue_message(world, order["customer_id"], message, refund_id)
    drafts.drop(world, order_id)
    return refund_id


def queue_message(
    world: World, customer_id: str, subject: str, about: str, answer_by: str = ""
) -> str:
    """Put a message into the outbox, which is posted in the evening; returns its number."""
    message_id = next_id(world, "messages", "ML-")
    world.execute(
        "INSERT INTO refunds_messages VALUES (?, ?, ?, ?, ?, 'English', 'Queued', ?)",
        message_id,
        customer_id,
        today(world),
        subject,
        about,
        answer_by,
    )
    return message_id
