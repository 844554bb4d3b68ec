"""Privacy: devices, their recipients, and data packages."""

from flask import render_template, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, page_of, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import pages
from webapps.sites.settings.services import drafts, privacy


@pages.get("/privacy")
def privacy_list() -> str:
    """Every device that sends data."""
    rows = current_world().rows(
        "SELECT d.*, p.improve, p.crash_reports, (SELECT count(*) FROM settings_recipients r"
        " WHERE r.device = d.id AND r.shared) AS recipients FROM settings_privacy p"
        " JOIN settings_devices d ON d.id = p.device WHERE (d.name || ' ' || d.room) LIKE ?"
        " ORDER BY d.id",
        f"%{query()}%",
    )
    return render_template("settings/privacy_list.html", found=page_of(rows), q=query())


@pages.get("/privacy/<key>")
def device_privacy(key: str) -> str:
    """One device's privacy choices; recipients are in the advanced part."""
    world = current_world()
    return render_template(
        "settings/privacy.html",
        device=row_or_404("settings_devices", key),
        choices=world.row("SELECT * FROM settings_privacy WHERE device = ?", key),
        recipients=world.rows(
            "SELECT * FROM settings_recipients WHERE device = ? ORDER BY id", key
        ),
    )


@pages.post("/privacy/<key>")
def save_choices(key: str) -> Response:
    """Save the switches."""
    name = row_or_404("settings_devices", key)["name"]
    on = request.form.getlist("choice")
    off = "" if "improve" in on else f" {name} no longer takes part in product improvement."
    act(
        privacy.save_choices,
        key,
        on,
        done=f"Privacy choices saved.{off}",
    )
    return see(f"/settings/privacy/{key}")


@pages.post("/privacy/<key>/recipients")
def save_recipients(key: str) -> Response:
    """Save who receives data."""
    act(privacy.save_recipients, key, request.form.getlist("shared"), done="Data recipients saved.")
    return see(f"/settings/privacy/{key}")


@pages.get("/recipients/<key>")
@pages.get("/recipients/<key>/check")
def recipient(key: str) -> str:
    """One recipient: what it holds, and asking it to delete that."""
    row = row_or_404("settings_recipients", key)
    return render_template(
        "settings/recipient.html",
        recipient=row,
        device=row_or_404("settings_devices", row["device"]),
        last=request.path.endswith("/check"),
        periods=privacy.PERIODS,
        draft=drafts.read(current_world(), "deletion", key),
    )


@pages.post("/recipients/<key>")
def draft_deletion(key: str) -> Response:
    """Take the fields of a request."""
    ok = act(privacy.draft_deletion, key, entered("period"), entered("reference"))
    return see(f"/settings/recipients/{key}{'/check' if ok else ''}")


@pages.post("/recipients/<key>/check")
def request_deletion(key: str) -> Response:
    """Send the request."""
    row = row_or_404("settings_recipients", key)
    act(privacy.request_deletion, key, done=f"The request was sent to {row['name']}.")
    return see(f"/settings/privacy/{row['device']}")


@pages.get("/packages")
def package_list() -> str:
    """Data packages for third parties."""
    rows = current_world().rows("SELECT * FROM settings_packages ORDER BY id DESC")
    return render_template("settings/packages.html", packages=rows)


def _package(key: str) -> dict[str, object]:
    world = current_world()
    return {
        "package": row_or_404("settings_packages", key),
        "missing": privacy.missing_consents(world, key),
        "people": world.rows(
            "SELECT * FROM settings_participants WHERE package = ? ORDER BY rowid", key
        ),
    }


@pages.get("/packages/<key>")
def package(key: str) -> str:
    """One package: who is in it."""
    return render_template(
        "settings/package.html", resolutions=privacy.RESOLUTIONS, **_package(key)
    )


@pages.get("/packages/<key>/people/<person>")
def package_person(key: str, person: str) -> str:
    """One person's agreement."""
    row = row_or_404("settings_participants", person)
    return render_template(
        "settings/package_person.html", person=row, ways=privacy.WAYS, **_package(key)
    )


@pages.post("/packages/<key>/people/<person>")
def record_agreement(key: str, person: str) -> Response:
    """Record an agreement."""
    ok = act(
        privacy.record_agreement,
        person,
        entered("agreed_on"),
        entered("how"),
        entered("form_number"),
        done="Agreement recorded.",
    )
    here = f"/settings/packages/{key}"
    return see(here if ok else f"{here}/people/{person}")


@pages.post("/packages/<key>/people/<person>/out")
def leave_out(key: str, person: str) -> Response:
    """Leave somebody out, or take somebody in again."""
    act(privacy.leave_out, person, out=entered("out") == "1", done="The list was changed.")
    return see(f"/settings/packages/{key}")


@pages.post("/packages/<key>/details")
def save_details(key: str) -> Response:
    """Save the resolution."""
    act(privacy.save_details, key, entered("resolution"), done="Details saved.")
    return see(f"/settings/packages/{key}")


@pages.post("/packages/<key>/check")
def check_package(key: str) -> Response:
    """Check the agreements."""
    act(privacy.check_package, key, done="Everybody in this package has agreed.")
    return see(f"/settings/packages/{key}")


@pages.get("/packages/<key>/dispatch")
def dispatch_form(key: str) -> str:
    """The last look before sending."""
    return render_template("settings/dispatch.html", **_package(key))


@pages.post("/packages/<key>/dispatch")
def dispatch(key: str) -> Response:
    """Send a checked package."""
    row = row_or_404("settings_packages", key)
    ok = act(
        privacy.dispatch,
        key,
        entered("contract"),
        seen=ticked("seen"),
        done=f"The package is on its way to {row['recipient']}.",
    )
    here = f"/settings/packages/{key}"
    return see(here if ok else f"{here}/dispatch")


@pages.post("/packages/<key>/anyway")
def dispatch_regardless(key: str) -> Response:
    """Send a package as it is."""
    row = row_or_404("settings_packages", key)
    act(
        privacy.dispatch_regardless,
        key,
        done=f"The package is on its way to {row['recipient']}.",
    )
    return see(f"/settings/packages/{key}")
