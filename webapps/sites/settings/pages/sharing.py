"""Shared links and their guests."""

from flask import render_template, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, page_of, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import names, pages
from webapps.sites.settings.services import sharing


@pages.get("/sharing")
def link_list() -> str:
    """All shared links."""
    world = current_world()
    rows = world.rows(
        "SELECT * FROM settings_links WHERE (name || ' ' || place) LIKE ? ORDER BY id DESC",
        f"%{query()}%",
    )
    return render_template(
        "settings/links.html", found=page_of(rows), q=query(), names=names(world)
    )


@pages.get("/sharing/<key>")
def link(key: str) -> str:
    """One link: its address, its guests, its reminders."""
    world = current_world()
    return render_template(
        "settings/link.html",
        link=row_or_404("settings_links", key),
        names=names(world),
        guests=world.rows("SELECT * FROM settings_guests WHERE link = ? ORDER BY id", key),
        reminders=world.rows(
            "SELECT * FROM settings_reminders WHERE link = ? ORDER BY member, lead", key
        ),
        members=world.rows(
            "SELECT * FROM settings_members WHERE state = 'Active' AND standing <> 'Guest'"
            " ORDER BY id"
        ),
        leads=sharing.LEADS,
        tab=request.args.get("tab", "link"),
    )


@pages.post("/sharing/<key>/refresh")
def refresh_link(key: str) -> Response:
    """Make a fresh link."""
    act(sharing.refresh_link, key, done="A fresh link is in place; the former one has ended.")
    return see(f"/settings/sharing/{key}")


@pages.post("/sharing/<key>/end")
def save_end(key: str) -> Response:
    """Save the last day."""
    act(sharing.save_end, key, entered("ends_on"), done="Last day saved.")
    return see(f"/settings/sharing/{key}")


@pages.post("/sharing/<key>/reminders")
def add_reminder(key: str) -> Response:
    """Add a reminder."""
    act(
        sharing.add_reminder,
        key,
        entered("member"),
        entered("lead"),
        entered("subject"),
        done="Reminder added.",
    )
    return see(f"/settings/sharing/{key}?tab=reminders")


@pages.get("/sharing/<key>/guests/<guest_key>")
def guest(key: str, guest_key: str) -> str:
    """One guest's rights."""
    return render_template(
        "settings/guest.html",
        link=row_or_404("settings_links", key),
        guest=row_or_404("settings_guests", guest_key),
        access=sharing.ACCESS,
    )


@pages.post("/sharing/<key>/guests/<guest_key>")
def save_guest(key: str, guest_key: str) -> Response:
    """Save a guest's rights."""
    ok = act(
        sharing.save_guest,
        guest_key,
        access=entered("access"),
        ends_on=entered("ends_on"),
        originals=ticked("originals"),
        done="Guest saved.",
    )
    here = f"/settings/sharing/{key}"
    return see(f"{here}?tab=access" if ok else f"{here}/guests/{guest_key}")
