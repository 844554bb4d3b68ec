"""Members and invitations."""

from flask import render_template, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, page_of, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import names, pages
from webapps.sites.settings.services import people


@pages.get("/members")
def member_list() -> str:
    """All members."""
    rows = current_world().rows(
        "SELECT * FROM settings_members WHERE (name || ' ' || email || ' ' || place) LIKE ?"
        " ORDER BY id",
        f"%{query()}%",
    )
    return render_template("settings/members.html", found=page_of(rows), q=query())


@pages.get("/members/<key>")
def member(key: str) -> str:
    """One member's account."""
    world = current_world()
    return render_template(
        "settings/member.html",
        member=row_or_404("settings_members", key),
        standings=people.STANDINGS,
        places=world.rows("SELECT * FROM settings_places ORDER BY rowid"),
        devices=world.rows("SELECT * FROM settings_devices WHERE owner = ? ORDER BY id", key),
        tab=request.args.get("tab", "account"),
    )


@pages.post("/members/<key>")
def save_member(key: str) -> Response:
    """Save a member."""
    act(
        people.save_member,
        key,
        standing=entered("standing"),
        place=entered("place"),
        two_step=ticked("two_step"),
        done="Account saved.",
    )
    return see(f"/settings/members/{key}")


@pages.post("/members/<key>/state")
def suspend(key: str) -> Response:
    """Suspend or reactivate a member."""
    act(people.suspend, key, suspended=entered("suspended") == "1", done="Account saved.")
    return see(f"/settings/members/{key}")


@pages.get("/invitations")
def invitation_list() -> str:
    """All invitations."""
    world = current_world()
    rows = world.rows("SELECT * FROM settings_invitations ORDER BY id DESC")
    return render_template("settings/invitations.html", invitations=rows, names=names(world))


@pages.get("/invitations/<key>")
def invitation(key: str) -> str:
    """One invitation."""
    world = current_world()
    leads = "'Organiser', 'Studio lead', 'Workshop lead', 'Staff'"
    return render_template(
        "settings/invitation.html",
        invitation=row_or_404("settings_invitations", key),
        standings=people.STANDINGS,
        names=names(world),
        places=world.rows("SELECT * FROM settings_places ORDER BY rowid"),
        approvers=world.rows(
            f"SELECT * FROM settings_members WHERE standing IN ({leads}) AND state = 'Active'"
            " ORDER BY id"
        ),
    )


@pages.post("/invitations/<key>/standing")
def set_standing(key: str) -> Response:
    """Save the standing."""
    act(people.set_standing, key, entered("standing"), done="Standing saved.")
    return see(f"/settings/invitations/{key}")


@pages.post("/invitations/<key>/reach")
def set_reach(key: str) -> Response:
    """Save the reach."""
    act(people.set_reach, key, request.form.getlist("reach"), done="Reach saved.")
    return see(f"/settings/invitations/{key}")


@pages.post("/invitations/<key>/end")
def set_end(key: str) -> Response:
    """Save the last day."""
    act(people.set_end, key, entered("good_until"), done="Last day saved.")
    return see(f"/settings/invitations/{key}")


@pages.post("/invitations/<key>/forward")
def put_forward(key: str) -> Response:
    """Ask for approval."""
    act(
        people.put_forward,
        key,
        entered("approver"),
        entered("word"),
        done="The invitation waits for approval.",
    )
    return see(f"/settings/invitations/{key}")


@pages.post("/invitations/<key>/send")
def send_invitation(key: str) -> Response:
    """Mail a draft."""
    name = row_or_404("settings_invitations", key)["name"]
    act(people.send_invitation, key, done=f"{name} has mail. The invitation is on its way.")
    return see(f"/settings/invitations/{key}")
