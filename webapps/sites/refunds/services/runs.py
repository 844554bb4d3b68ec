"""Payout runs: the refunds that go to the bank together."""

import sqlite3
from collections.abc import Sequence

from webapps.acts import irreversible
from webapps.sites.refunds.services.common import SITE, day_from, find, log, needed, one_of
from webapps.sites.refunds.services.money import queue_message
from webapps.world import Refusal, World

ACTIONS = ("Move to another run", "Mark as checked")
MOVE_REASONS = ("Bank details changing", "Customer asked to wait", "Under review")
REQUESTS = ("New bank details", "Proof of purchase", "Copy of the receipt")


def _open_run(world: World, run_id: str) -> sqlite3.Row:
    run = find(world, "runs", run_id, "payout run")
    if run["status"] != "Open":
        raise Refusal(f"Payout run {run_id} is {run['status'].lower()}.")
    return run


def open_runs(world: World) -> list[sqlite3.Row]:
    """The runs that still take refunds."""
    return world.rows("SELECT * FROM refunds_runs WHERE status = 'Open' ORDER BY id")


def members(world: World, run_id: str) -> list[sqlite3.Row]:
    """The refunds of a run, with the customer's name."""
    return world.rows(
        "SELECT r.*, c.name FROM refunds_refunds r JOIN refunds_orders o ON o.id = r.order_id"
        " JOIN refunds_customers c ON c.id = o.customer_id WHERE r.run_id = ? ORDER BY r.id",
        run_id,
    )


def choose(world: World, run_id: str, refund_ids: Sequence[str], action: str) -> str:
    """Check a choice of refunds on a run's page; returns the action chosen."""
    _open_run(world, run_id)
    if not refund_ids:
        raise Refusal("Tick at least one refund.")
    one_of(action, ACTIONS, "what to do with the selected refunds")
    if action == "Mark as checked":
        for refund_id in refund_ids:
            world.execute(
                "UPDATE refunds_refunds SET status = 'Checked' WHERE id = ? AND run_id = ?",
                refund_id,
                run_id,
            )
    return action


def move(world: World, refund_ids: Sequence[str], target: str, reason: str, note: str) -> str:
    """Put refunds of open runs into another open run; returns that run."""
    if not refund_ids:
        raise Refusal("Tick at least one refund.")
    one_of(target, [run["id"] for run in open_runs(world)], "the run to move to")
    one_of(reason, MOVE_REASONS, "a reason")
    for refund_id in refund_ids:
        refund = find(world, "refunds", refund_id, "refund")
        _open_run(world, refund["run_id"] or "none")
        if refund["run_id"] == target:
            raise Refusal(f"{refund_id} is in {target} already.")
        world.execute(
            "UPDATE refunds_refunds SET run_id = ?, note = ? WHERE id = ?",
            target,
            f"{reason}: {needed(note, 'A note for accounts')}",
            refund_id,
        )
    return target


def split(world: World, run_id: str) -> str:
    """Submit a run to the bank in two files, domestic and foreign; returns the run."""
    run = _open_run(world, run_id)
    refunds = members(world, run_id)
    if not refunds:
        raise Refusal(f"Payout run {run_id} is empty.")
    with irreversible(world, SITE, run_id) as act:
        world.execute(
            "UPDATE refunds_runs SET status = 'Submitted', files = 2 WHERE id = ?", run_id
        )
        world.execute("UPDATE refunds_refunds SET status = 'Sent' WHERE run_id = ?", run_id)
        act.commit(
            "run_submitted",
            f"run {run_id}",
            bank=run["bank"],
            refunds=len(refunds),
            amount=sum(row["amount"] for row in refunds),
        )
    log(world, run_id, "Submitted in 2 files")
    return run_id


def request_details(world: World, refund_id: str, subject: str, answer_by: str) -> str:
    """Ask the customer for something about a refund; returns the queued message."""
    refund = find(world, "refunds", refund_id, "refund")
    customer = world.value(
        "SELECT customer_id FROM refunds_orders WHERE id = ?", refund["order_id"]
    )
    return queue_message(
        world,
        customer,
        one_of(subject, REQUESTS, "what to ask for"),
        refund_id,
        day_from(world, answer_by, "The answer date"),
    )
