"""Customers: list and one."""

from flask import Blueprint

from webapps.host import current_world
from webapps.pages import row_or_404
from webapps.sites.refunds.pages.tools import searched, show

pages = Blueprint("customers", __name__, url_prefix="/customers")


@pages.get("")
def overview() -> str:
    """All customers."""
    found = searched("SELECT * FROM refunds_customers", ("id", "name", "city", "email"), "name")
    return show("customers", **found)


@pages.get("/<customer_id>")
def one(customer_id: str) -> str:
    """A customer with orders, cards, addresses and messages."""
    world = current_world()
    tables = {
        name: world.rows(
            f"SELECT * FROM refunds_{name} WHERE customer_id = ? ORDER BY id", customer_id
        )
        for name in ("orders", "cards", "addresses", "messages")
    }
    return show("customer", customer=row_or_404("refunds_customers", customer_id), **tables)
