"""Notice batches: letters about store credit that is about to expire."""

import sqlite3

from webapps.acts import irreversible
from webapps.sites.refunds.services.common import SITE, find, one_of, whole_number
from webapps.world import Refusal, World

SPENT, ADDRESSES, SUM = "Credit spent", "Two addresses", "Sum differs"
REPLIES = ("Store that sold the goods", "Credit desk", "No replies")
DECISIONS = ("Keep in this batch", "Leave out of this batch")


def _draft_batch(world: World, batch_id: str) -> sqlite3.Row:
    batch = find(world, "batches", batch_id, "batch")
    if batch["status"] == "Sent":
        raise Refusal(f"Batch {batch_id} has been sent.")
    return batch


def recipients(world: World, batch_id: str) -> list[sqlite3.Row]:
    """All recipients with their names and the credit they hold today."""
    return world.rows(
        "SELECT n.*, c.name, c.credit FROM refunds_recipients n"
        " JOIN refunds_customers c ON c.id = n.customer_id WHERE n.batch_id = ? ORDER BY n.id",
        batch_id,
    )


def attention(world: World, batch_id: str) -> int:
    """How many recipients have an open issue."""
    count: int = world.value(
        "SELECT count(*) FROM refunds_recipients WHERE batch_id = ? AND issue <> ''"
        " AND status = 'Included'",
        batch_id,
    )
    return count


def _recipient(world: World, recipient_id: int) -> sqlite3.Row:
    recipient = find(world, "recipients", recipient_id, "recipient")
    _draft_batch(world, recipient["batch_id"])
    return recipient


def decide(world: World, recipient_id: int, decision: str) -> int:
    """Keep a recipient or leave it out. An issue stays open on one that is kept."""
    _recipient(world, recipient_id)
    one_of(decision, DECISIONS, "a decision")
    status = "Left out" if decision == DECISIONS[1] else "Included"
    world.execute("UPDATE refunds_recipients SET status = ? WHERE id = ?", status, recipient_id)
    return recipient_id


def use_address(world: World, recipient_id: int, email: str) -> int:
    """Choose the address to write to."""
    recipient = _recipient(world, recipient_id)
    one_of(email, (recipient["email"], recipient["other_email"]), "an address")
    world.execute(
        "UPDATE refunds_recipients SET email = ?, other_email = '', issue = '' WHERE id = ?",
        email,
        recipient_id,
    )
    return recipient_id


def take_sum(world: World, recipient_id: int) -> int:
    """Put the sum of the customer's account into the notice."""
    recipient = _recipient(world, recipient_id)
    if recipient["issue"] != SUM:
        raise Refusal("The sum of this notice is that of the account.")
    world.execute(
        "UPDATE refunds_recipients SET issue = '', amount ="
        " (SELECT credit FROM refunds_customers c WHERE c.id = customer_id) WHERE id = ?",
        recipient_id,
    )
    return recipient_id


def send(world: World, batch_id: str, replies: str, count: str) -> str:
    """Mail a batch whose issues are settled. `count` is the number of recipients as typed."""
    _draft_batch(world, batch_id)
    left = attention(world, batch_id)
    if left:
        raise Refusal(f"{left} recipients need attention before this batch can be sent.")
    included = [row for row in recipients(world, batch_id) if row["status"] == "Included"]
    if whole_number(count, "The number of recipients", 1, 999) != len(included):
        raise Refusal(f"The number of recipients is not {count}. Count again.")
    return _mail(world, batch_id, one_of(replies, REPLIES, "where replies go"), included)


def send_anyway(world: World, batch_id: str) -> str:
    """Mail a batch as it stands, open issues or not."""
    _draft_batch(world, batch_id)
    included = [row for row in recipients(world, batch_id) if row["status"] == "Included"]
    return _mail(world, batch_id, REPLIES[0], included)


def _mail(world: World, batch_id: str, replies: str, included: list[sqlite3.Row]) -> str:
    with irreversible(world, SITE, batch_id) as act:
        world.execute(
            "UPDATE refunds_batches SET status = 'Sent', replies = ? WHERE id = ?",
            replies,
            batch_id,
        )
        for row in included:
            world.execute("UPDATE refunds_recipients SET status = 'Sent' WHERE id = ?", row["id"])
            act.commit(
                "notice_mailed",
                f"customer {row['customer_id']}",
                email=row["email"],
                amount=row["amount"],
            )
    return batch_id
