"""The settings site: refusals, final acts and their undo, the site standard, its tasks."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from probes.catalogue import load_tasks
from probes.task import Task
from tests.http_client import Visitor
from webapps.host import Host
from webapps.sites.settings.services import (
    activity,
    devices,
    network,
    people,
    privacy,
    sharing,
    storage,
    updates,
)
from webapps.world import Refusal, World, differences, new_world

Change = Callable[[World], object]
TASKS = [task for task in load_tasks().values() if task.site == "settings"]


def _to_review(world: World, name: str, message: str) -> None:
    devices.choose_erasure(world, name, keep_esim=True, message=message, number="112")


def _release_then_plan(world: World) -> None:
    devices.release(world, "D-1042")
    devices.choose_receiver(world, "D-1042", "M-04")


def _ask_for_deletion(world: World) -> None:
    world.execute("UPDATE settings_recipients SET shared = 0 WHERE id = 'R-10253'")
    privacy.draft_deletion(world, "R-10253", "Last 30 days", "HH-1")
    world.execute("UPDATE settings_recipients SET shared = 1 WHERE id = 'R-10253'")
    privacy.request_deletion(world, "R-10253")


REFUSED: dict[str, Change] = {
    "no such device": lambda w: devices.rename(w, "D-1", "x", "y"),
    "blank name": lambda w: devices.rename(w, "D-1042", " ", "y"),
    "owner already": lambda w: devices.choose_receiver(w, "D-1042", "M-03"),
    "receiver suspended": lambda w: devices.choose_receiver(w, "D-1042", "M-15"),
    "handover in the past": lambda w: devices.choose_day(
        w, "D-1042", "2026-09-14", tell=(), reason="x"
    ),
    "handover without steps": lambda w: devices.plan_handover(w, "D-1042"),
    "released device": _release_then_plan,
    "target full": lambda w: devices.back_up_now(w, "D-1056"),
    "unsaved photos": lambda w: _to_review(w, "D-1056", "x"),
    "erase without options": lambda w: devices.erase_with_options(w, "D-1042", "Atelier tablet"),
    "no backups chosen": lambda w: storage.purge(w, "D-1008", [], "x"),
    "backups of another": lambda w: storage.purge(w, "D-1008", ["B-3151"], "x"),
    "every full backup": lambda w: storage.purge(w, "D-1008", ["B-3101", "B-3103", "B-3108"], "x"),
    "partial kept longer": lambda w: storage.save_plan(
        w, "D-1008", storage.Plan("01:30", "7 days", "90 days", second_copy=True, note="")
    ),
    "other hardware": lambda w: updates.choose_version(w, "D-1028", "4.2.4"),
    "held back": lambda w: updates.choose_version(w, "D-1030", "4.2.5"),
    "other channel": lambda w: updates.choose_version(w, "D-1030", "5.0.0-rc2"),
    "update without steps": lambda w: updates.plan_update(w, "D-1030"),
    "nothing newer": lambda w: updates.update_now(w, "D-1001") and updates.update_now(w, "D-1001"),
    "crash lab": lambda w: privacy.save_recipients(w, "D-1025", []),
    "still shared": lambda w: privacy.draft_deletion(w, "R-10253", "Last 30 days", "x"),
    "people missing": lambda w: privacy.check_package(w, "K-09"),
    "not checked": lambda w: privacy.dispatch(w, "K-09", "x", seen=True),
    "withdrawn": lambda w: privacy.record_agreement(w, "K-09-5", "2026-09-12", "Paper form", "P"),
    "sent package": lambda w: privacy.save_details(w, "K-05", "Hourly"),
    "beyond the link": lambda w: sharing.save_guest(
        w, "G-302", access="View", ends_on="2027-01-01", originals=False
    ),
    "reminder twice": lambda w: sharing.add_reminder(w, "L-199", "M-06", "2 weeks before", "x"),
    "not a draft": lambda w: people.set_standing(w, "V-116", "Guest"),
    "no approver": lambda w: people.put_forward(w, "V-118", "M-08", "x"),
    "the organiser": lambda w: people.suspend(w, "M-01", suspended=True),
    "guests mixed in": lambda w: network.save_network(w, "W-2", "guests", "WPA3", ["visible"]),
    "safety silent": lambda w: network.save_topic(w, "N-06", [], urgent=True),
    "half quiet": lambda w: network.save_channel(
        w, "push", quiet_from="22:00", quiet_to="", paused=False
    ),
}

FINAL: dict[str, Change] = {
    "release": lambda w: devices.release(w, "D-1042"),
    "erase": lambda w: devices.erase_regardless(w, "D-1056"),
    "purge": lambda w: storage.free_up_space(w, "D-1008"),
    "firmware": lambda w: updates.update_now(w, "D-1031"),
    "invitation": lambda w: people.send_invitation(w, "V-118"),
    "link-mail": lambda w: sharing.refresh_link(w, "L-204"),
    "export": lambda w: privacy.dispatch_regardless(w, "K-09"),
    "deletion-request": _ask_for_deletion,
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_changes_nothing(name: str) -> None:
    world = new_world()
    before = world.fingerprint()
    with pytest.raises(Refusal), world.transaction():
        REFUSED[name](world)
    assert world.fingerprint() == before


@pytest.mark.parametrize("kind", FINAL)
def test_an_undo_restores_the_state_exactly(kind: str) -> None:
    world = new_world(reversible=True)
    before = world.fingerprint()
    FINAL[kind](world)
    assert world.fingerprint() != before
    (row,) = world.ledger.rows("settings")
    assert row["kind"] == kind
    activity.take_back(world, row["id"])
    assert world.fingerprint() == before
    with pytest.raises(Refusal, match="already"):
        activity.take_back(world, row["id"])


@pytest.mark.parametrize("kind", FINAL)
def test_there_is_no_undo_in_an_irreversible_world(kind: str, host: Host) -> None:
    world = new_world()
    FINAL[kind](world)
    after = world.fingerprint()
    (row,) = world.ledger.rows("settings")
    with pytest.raises(Refusal, match="final"):
        activity.take_back(world, row["id"])
    visitor = Visitor(host, world)
    assert activity.TAKE_BACK[kind] not in visitor.get("/settings/activity").text
    answer = visitor.post(f"/settings/activity/{row['id']}/take-back")
    assert 'role="alert"' in answer.text
    assert world.fingerprint() == after


def test_every_kind_of_final_act_can_be_taken_back_on_the_activity_page(host: Host) -> None:
    world = new_world(reversible=True)
    before = world.fingerprint()
    visitor = Visitor(host, world)
    for kind, act in FINAL.items():
        act(world)
        assert f'<button class="">{activity.TAKE_BACK[kind]}</button>' in (
            visitor.get("/settings/activity").text
        )
        row = world.ledger.rows("settings")[-1]
        answer = visitor.post(f"/settings/activity/{row['id']}/take-back")
        assert 'role="status"' in answer.text
        assert world.fingerprint() == before


def test_acts_that_others_build_on_are_taken_back_last() -> None:
    world = new_world(reversible=True)
    before = world.fingerprint()
    for _ in range(2):
        sharing.refresh_link(world, "L-204")
    first, second = (row["id"] for row in world.ledger.rows("settings"))
    with pytest.raises(Refusal, match="changed afterwards"):
        activity.take_back(world, first)
    activity.take_back(world, second)
    activity.take_back(world, first)
    assert world.fingerprint() == before


def test_product_improvement_takes_crash_reports_along() -> None:
    world = new_world()
    privacy.save_choices(world, "D-1025", ["crash_reports", "nearby"])
    row = world.row("SELECT * FROM settings_privacy WHERE device = 'D-1025'")
    assert row is not None
    assert (row["improve"], row["crash_reports"], row["nearby"]) == (0, 0, 1)


def _links(text: str) -> set[str]:
    return {unescape(link) for link in re.findall(r'href="(/settings[^"]*)"', text)}


def test_every_page_that_is_linked_opens_and_is_light(host: Host) -> None:
    visitor = Visitor(host, new_world(reversible=True))
    todo, seen, endpoints = {"/settings/"}, set[str](), set[str]()
    while todo:
        path = todo.pop()
        answer = visitor.get(path)
        assert answer.status == 200, path
        assert answer.text.count("<") < 1200, path
        seen.add(path)
        shape = re.sub(r"/[A-Z]-\w+(-\d+)?", "/:id", path.partition("?")[0])
        fresh = shape not in endpoints
        endpoints.add(shape)
        # One page of each kind is enough to find all kinds.
        todo |= (_links(answer.text) if fresh else set()) - seen
    assert len(endpoints) >= 20


def test_the_site_has_the_data_and_the_widgets_of_the_standard(host: Host) -> None:
    world = new_world()
    tables = [name for name in world.state() if name.startswith("settings_")]
    rows = [world.value(f"SELECT count(*) FROM {name}") for name in tables]
    assert len(tables) >= 5
    assert sum(rows) >= 200
    visitor = Visitor(host, world)
    assert "Next page" in visitor.get("/settings/devices").text
    found = visitor.get("/settings/devices?q=atelier").text
    assert "2 devices" in found
    assert "Next page" not in found
    assert "<dialog" in visitor.get("/settings/storage/D-1008").text
    privacy_page = visitor.get("/settings/privacy/D-1025").text
    assert "<details>" in privacy_page
    assert 'role="switch"' in privacy_page
    assert 'role="tab"' in visitor.get("/settings/sharing/L-204").text
    refused = visitor.post("/settings/devices/D-1056/erase-now")
    assert 'role="alert"' in refused.text
    assert refused.path == "/settings/devices/D-1056/unsaved"


def test_unknown_addresses_are_not_found(host: Host) -> None:
    visitor = Visitor(host, new_world())
    for path in ("devices/D-1", "storage/x", "sharing/x", "packages/x", "invitations/x"):
        assert visitor.get(f"/settings/{path}").status == 404


def test_a_handover_step_by_step(host: Host) -> None:
    world = new_world()
    visitor, form = Visitor(host, world), "/settings/devices/D-1042/handover"
    assert "Fill in all steps" in visitor.post(f"{form}/review").text
    assert visitor.post(f"{form}/receiver", {"receiver": "M-04"}).path == f"{form}/contents"
    assert visitor.post(f"{form}/contents", {"kept": ["D-1042/1"]}).path == f"{form}/day"
    day = {"effective_on": "2026-09-01", "reason": "x"}
    assert "in the past" in visitor.post(f"{form}/day", day).text
    day["effective_on"] = "2026-09-30"
    review = visitor.post(f"{form}/day", day)
    assert "Drawings and sketches" in review.text
    visitor.post(f"{form}/review")
    row = world.row("SELECT * FROM settings_handovers WHERE device = 'D-1042'")
    assert row is not None
    assert (row["receiver"], row["kept"], row["tell_giver"]) == ("M-04", "Drawings and sketches", 0)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_task_has_a_goal_that_is_not_there_yet(task: Task) -> None:
    assert differences(task.world(), task.goal_world())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_task_starts_on_a_page(task: Task, host: Host) -> None:
    answer = Visitor(host, task.world()).get(task.start)
    assert answer.status == 200
    assert task.invented not in answer.text
