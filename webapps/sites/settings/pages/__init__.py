"""The pages of the settings site: thin, one module a subject."""

from flask import Blueprint

from webapps.sites.settings.pages import (  # noqa: F401 - importing a module adds its routes
    activity,
    devices,
    network,
    people,
    privacy,
    sharing,
    storage,
    updates,
)
from webapps.sites.settings.pages.shared import pages


def blueprint() -> Blueprint:
    """All routes of the site."""
    return pages
