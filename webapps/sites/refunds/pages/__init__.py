"""The refund desk's pages: one blueprint a subject, thin over the services."""

from datetime import date

from flask import Blueprint

from webapps.sites.refunds.pages import (
    cards,
    customers,
    desk,
    notices,
    orders,
    policies,
    requests,
    returns,
    runs,
    wizard,
)
from webapps.sites.refunds.services.common import pounds


def blueprint() -> Blueprint:
    """All pages of the site."""
    whole = Blueprint("refunds", __name__, template_folder="../templates")
    whole.add_app_template_filter(pounds, "pounds")
    whole.add_app_template_filter(_long_day, "long_day")
    whole.add_app_template_filter(_pair, "pair")
    for module in (
        cards,
        customers,
        desk,
        notices,
        orders,
        policies,
        requests,
        returns,
        runs,
        wizard,
    ):
        whole.register_blueprint(module.pages)
    return whole


def _long_day(text: str) -> str:
    """An ISO date for people, such as 15 Sep 2026; the empty string for none."""
    if not text:
        return ""
    day = date.fromisoformat(text)
    return f"{day.day} {day:%b %Y}"


def _pair(text: str) -> tuple[str, str]:
    """A text as an option that is its own value."""
    return text, text
