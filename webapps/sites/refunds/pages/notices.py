"""Notice batches: list, one, one recipient, mailing record."""

from collections.abc import Callable

from flask import Blueprint
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, row_or_404
from webapps.sites.refunds.pages.tools import can_recall, show, to, try_recall
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
        batch=row_or_404("refunds_batches", batch_id),
        recipients=services.recipients(world, batch_id),
        attention=services.attention(world, batch_id),
        replies=services.REPLIES,
    )


@pages.get("/<batch_id>/recipients/<int:recipient_id>")
def recipient(batch_id: str, recipient_id: int) -> str:
    """A recipient and what needs attention."""
    world = current_world()
    row_or_404("refunds_recipients", recipient_id)
    everyone = services.recipients(world, batch_id)
    return show(
        "recipient",
        batch=row_or_404("refunds_batches", batch_id),
        recipient=next(row for row in everyone if row["id"] == recipient_id),
        attention=services.attention(world, batch_id),
        services=services,
    )


def _settle(service: Callable[..., int], batch_id: str, recipient: int, *values: str) -> Response:
    here = f"/notices/{batch_id}"
    ok = act(service, recipient, *values, done="The recipient is settled.")
    return to(here if ok else f"{here}/recipients/{recipient}")


@pages.post("/<batch_id>/recipients/<int:recipient_id>/decision")
def decide(batch_id: str, recipient_id: int) -> Response:
    """Keep a recipient or leave it out."""
    return _settle(services.decide, batch_id, recipient_id, entered("decision"))


@pages.post("/<batch_id>/recipients/<int:recipient_id>/address")
def address(batch_id: str, recipient_id: int) -> Response:
    """Choose an address."""
    return _settle(services.use_address, batch_id, recipient_id, entered("email"))


@pages.post("/<batch_id>/recipients/<int:recipient_id>/sum")
def take_sum(batch_id: str, recipient_id: int) -> Response:
    """Take over the account's sum."""
    return _settle(services.take_sum, batch_id, recipient_id)


@pages.post("/<batch_id>/send")
def send(batch_id: str) -> Response:
    """Mail a batch."""
    return _mail(services.send, batch_id, entered("replies"), entered("count"))


@pages.post("/<batch_id>/send-anyway")
def send_anyway(batch_id: str) -> Response:
    """Mail a batch as it stands."""
    return _mail(services.send_anyway, batch_id)


def _mail(service: Callable[..., str], batch_id: str, *values: str) -> Response:
    act(service, batch_id, *values, done=f"Batch {batch_id} is on its way to everybody in it.")
    return to(f"/notices/{batch_id}")


@pages.get("/<batch_id>/record")
def record(batch_id: str) -> str:
    """The mailing record."""
    world = current_world()
    batch = row_or_404("refunds_batches", batch_id)
    sent = [row for row in services.recipients(world, batch_id) if row["status"] == "Sent"]
    return show("record", batch=batch, sent=sent, recallable=can_recall(batch_id))


@pages.post("/<batch_id>/recall")
def recall_mailing(batch_id: str) -> Response:
    """Take a mailing back, where that is possible."""
    try_recall(batch_id, f"The mailing of {batch_id} was recalled.")
    return to(f"/notices/{batch_id}")
