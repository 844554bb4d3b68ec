"""The desk's front page and the activity log."""

from flask import Blueprint

from webapps.host import current_world
from webapps.sites.refunds.pages.tools import show

pages = Blueprint("desk", __name__)


@pages.get("/")
def queue() -> str:
    """What waits today."""
    world = current_world()
    requests = world.rows(
        "SELECT q.*, l.title, l.order_id, c.name FROM refunds_requests q"
        " JOIN refunds_lines l ON l.id = q.line_id JOIN refunds_orders o ON o.id = l.order_id"
        " JOIN refunds_customers c ON c.id = o.customer_id WHERE q.status = 'Open' ORDER BY q.id"
    )
    returns = world.rows(
        "SELECT r.*, c.name FROM refunds_returns r JOIN refunds_orders o ON o.id = r.order_id"
        " JOIN refunds_customers c ON c.id = o.customer_id"
        " WHERE r.status = 'Received' ORDER BY r.id"
    )
    run = world.row(
        "SELECT r.id, r.day, count(*) AS refunds, sum(f.amount) AS amount FROM refunds_runs r"
        " JOIN refunds_refunds f ON f.run_id = r.id WHERE r.status = 'Open'"
        " GROUP BY r.id ORDER BY r.id"
    )
    return show("queue", requests=requests, returns=returns, run=run)


@pages.get("/activity")
def activity() -> str:
    """What was done at this desk today."""
    entries = current_world().rows("SELECT * FROM refunds_log ORDER BY id DESC LIMIT 25")
    return show("activity", entries=entries)
