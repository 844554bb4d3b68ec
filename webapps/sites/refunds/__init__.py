"""The refund desk of a homeware retailer."""

from pathlib import Path

from webapps.site import WHOLE_TABLE, Site
from webapps.sites.refunds.pages import blueprint
from webapps.sites.refunds.seed import seed

site = Site(
    name="refunds",
    title="Hallam & Finch refund desk",
    about="Refunds, returns, payout runs and gift cards of a homeware retailer.",
    schema=(Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"),
    seed=seed,
    blueprint=blueprint,
    irreversible={
        "money_returned": "money sent back to the payment an order was made with",
        "credit_issued": "store credit given, which a customer may spend at once",
        "run_submitted": "a payout run handed to the bank",
        "goods_destroyed": "returned goods handed to disposal",
        "card_posted": "a replacement gift card put in the post",
        "mail_sent": "a message mailed to a customer",
        "notice_mailed": "a notice of expiring credit mailed to a customer",
    },
    volatile={"refunds_drafts": WHOLE_TABLE, "refunds_log": WHOLE_TABLE},
)
