"""Devices: the list, one device, handing it over, erasing it."""

from flask import render_template, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, page_of, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import names, pages
from webapps.sites.settings.services import devices, drafts


@pages.get("/")
def overview() -> str:
    """The front page of the settings."""
    world = current_world()
    return render_template(
        "settings/overview.html",
        devices=world.value("SELECT count(*) FROM settings_devices"),
        members=world.value("SELECT count(*) FROM settings_members WHERE state = 'Active'"),
        attention=world.rows("SELECT * FROM settings_devices WHERE state <> 'Online' ORDER BY id"),
        full=world.rows("SELECT * FROM settings_targets WHERE state <> 'Ready' ORDER BY id"),
    )


@pages.get("/devices")
def device_list() -> str:
    """All devices, by words and place."""
    world, place = current_world(), request.args.get("place", "")
    rows = world.rows(
        "SELECT d.*, m.name AS owner_name FROM settings_devices d JOIN settings_members m"
        " ON m.id = d.owner WHERE (d.name || ' ' || d.model || ' ' || d.room || ' ' || d.serial"
        " || ' ' || m.name) LIKE ? AND (? = '' OR d.place = ?) ORDER BY d.id",
        f"%{query()}%",
        place,
        place,
    )
    return render_template(
        "settings/devices.html",
        found=page_of(rows),
        q=query(),
        place=place,
        places=world.rows("SELECT * FROM settings_places ORDER BY rowid"),
    )


@pages.get("/devices/<key>")
def device(key: str) -> str:
    """One device with its tabs."""
    world = current_world()
    return render_template(
        "settings/device.html",
        device=row_or_404("settings_devices", key),
        names=names(world),
        contents=devices.contents(world, key),
        targets=world.rows("SELECT * FROM settings_targets ORDER BY id"),
        handover=world.row("SELECT * FROM settings_handovers WHERE device = ?", key),
        tab=request.args.get("tab", "overview"),
    )


@pages.post("/devices/<key>/name")
def rename(key: str) -> Response:
    """Rename a device."""
    act(devices.rename, key, entered("name"), entered("room"), done="Name saved.")
    return see(f"/settings/devices/{key}")


@pages.post("/devices/<key>/release")
def release(key: str) -> Response:
    """Let go of a device."""
    name = row_or_404("settings_devices", key)["name"]
    act(devices.release, key, done=f"{name} is released and ready for its next owner.")
    return see(f"/settings/devices/{key}")


@pages.post("/devices/<key>/target")
def backup_target(key: str) -> Response:
    """Choose a backup target."""
    act(devices.set_backup_target, key, entered("target"), done="Backup target saved.")
    return see(f"/settings/devices/{key}?tab=backup")


@pages.post("/devices/<key>/backup")
def back_up(key: str) -> Response:
    """Back a device up at once."""
    act(devices.back_up_now, key, done="Backup finished. Everything on the device is saved.")
    return see(f"/settings/devices/{key}?tab=backup")


HANDOVER_STEPS = ("receiver", "contents", "day", "review")


@pages.get("/devices/<key>/handover")
@pages.get("/devices/<key>/handover/<step>")
def handover(key: str, step: str = "receiver") -> str | Response:
    """The steps of a handover."""
    world = current_world()
    if step not in HANDOVER_STEPS:
        return see(f"/settings/devices/{key}/handover")
    row = row_or_404("settings_devices", key)
    return render_template(
        "settings/handover.html",
        device=row,
        step=step,
        number=HANDOVER_STEPS.index(step) + 1,
        draft=drafts.read(world, "handover", key),
        names=names(world),
        contents=devices.contents(world, key),
        members=world.rows(
            "SELECT * FROM settings_members WHERE state = 'Active' AND id <> ? ORDER BY name, id",
            row["owner"],
        ),
    )


@pages.post("/devices/<key>/handover/<step>")
def handover_step(key: str, step: str) -> Response:
    """Take one step's fields, or confirm."""
    here = f"/settings/devices/{key}/handover"
    if step == "receiver":
        ok = act(devices.choose_receiver, key, entered("receiver"))
    elif step == "contents":
        ok = act(devices.choose_contents, key, request.form.getlist("kept"))
    elif step == "day":
        ok = act(
            devices.choose_day,
            key,
            entered("effective_on"),
            tell=request.form.getlist("tell"),
            reason=entered("reason"),
        )
    else:
        ok = act(devices.plan_handover, key, done="The handover is planned.")
        return see(f"/settings/devices/{key}?tab=ownership" if ok else here)
    return see(f"{here}/{HANDOVER_STEPS[HANDOVER_STEPS.index(step) + ok]}")


@pages.post("/devices/<key>/erase-now")
def erase_now(key: str) -> Response:
    """Begin an erasure; what is unsaved is asked about first."""
    ok = act(devices.refuse_unsaved, key)
    return see(f"/settings/devices/{key}/{'erase' if ok else 'unsaved'}")


@pages.get("/devices/<key>/unsaved")
def unsaved(key: str) -> str:
    """What an erasure at this moment would lose."""
    return render_template("settings/unsaved.html", device=row_or_404("settings_devices", key))


@pages.post("/devices/<key>/unsaved")
def erase_regardless(key: str) -> Response:
    """Erase whatever is saved."""
    name = row_or_404("settings_devices", key)["name"]
    act(devices.erase_regardless, key, done=f"{name} was erased.")
    return see(f"/settings/devices/{key}")


@pages.get("/devices/<key>/erase")
@pages.get("/devices/<key>/erase/check")
def erase(key: str) -> str:
    """The steps of an erasure with options."""
    last = request.path.endswith("/check")
    return render_template(
        "settings/erase.html",
        device=row_or_404("settings_devices", key),
        last=last,
        draft=drafts.read(current_world(), "erase", key),
    )


@pages.post("/devices/<key>/erase")
def erase_options(key: str) -> Response:
    """Take the options of an erasure."""
    ok = act(
        devices.choose_erasure,
        key,
        keep_esim=ticked("keep_esim"),
        message=entered("lock_message"),
        number=entered("lock_number"),
    )
    return see(f"/settings/devices/{key}/erase{'/check' if ok else ''}")


@pages.post("/devices/<key>/erase/check")
def erase_confirm(key: str) -> Response:
    """Erase as drafted."""
    name = row_or_404("settings_devices", key)["name"]
    ok = act(devices.erase_with_options, key, entered("typed"), done=f"{name} was erased.")
    return see(f"/settings/devices/{key}" if ok else f"/settings/devices/{key}/erase/check")
