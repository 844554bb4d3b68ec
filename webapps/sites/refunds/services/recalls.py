"""Recalling what has left the house: money, mail, disposal orders."""

from webapps import acts
from webapps.sites.refunds.services.common import SITE, log
from webapps.world import World


def recall(world: World, document: str) -> str:
    """Take the act that is filed under a document back, where that is possible."""
    acts.recall(world, SITE, document)
    log(world, document, "Recalled")
    return document
