"""What the page modules share: the blueprint, the menu, members' names."""

from typing import Any

from flask import Blueprint, request

from webapps.world import World

pages = Blueprint("settings", "webapps.sites.settings", template_folder="templates")

# Groups of the menu: title, first page, and the pages inside.
MENU = (
    (
        "Devices",
        "/settings/devices",
        (
            ("All devices", "/settings/devices"),
            ("Backups", "/settings/storage"),
            ("Firmware", "/settings/updates"),
        ),
    ),
    (
        "People",
        "/settings/members",
        (
            ("Members", "/settings/members"),
            ("Invitations", "/settings/invitations"),
            ("Shared links", "/settings/sharing"),
        ),
    ),
    (
        "Privacy",
        "/settings/privacy",
        (
            ("By device", "/settings/privacy"),
            ("Data packages", "/settings/packages"),
        ),
    ),
    ("Network", "/settings/network", (("Wireless networks", "/settings/network"),)),
    (
        "Notifications",
        "/settings/notifications",
        (
            ("Topics", "/settings/notifications"),
            ("Channels", "/settings/channels"),
        ),
    ),
    ("Activity", "/settings/activity", (("History", "/settings/activity"),)),
)


@pages.context_processor
def menu() -> dict[str, Any]:
    """The menu, and the group that the page belongs to."""
    inside = next((group for group in MENU if any(_under(path) for _, path in group[2])), None)
    return {"menu": MENU, "group": inside, "under": _under}


def _under(path: str) -> bool:
    return request.path == path or request.path.startswith(f"{path}/")


def names(world: World) -> dict[str, str]:
    """Members' names by id."""
    return {row["id"]: row["name"] for row in world.rows("SELECT id, name FROM settings_members")}
