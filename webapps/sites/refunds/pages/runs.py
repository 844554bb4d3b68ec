"""Payout runs: list, one, moving refunds, bank files."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.pages import act, entered, row_or_404
from webapps.sites.refunds.pages.tools import can_recall, show, to, try_recall
from webapps.sites.refunds.services import drafts
from webapps.sites.refunds.services import runs as services

pages = Blueprint("runs", __name__, url_prefix="/runs")


@pages.get("")
def overview() -> str:
    """All runs, newest first."""
    rows = current_world().rows(
        "SELECT r.*, count(f.id) AS refunds, coalesce(sum(f.amount), 0) AS amount"
        " FROM refunds_runs r LEFT JOIN refunds_refunds f ON f.run_id = r.id"
        " GROUP BY r.id ORDER BY r.day DESC"
    )
    return show("runs", rows=rows)


@pages.get("/<run_id>")
def one(run_id: str) -> str:
    """A run with its refunds."""
    run = row_or_404("refunds_runs", run_id)
    members = services.members(current_world(), run_id)
    return show("run", run=run, members=members, actions=services.ACTIONS)


@pages.post("/<run_id>/selection")
def selection(run_id: str) -> Response:
    """Do something with the selected refunds."""
    world = current_world()
    chosen = request.form.getlist("refund")
    action = attempt(services.choose, run_id, chosen, entered("action"))
    if action == services.ACTIONS[0]:
        with world.transaction():
            drafts.write(world, run_id, refunds=",".join(chosen))
        return to(f"/runs/{run_id}/move")
    if action:
        world.notify("Marked as checked.")
    return to(f"/runs/{run_id}")


def _selected(run_id: str) -> list[str]:
    text = drafts.read(current_world(), run_id).get("refunds", "")
    return text.split(",") if text else []


@pages.get("/<run_id>/move")
def move_form(run_id: str) -> str:
    """The form that moves the selected refunds."""
    world = current_world()
    chosen = _selected(run_id)
    members = [row for row in services.members(world, run_id) if row["id"] in chosen]
    return show(
        "run_move",
        run=row_or_404("refunds_runs", run_id),
        members=members,
        runs=services.open_runs(world),
        reasons=services.MOVE_REASONS,
    )


@pages.post("/<run_id>/move")
def move(run_id: str) -> Response:
    """Move the selected refunds."""
    target = attempt(
        services.move, _selected(run_id), entered("target"), entered("reason"), entered("note")
    )
    if not target:
        return to(f"/runs/{run_id}/move")
    current_world().notify(f"Moved to {target}.")
    return to(f"/runs/{run_id}")


@pages.post("/<run_id>/split")
def split(run_id: str) -> Response:
    """Submit a run in two files."""
    act(services.split, run_id, done=f"Run {run_id} was split; both files are with the bank.")
    return to(f"/runs/{run_id}")


@pages.get("/<run_id>/files")
def files(run_id: str) -> str:
    """The bank files of a run."""
    run = row_or_404("refunds_runs", run_id)
    return show("run_files", run=run, recallable=can_recall(run_id))


@pages.post("/<run_id>/recall")
def recall_files(run_id: str) -> Response:
    """Take a run back from the bank, where that is possible."""
    try_recall(run_id, f"The files of {run_id} were recalled.")
    return to(f"/runs/{run_id}")
