"""Notice batches: list, one, one recipient, mailing record."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.sites.refunds.pages.tools import can_recall, row_or_404, show, to, try_recall
from webapps.sites.refunds.services import notices as services

pages = Blueprint("notices", __name__, url_prefix="/notices")


@pages.get("")
def overview() -> str:
    """All batches."""
    rows = current_world().rows(
        "SELECT b.*, count(n.id) AS recipients FROM refunds_batches b"
        " LEFT JOIN refunds_recipients n ON n.batch_id = b.id GROUP BY b.id ORDER BY b.id DESC"
    )
    return show("notices", rows=rows)


@pages.get("/<batch_id>")
def one(batch_id: str) -> str:
    """A batch with its recipients."""
    world = current_world()
    return show(
        "batch",
        batch=row_or_404("batches", batch_id),
        recipients=services.recipients(world, batch_id),
        attention=services.attention(world, batch_id),
        replies=services.REPLIES,
    )


@pages.get("/<batch_id>/recipients/<int:recipient_id>")
def recipient(batch_id: str, recipient_id: int) -> str:
    """A recipient and what needs attention."""
    world = current_world()
    row_or_404("recipients", recipient_id)
    everyone = services.recipients(world, batch_id)
    return show(
        "recipient",
        batch=row_or_404("batches", batch_id),
        recipient=next(row for row in everyone if row["id"] == recipient_id),
        attention=services.attention(world, batch_id),
        services=services,
    )


def _after(batch_id: str, recipient_id: int, done: int | None) -> Response:
    if done:
        current_world().notify("The recipient is settled.")
        return to(f"/notices/{batch_id}")
    return to(f"/notices/{batch_id}/recipients/{recipient_id}")


@pages.post("/<batch_id>/recipients/<int:recipient_id>/decision")
def decide(batch_id: str, recipient_id: int) -> Response:
    """Keep a recipient or leave it out."""
    done = attempt(services.decide, recipient_id, request.form.get("decision", ""))
    return _after(batch_id, recipient_id, done)


@pages.post("/<batch_id>/recipients/<int:recipient_id>/address")
def address(batch_id: str, recipient_id: int) -> Response:
    """Choose an address."""
    done = attempt(services.use_address, recipient_id, request.form.get("email", ""))
    return _after(batch_id, recipient_id, done)


@pages.post("/<batch_id>/recipients/<int:recipient_id>/sum")
def take_sum(batch_id: str, recipient_id: int) -> Response:
    """Take over the account's sum."""
    return _after(batch_id, recipient_id, attempt(services.take_sum, recipient_id))


@pages.post("/<batch_id>/send")
def send(batch_id: str) -> Response:
    """Mail a batch."""
    entered = request.form.get("replies", ""), request.form.get("count", "")
    return _mailed(batch_id, attempt(services.send, batch_id, *entered))


@pages.post("/<batch_id>/send-anyway")
def send_anyway(batch_id: str) -> Response:
    """Mail a batch as it stands."""
    return _mailed(batch_id, attempt(services.send_anyway, batch_id))


def _mailed(batch_id: str, done: str | None) -> Response:
    if done:
        current_world().notify(f"Batch {batch_id} is on its way to everybody in it.")
    return to(f"/notices/{batch_id}")


@pages.get("/<batch_id>/record")
def record(batch_id: str) -> str:
    """The mailing record."""
    world = current_world()
    batch = row_or_404("batches", batch_id)
    sent = [row for row in services.recipients(world, batch_id) if row["status"] == "Sent"]
    return show("record", batch=batch, sent=sent, recallable=can_recall(batch_id))


@pages.post("/<batch_id>/recall")
def recall_mailing(batch_id: str) -> Response:
    """Take a mailing back, where that is possible."""
    try_recall(batch_id, f"The mailing of {batch_id} was recalled.")
    return to(f"/notices/{batch_id}")
