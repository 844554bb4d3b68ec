"""Privacy of devices, the recipients of their data, and packages for third parties."""

from collections.abc import Collection

from webapps.acts import irreversible
from webapps.sites.settings.services import checks, drafts
from webapps.sites.settings.services.activity import SITE, log
from webapps.world import Refusal, World

CHOICES = ("improve", "crash_reports", "voice_samples", "nearby")
PERIODS = ("Last 30 days", "Last 12 months", "Since the beginning")
RESOLUTIONS = ("Hourly", "Daily", "Monthly")
WAYS = ("In the app", "By e-mail", "Paper form")


def save_choices(world: World, device: str, on: Collection[str]) -> None:
    """Save a device's switches: those of `CHOICES` that are on.

    Crash reports are sent as a part of product improvement, so they end with it.
    """
    if world.row("SELECT 1 FROM settings_privacy WHERE device = ?", device) is None:
        raise Refusal("This device has no privacy choices.")
    world.execute(
        "UPDATE settings_privacy SET improve = ?, crash_reports = ?, voice_samples = ?, nearby = ?"
        " WHERE device = ?",
        *(int(each in on and (each != "crash_reports" or "improve" in on)) for each in CHOICES),
        device,
    )
    log(world, "Privacy choices saved", device)


def save_recipients(world: World, device: str, shared: Collection[str]) -> None:
    """Share with exactly these recipients, given by id."""
    rows = world.rows("SELECT * FROM settings_recipients WHERE device = ?", device)
    if not rows:
        raise Refusal("This device has no recipients.")
    for row in rows:
        if row["category"] == "Maker" and row["id"] not in shared and _sends_crashes(world, device):
            raise Refusal(f"{row['name']} receives the crash reports. Switch those off first.")
    for row in rows:
        world.execute(
            "UPDATE settings_recipients SET shared = ? WHERE id = ?",
            int(row["id"] in shared),
            row["id"],
        )
    log(world, "Data recipients saved", device)


def _sends_crashes(world: World, device: str) -> bool:
    return bool(world.value("SELECT crash_reports FROM settings_privacy WHERE device = ?", device))


def draft_deletion(world: World, recipient: str, period: str, reference: str) -> None:
    """First step of a request for deletion."""
    row = checks.find(world, "settings_recipients", recipient, "recipient")
    if row["shared"]:
        raise Refusal(f"Stop sharing with {row['name']} first; it would go on receiving.")
    drafts.add(
        world,
        "deletion",
        recipient,
        period=checks.one_of(period, PERIODS, "Period"),
        reference=checks.words(reference, "Your reference"),
    )


def request_deletion(world: World, recipient: str) -> None:
    """Mail the drafted request to the recipient. Final."""
    draft = drafts.read(world, "deletion", recipient)
    if not draft:
        raise Refusal("Fill in the request first.")
    row = checks.find(world, "settings_recipients", recipient, "recipient")
    with irreversible(world, SITE) as act:
        act.commit(
            "deletion-request",
            row["name"],
            recipient=recipient,
            device=row["device"],
            period=draft["period"],
            reference=draft["reference"],
        )
    drafts.drop(world, "deletion", recipient)
    log(world, "Deletion requested", row["name"])


def missing_consents(world: World, package: str) -> int:
    """How many people of a package have not agreed and are not left out."""
    return int(
        world.value(
            "SELECT count(*) FROM settings_participants"
            " WHERE package = ? AND consent <> 'Given' AND NOT left_out",
            package,
        )
    )


def _open_package(world: World, package: str) -> None:
    row = checks.find(world, "settings_packages", package, "package")
    if row["state"] == "Sent":
        raise Refusal("This package has been sent.")


def record_agreement(world: World, person: str, agreed_on: str, how: str, form_number: str) -> None:
    """Note that somebody agreed to a package. Who withdrew has to be asked anew in the app."""
    row = checks.find(world, "settings_participants", person, "person")
    _open_package(world, row["package"])
    if row["consent"] == "Withdrawn":
        raise Refusal(f"{row['name']} withdrew; only {row['name']} can agree again, in the app.")
    day = checks.past_day(world, agreed_on, "Agreed on")
    checks.one_of(how, WAYS, "How")
    number = checks.words(form_number, "Form number") if how == "Paper form" else form_number
    world.execute(
        "UPDATE settings_participants SET consent = 'Given', agreed_on = ?, how = ?,"
        " form_number = ? WHERE id = ?",
        day,
        how,
        number,
        person,
    )
    _unchecked(world, row["package"])
    log(world, "Agreement recorded", row["name"])


def leave_out(world: World, person: str, *, out: bool) -> None:
    """Leave a person's data out of a package, or take it in again."""
    row = checks.find(world, "settings_participants", person, "person")
    _open_package(world, row["package"])
    world.execute("UPDATE settings_participants SET left_out = ? WHERE id = ?", int(out), person)
    _unchecked(world, row["package"])


def _unchecked(world: World, package: str) -> None:
    world.execute("UPDATE settings_packages SET checked = 0 WHERE id = ?", package)


def check_package(world: World, package: str) -> None:
    """Find out whether everybody in the package agreed."""
    _open_package(world, package)
    missing = missing_consents(world, package)
    if missing:
        raise Refusal(f"{missing} people in this package have not agreed.")
    world.execute("UPDATE settings_packages SET checked = 1 WHERE id = ?", package)


def save_details(world: World, package: str, resolution: str) -> None:
    """Choose how fine the values of a package are."""
    _open_package(world, package)
    checks.one_of(resolution, RESOLUTIONS, "Resolution")
    world.execute("UPDATE settings_packages SET resolution = ? WHERE id = ?", resolution, package)


def dispatch(world: World, package: str, contract: str, *, seen: bool) -> None:
    """Send a checked package. Final."""
    _open_package(world, package)
    row = checks.find(world, "settings_packages", package, "package")
    if not row["checked"]:
        raise Refusal("Check the package first.")
    if not seen:
        raise Refusal("Confirm that you have looked through the list.")
    _send(world, package, checks.words(contract, "Contract number"))


def dispatch_regardless(world: World, package: str) -> None:
    """Send a package as it is, with everybody in it. Final."""
    _open_package(world, package)
    _send(world, package, "")


def _send(world: World, package: str, contract: str) -> None:
    row = checks.find(world, "settings_packages", package, "package")
    people = world.rows(
        "SELECT name FROM settings_participants WHERE package = ? AND NOT left_out ORDER BY name",
        package,
    )
    subject = f"{row['title']}, {row['place']}"
    with irreversible(world, SITE) as act:
        act.commit(
            "export",
            subject,
            package=package,
            recipient=row["recipient"],
            resolution=row["resolution"],
            contract=contract,
            people="; ".join(person["name"] for person in people),
        )
        world.execute(
            "UPDATE settings_packages SET state = 'Sent', contract = ? WHERE id = ?",
            contract,
            package,
        )
    log(world, "Data package sent", subject)
