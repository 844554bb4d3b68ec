"""Gift cards: blocking, moving a balance, posting a replacement, notes."""

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
    today,
)
from webapps.world import Refusal, World

BLOCK_REASONS = ("Reported lost", "Reported stolen", "Suspected misuse")
NOTE_KINDS = ("E-mail", "Phone call", "Store visit")
REPLACEMENT_EXPIRES = "2027-09-30"


def _active(world: World, card_id: str) -> sqlite3.Row:
    card = find(world, "cards", card_id, "gift card")
    if card["status"] != "Active":
        raise Refusal(f"Gift card {card_id} is {card['status'].lower()}.")
    return card


def block(world: World, card_id: str, reason: str) -> str:
    """Block a card, so that it can neither pay nor pass on its balance."""
    _active(world, card_id)
    world.execute(
        "UPDATE refunds_cards SET status = 'Blocked', block_reason = ? WHERE id = ?",
        one_of(reason, BLOCK_REASONS, "a block reason"),
        card_id,
    )
    return card_id


def lift_block(world: World, card_id: str) -> str:
    """Make a blocked card usable again."""
    card = find(world, "cards", card_id, "gift card")
    if card["status"] != "Blocked":
        raise Refusal(f"Gift card {card_id} is not blocked.")
    world.execute(
        "UPDATE refunds_cards SET status = 'Active', block_reason = '' WHERE id = ?", card_id
    )
    return card_id


def sister_cards(world: World, card_id: str) -> list[sqlite3.Row]:
    """The other cards of a card's owner."""
    return world.rows(
        "SELECT b.* FROM refunds_cards a JOIN refunds_cards b"
        " ON b.customer_id = a.customer_id AND b.id <> a.id WHERE a.id = ? ORDER BY b.id",
        card_id,
    )


def prepare_transfer(world: World, card_id: str, target: str, amount: str, reference: str) -> str:
    """Fill in a move of balance; nothing is booked yet."""
    card = _active(world, card_id)
    one_of(target, [row["id"] for row in sister_cards(world, card_id)], "the card to move to")
    _active(world, target)
    if pence(amount) > card["balance"]:
        raise Refusal(f"Gift card {card_id} holds {pounds(card['balance'])} only.")
    drafts.write(
        world,
        card_id,
        target=target,
        amount=amount,
        reference=needed(reference, "A case reference"),
    )
    return card_id


def book_transfer(world: World, card_id: str, *, same_owner: bool) -> str:
    """Book the prepared move of balance; returns its number."""
    _active(world, card_id)
    draft = drafts.read(world, card_id)
    if not draft:
        raise Refusal("Prepare the transfer first.")
    if not same_owner:
        raise Refusal("Confirm that both cards belong to the same customer.")
    amount = pence(draft["amount"])
    transfer_id = next_id(world, "transfers", "TR-")
    for key, change in ((card_id, -amount), (draft["target"], amount)):
        world.execute("UPDATE refunds_cards SET balance = balance + ? WHERE id = ?", change, key)
    world.execute(
        "INSERT INTO refunds_transfers VALUES (?, ?, ?, ?, ?, ?)",
        transfer_id,
        card_id,
        draft["target"],
        amount,
        draft["reference"],
        today(world),
    )
    drafts.drop(world, card_id)
    return transfer_id


def replace(world: World, card_id: str) -> str:
    """Close a card and post a new one with its balance to the owner; returns the new card."""
    card = _active(world, card_id)
    new_id = next_id(world, "cards", "GC-")
    with irreversible(world, SITE, new_id) as act:
        world.execute(
            "INSERT INTO refunds_cards VALUES (?, ?, ?, ?, ?, 'Active', '', ?)",
            new_id,
            card["customer_id"],
            today(world),
            REPLACEMENT_EXPIRES,
            card["balance"],
            card_id,
        )
        world.execute(
            "UPDATE refunds_cards SET status = 'Closed', balance = 0 WHERE id = ?", card_id
        )
        act.commit("card_posted", f"gift card {card_id}", balance=card["balance"])
    return new_id


def add_note(world: World, card_id: str, kind: str, text: str) -> str:
    """Write a note on a card."""
    find(world, "cards", card_id, "gift card")
    world.execute(
        "INSERT INTO refunds_notes (subject, day, kind, text) VALUES (?, ?, ?, ?)",
        card_id,
        today(world),
        one_of(kind, NOTE_KINDS, "a kind of note"),
        needed(text, "The note"),
    )
    return card_id
