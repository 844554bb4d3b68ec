"""Firmware: all devices, one device, and the form that plans an update."""

from flask import render_template
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, page_of, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import pages
from webapps.sites.settings.services import drafts, updates

STEPS = ("version", "slot", "summary")


@pages.get("/updates")
def update_list() -> str:
    """Firmware of all devices."""
    rows = current_world().rows(
        "SELECT d.*, u.version AS planned, u.not_before FROM settings_devices d"
        " LEFT JOIN settings_update_plans u ON u.device = d.id"
        " WHERE (d.name || ' ' || d.model || ' ' || d.firmware) LIKE ? ORDER BY d.id",
        f"%{query()}%",
    )
    return render_template("settings/updates.html", found=page_of(rows), q=query())


@pages.get("/updates/<key>")
def device_updates(key: str) -> str:
    """One device's firmware."""
    world, row = current_world(), row_or_404("settings_devices", key)
    return render_template(
        "settings/device_updates.html",
        device=row,
        channels=updates.CHANNELS,
        versions=updates.versions(world, row["model"]),
        plan=world.row("SELECT * FROM settings_update_plans WHERE device = ?", key),
    )


@pages.post("/updates/<key>/channel")
def save_release_channel(key: str) -> Response:
    """Save the release channel."""
    act(updates.save_channel, key, entered("channel"), done="Release channel saved.")
    return see(f"/settings/updates/{key}")


@pages.post("/updates/<key>/now")
def update_now(key: str) -> Response:
    """Push the newest release."""
    name = row_or_404("settings_devices", key)["name"]
    act(updates.update_now, key, done=f"{name} is up to date.")
    return see(f"/settings/updates/{key}")


@pages.get("/updates/<key>/plan")
@pages.get("/updates/<key>/plan/<step>")
def update_plan(key: str, step: str = "version") -> str | Response:
    """The steps of a planned update."""
    world, row = current_world(), row_or_404("settings_devices", key)
    if step not in STEPS:
        return see(f"/settings/updates/{key}/plan")
    return render_template(
        "settings/update_plan.html",
        device=row,
        step=step,
        number=STEPS.index(step) + 1,
        versions=updates.versions(world, row["model"]),
        slots=updates.SLOTS,
        people=[updates.NOBODY, *(each["name"] for each in updates.tellable(world))],
        draft=drafts.read(world, "update", key),
    )


@pages.post("/updates/<key>/plan/<step>")
def update_plan_step(key: str, step: str) -> Response:
    """Take one step's fields, or confirm."""
    here = f"/settings/updates/{key}"
    if step == "version":
        ok = act(updates.choose_version, key, entered("version"))
        return see(f"{here}/plan/{'slot' if ok else 'version'}")
    if step == "slot":
        chosen = updates.Slot(
            not_before=entered("not_before"),
            slot=entered("slot"),
            backup_first=ticked("backup_first"),
            restart_linked=ticked("restart_linked"),
            tell=entered("tell"),
            note=entered("note").strip(),
        )
        ok = act(updates.choose_slot, key, chosen)
        return see(f"{here}/plan/{'summary' if ok else 'slot'}")
    ok = act(updates.plan_update, key, done="The update is planned.")
    return see(here if ok else f"{here}/plan")
