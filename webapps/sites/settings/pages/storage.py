"""Backups: all devices, and one device's."""

from flask import render_template, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, page_of, query, row_or_404, see, ticked
from webapps.sites.settings.pages.shared import pages
from webapps.sites.settings.services import storage

KINDS = ("Full", "Partial")
MONTHS = (
    ("2026-09", "September 2026"),
    ("2026-08", "August 2026"),
    ("2026-07", "July 2026"),
    ("2026-06", "June 2026"),
)


@pages.get("/storage")
def storage_list() -> str:
    """Backup targets, and the newest backups of all devices."""
    world = current_world()
    rows = world.rows(
        "SELECT b.*, d.name AS device_name, t.name AS target_name FROM settings_backups b"
        " JOIN settings_devices d ON d.id = b.device JOIN settings_targets t ON t.id = b.target"
        " WHERE (d.name || ' ' || b.id || ' ' || t.name) LIKE ? ORDER BY b.made_at DESC, b.id",
        f"%{query()}%",
    )
    return render_template(
        "settings/storage.html",
        found=page_of(rows),
        q=query(),
        targets=world.rows("SELECT * FROM settings_targets ORDER BY id"),
    )


@pages.get("/storage/<key>")
def device_storage(key: str) -> str:
    """One device's backups and their schedule."""
    world = current_world()
    kind, month = request.args.get("kind", ""), request.args.get("month", "")
    rows = world.rows(
        "SELECT b.*, t.name AS target_name FROM settings_backups b JOIN settings_targets t"
        " ON t.id = b.target WHERE b.device = ? AND (? = '' OR b.kind = ?) AND b.made_at LIKE ?"
        " ORDER BY b.made_at DESC",
        key,
        kind,
        kind,
        f"{month}%",
    )
    return render_template(
        "settings/device_storage.html",
        device=row_or_404("settings_devices", key),
        rows=rows,
        kind=kind,
        month=month,
        kinds=KINDS,
        months=MONTHS,
        plan=world.row("SELECT * FROM settings_backup_plans WHERE device = ?", key),
        run_times=storage.RUN_TIMES,
        keep=storage.KEEP,
        tab=request.args.get("tab", "stored"),
    )


@pages.post("/storage/<key>/remove")
def purge(key: str) -> Response:
    """Remove the selected backups."""
    act(
        storage.purge,
        key,
        request.form.getlist("backup"),
        entered("reason"),
        done="The selected backups were removed.",
    )
    return see(f"/settings/storage/{key}")


@pages.post("/storage/<key>/free")
def free_up(key: str) -> Response:
    """Make room."""
    act(storage.free_up_space, key, done="Done. The target has room again.")
    return see(f"/settings/storage/{key}")


@pages.post("/storage/<key>/plan")
def save_plan(key: str) -> Response:
    """Save the schedule."""
    plan = storage.Plan(
        runs_at=entered("runs_at"),
        keep_full=entered("keep_full"),
        keep_partial=entered("keep_partial"),
        second_copy=ticked("second_copy"),
        note=entered("note"),
    )
    act(storage.save_plan, key, plan, done="Schedule saved.")
    return see(f"/settings/storage/{key}?tab=schedule")
