"""Sharing links: guests, reminders, and fresh links."""

from webapps.acts import irreversible
from webapps.sites.settings.services import checks
from webapps.sites.settings.services.activity import SITE, log
from webapps.world import Refusal, World

ACCESS = ("View", "Comment", "Upload", "None")
LEADS = ("1 day before", "1 week before", "2 weeks before")


def save_guest(world: World, guest: str, *, access: str, ends_on: str, originals: bool) -> None:
    """Change what one guest of a link may do, and until when."""
    row = checks.find(world, "settings_guests", guest, "guest")
    link = checks.find(world, "settings_links", row["link"], "link")
    checks.one_of(access, ACCESS, "Access")
    if checks.coming_day(world, ends_on, "Ends on") > link["ends_on"]:
        raise Refusal("A guest's access cannot outlast the link.")
    world.execute(
        "UPDATE settings_guests SET access = ?, ends_on = ?, originals = ? WHERE id = ?",
        access,
        ends_on,
        int(originals),
        guest,
    )
    log(world, "Guest changed", f"{row['name']}, {row['company']}")


def add_reminder(world: World, link: str, member: str, lead: str, subject: str) -> None:
    """Remind a member before a link ends."""
    checks.find(world, "settings_links", link, "link")
    person = checks.find(world, "settings_members", member, "member")
    checks.one_of(lead, LEADS, "When")
    taken = world.row(
        "SELECT 1 FROM settings_reminders WHERE link = ? AND member = ? AND lead = ?",
        link,
        member,
        lead,
    )
    if taken is not None:
        raise Refusal(f"{person['name']} has this reminder already.")
    world.execute(
        "INSERT INTO settings_reminders VALUES (?, ?, ?, ?)",
        link,
        member,
        lead,
        checks.words(subject, "Subject"),
    )


def refresh_link(world: World, link: str) -> int:
    """Make a fresh link and mail it to all its guests; returns how many. Final."""
    row = checks.find(world, "settings_links", link, "link")
    guests = world.rows("SELECT * FROM settings_guests WHERE link = ? ORDER BY id", link)
    with irreversible(world, SITE) as act:
        act.commit(
            "link-mail",
            row["name"],
            link=link,
            revision=row["revision"] + 1,
            mailed_to="; ".join(guest["email"] for guest in guests),
        )
        world.execute("UPDATE settings_links SET revision = revision + 1 WHERE id = ?", link)
    log(world, f"Fresh link mailed to {len(guests)} guests", row["name"])
    return len(guests)


def save_end(world: World, link: str, ends_on: str) -> None:
    """Choose the last day of a link."""
    row = checks.find(world, "settings_links", link, "link")
    world.execute(
        "UPDATE settings_links SET ends_on = ? WHERE id = ?",
        checks.coming_day(world, ends_on, "Last day"),
        link,
    )
    log(world, "Last day of a link changed", row["name"])
