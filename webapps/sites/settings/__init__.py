"""Homebase: devices, people, privacy and networks of a household and its small office."""

from pathlib import Path

from webapps.site import WHOLE_TABLE, Site
from webapps.sites.settings.pages import blueprint
from webapps.sites.settings.seed import seed

site = Site(
    name="settings",
    title="Homebase settings",
    about="Devices, people, privacy, backups and networks of a house and a small studio.",
    schema=(Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"),
    seed=seed,
    blueprint=blueprint,
    irreversible={
        "release": "a device was cleared and let go of",
        "erase": "a device was erased from afar",
        "purge": "backups were removed for good",
        "firmware": "a firmware was pushed to a device",
        "invitation": "an invitation was mailed",
        "link-mail": "a fresh sharing link was mailed to its guests",
        "export": "a data package was sent to a third party",
        "deletion-request": "a recipient was asked to delete data",
    },
    volatile={"settings_activity": WHOLE_TABLE, "settings_drafts": WHOLE_TABLE},
)
