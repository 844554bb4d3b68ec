"""Irreversible acts and their recall, on the tables of all sites."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

from webapps.acts import can_recall, irreversible, recall
from webapps.site import WHOLE_TABLE, Site, load_sites
from webapps.world import Refusal, World, new_world

Change = Callable[[World], object]
TABLES = tuple(new_world().state())


def _act(world: World, site: str, document: str | None, *changes: str) -> str:
    """An act that executes these statements; returns what it is filed under."""
    with irreversible(world, site, document) as act:
        for change in changes:
            world.execute(change)
        act.commit("mail_sent", "somebody", statements=len(changes))
        act.commit("mail_sent", "somebody else", statements=len(changes))
    return act.document


# Changed, added, removed, and replaced under the same key.
CHANGES = (
    "UPDATE refunds_orders SET status = 'Lost' WHERE store = 'Online shop'",
    "INSERT INTO refunds_policies VALUES ('extra', 'Extra', '1')",
    "DELETE FROM refunds_notes",
    "DELETE FROM refunds_units WHERE id < 'HF'",
    "REPLACE INTO refunds_runs VALUES ('PR-0915', '2026-09-30', 'Other bank', 'Open', 7)",
)


def _dump(world: World) -> str:
    """The business tables and their rows in the order in which SQLite has them."""
    rows = {table: [list(row) for row in world.rows(f"SELECT * FROM {table}")] for table in TABLES}
    return json.dumps(rows)


@pytest.mark.parametrize("site", load_sites())
def test_every_cell_and_row_of_a_site_is_restored(site: str) -> None:
    world = new_world(reversible=True)
    before, rows_before = world.fingerprint(), _dump(world)
    mine = [table for table in TABLES if table.startswith(f"{site}_")]
    filled = [table for table in mine if world.value(f"SELECT count(*) FROM {table}")]
    assert filled
    for table in filled:
        document = _act(world, site, f"D-{table}", f"DELETE FROM {table}")
        assert world.fingerprint() != before
        recall(world, site, document)
        assert world.fingerprint() == before
    for table in filled:
        column = world.rows(f"PRAGMA table_info({table})")[-1]["name"]
        _act(world, site, f"D-{table}", f"UPDATE {table} SET {column} = 'x' || {column}")
        recall(world, site, f"D-{table}")
    assert _dump(world) == rows_before
    assert world.fingerprint() == before


def test_changes_of_all_kinds_are_taken_back_and_the_ledger_is_voided() -> None:
    world = new_world(reversible=True)
    before, rows_before = world.fingerprint(), _dump(world)
    _act(world, "refunds", "A-1", *CHANGES)
    assert len(world.ledger.entries()) == 2
    assert can_recall(world, "refunds", "A-1")
    recall(world, "refunds", "A-1")
    assert world.fingerprint() == before
    assert _dump(world) == rows_before
    assert world.ledger.entries() == []
    assert [row["voided"] for row in world.ledger.rows("refunds")] == [1, 1]


def test_acts_are_noted_without_changing_the_business_state() -> None:
    world = new_world(reversible=True)
    state = world.state()
    _act(world, "refunds", "A-1")
    assert world.state() == state
    assert world.value("SELECT count(*) FROM ledger_acts") == 1


def test_an_act_is_filed_under_its_first_ledger_row_unless_named() -> None:
    world = new_world(reversible=True)
    assert _act(world, "refunds", None) == "1"
    assert _act(world, "refunds", None) == "3"
    assert can_recall(world, "refunds", "3")
    recall(world, "refunds", "3")
    assert [row["voided"] for row in world.ledger.rows("refunds")] == [0, 0, 1, 1]


def _recall_twice(world: World) -> None:
    recall(world, "refunds", "A-1")
    recall(world, "refunds", "A-1")


REFUSED: dict[str, tuple[Change, str]] = {
    "unknown document": (lambda w: recall(w, "refunds", "A-2"), "nothing to take back"),
    "of another site": (lambda w: recall(w, "settings", "A-1"), "nothing to take back"),
    "taken back": (_recall_twice, "already"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_there_must_be_something_to_take_back(case: str) -> None:
    service, text = REFUSED[case]
    world = new_world(reversible=True)
    _act(world, "refunds", "A-1", *CHANGES)
    with pytest.raises(Refusal, match=text):
        service(world)
    assert not can_recall(world, "refunds", "A-2")
    assert not can_recall(world, "settings", "A-1")


def test_nothing_is_taken_back_in_an_irreversible_world() -> None:
    world = new_world()
    _act(world, "refunds", "A-1", *CHANGES)
    after = world.fingerprint()
    assert not can_recall(world, "refunds", "A-1")
    with pytest.raises(Refusal, match="final"):
        recall(world, "refunds", "A-1")
    assert world.fingerprint() == after


LATER = (
    "UPDATE refunds_orders SET status = 'Found' WHERE store = 'Online shop'",
    "UPDATE refunds_policies SET value = '2' WHERE id = 'extra'",
    "DELETE FROM refunds_policies WHERE id = 'extra'",
    "INSERT INTO refunds_notes VALUES (1, 'GC-2641', '2026-09-15', 'Phone call', 'x')",
    "DELETE FROM refunds_runs WHERE id = 'PR-0915'",
)


@pytest.mark.parametrize("later", LATER)
def test_what_was_changed_again_is_not_overwritten(later: str) -> None:
    world = new_world(reversible=True)
    _act(world, "refunds", "A-1", *CHANGES)
    world.execute(later)
    after = world.fingerprint()
    with pytest.raises(Refusal, match="changed afterwards"):
        recall(world, "refunds", "A-1")
    assert world.fingerprint() == after


def test_what_took_the_place_of_something_is_not_overwritten() -> None:
    world = new_world(reversible=True)
    _act(world, "refunds", "A-1", CHANGES[0], "DELETE FROM refunds_policies WHERE id = 'window'")
    world.execute("INSERT INTO refunds_policies VALUES ('window', 'Other', '1')")
    after = world.fingerprint()
    with pytest.raises(Refusal, match="took its place"):
        recall(world, "refunds", "A-1")
    assert world.fingerprint() == after


def test_later_work_on_other_columns_stays() -> None:
    world, other = new_world(reversible=True), new_world(reversible=True)
    later = "UPDATE refunds_orders SET payment = 'Cash'"
    _act(world, "refunds", "A-1", *CHANGES)
    world.execute(later)
    recall(world, "refunds", "A-1")
    other.execute(later)
    assert world.fingerprint() == other.fingerprint()


def test_volatile_columns_may_change_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    sites = cast(dict[str, Site], load_sites())
    site = replace(sites["refunds"], volatile={"refunds_policies": ("value",)})
    monkeypatch.setitem(sites, "refunds", site)
    world = new_world(reversible=True)
    before = world.fingerprint()
    _act(world, "refunds", "A-1", *CHANGES)
    world.execute("UPDATE refunds_policies SET value = '2' WHERE id = 'extra'")
    recall(world, "refunds", "A-1")
    assert world.fingerprint() == before


def test_acts_under_one_document_are_taken_back_last_first() -> None:
    world = new_world(reversible=True)
    states = [world.fingerprint()]
    for status in ("Lost", "Found"):
        _act(world, "refunds", "A-1", f"UPDATE refunds_orders SET status = '{status}'")
        states.append(world.fingerprint())
    for state in reversed(states[:-1]):
        assert can_recall(world, "refunds", "A-1")
        recall(world, "refunds", "A-1")
        assert world.fingerprint() == state
    assert not can_recall(world, "refunds", "A-1")


def test_drafts_and_logs_are_left_alone() -> None:
    volatile = [
        (name, table)
        for name, site in load_sites().items()
        for table, columns in site.volatile.items()
        if columns == WHOLE_TABLE
    ]
    assert volatile
    for name, table in volatile:
        world = new_world(reversible=True)
        columns = world.rows(f"PRAGMA table_info({table})")
        values = ", ".join("7777" for _ in columns)
        rows = world.value(f"SELECT count(*) FROM {table}")
        _act(world, name, "A-1", f"INSERT INTO {table} VALUES ({values})")
        recall(world, name, "A-1")
        assert world.value(f"SELECT count(*) FROM {table}") == rows + 1
