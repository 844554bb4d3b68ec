"""Members and invitations."""

from collections.abc import Collection

from webapps.acts import irreversible
from webapps.sites.settings.services import checks
from webapps.sites.settings.services.activity import SITE, log
from webapps.world import Refusal, World

STANDINGS = ("Adult", "Child", "Staff", "Guest")
REACH_SEPARATOR = "; "


def save_member(world: World, member: str, *, standing: str, place: str, two_step: bool) -> None:
    """Change what a member may do."""
    row = checks.find(world, "settings_members", member, "member")
    if row["state"] == "Left":
        raise Refusal(f"{row['name']} has left.")
    if row["standing"] in ("Organiser", "Studio lead", "Workshop lead"):
        raise Refusal(f"{row['name']} is {row['standing'].lower()}; hand that over first.")
    checks.one_of(standing, STANDINGS, "Standing")
    checks.find(world, "settings_places", place, "place")
    world.execute(
        "UPDATE settings_members SET standing = ?, place = ?, two_step = ? WHERE id = ?",
        standing,
        place,
        int(two_step),
        member,
    )
    log(world, "Member changed", row["name"])


def suspend(world: World, member: str, *, suspended: bool) -> None:
    """Suspend a member's account, or let it be used again."""
    row = checks.find(world, "settings_members", member, "member")
    if row["standing"] == "Organiser":
        raise Refusal("The organiser cannot be suspended.")
    if row["state"] == "Left":
        raise Refusal(f"{row['name']} has left.")
    world.execute(
        "UPDATE settings_members SET state = ? WHERE id = ?",
        "Suspended" if suspended else "Active",
        member,
    )
    log(world, "Account suspended" if suspended else "Account reactivated", row["name"])


def _draft(world: World, invitation: str) -> None:
    row = checks.find(world, "settings_invitations", invitation, "invitation")
    if row["state"] != "Draft":
        raise Refusal(f"This invitation is no longer a draft: {row['state'].lower()}.")


def set_standing(world: World, invitation: str, standing: str) -> None:
    """Choose what the invited person will be."""
    _draft(world, invitation)
    checks.one_of(standing, STANDINGS, "Standing")
    world.execute("UPDATE settings_invitations SET standing = ? WHERE id = ?", standing, invitation)


def set_reach(world: World, invitation: str, places: Collection[str]) -> None:
    """Choose the places the invited person gets into."""
    _draft(world, invitation)
    known = [row["id"] for row in world.rows("SELECT id FROM settings_places ORDER BY rowid")]
    chosen = [place for place in known if place in places]
    if not chosen:
        raise Refusal("Choose at least one place.")
    world.execute(
        "UPDATE settings_invitations SET reach = ? WHERE id = ?",
        REACH_SEPARATOR.join(chosen),
        invitation,
    )


def set_end(world: World, invitation: str, good_until: str) -> None:
    """Choose the last day of the invited person's access."""
    _draft(world, invitation)
    world.execute(
        "UPDATE settings_invitations SET good_until = ? WHERE id = ?",
        checks.coming_day(world, good_until, "Good until"),
        invitation,
    )


def put_forward(world: World, invitation: str, approver: str, message: str) -> None:
    """Ask a lead to approve a draft."""
    _draft(world, invitation)
    member = checks.find(world, "settings_members", approver, "member")
    if member["standing"] not in ("Organiser", "Studio lead", "Workshop lead"):
        raise Refusal(f"{member['name']} cannot approve invitations.")
    world.execute(
        "UPDATE settings_invitations SET state = 'Awaiting approval', approver = ?, message = ?"
        " WHERE id = ?",
        approver,
        checks.words(message, "Word to the approver"),
        invitation,
    )
    log(world, "Invitation put forward", invitation)


def send_invitation(world: World, invitation: str) -> None:
    """Mail a draft as it stands. Final."""
    _draft(world, invitation)
    row = checks.find(world, "settings_invitations", invitation, "invitation")
    with irreversible(world, SITE) as act:
        act.commit(
            "invitation",
            row["name"],
            invitation=invitation,
            email=row["email"],
            standing=row["standing"],
            reach=row["reach"],
            good_until=row["good_until"],
        )
        world.execute("UPDATE settings_invitations SET state = 'Sent' WHERE id = ?", invitation)
    log(world, "Invitation mailed", row["name"])
