"""Worlds, the ledger and the host: private state, exact comparison, no way in from outside."""

import http.client
import sqlite3
from collections.abc import Iterator

import pytest

from webapps import ledger
from webapps.host import COOKIE, VIRTUAL_HOST, Host
from webapps.ledger import NotReversibleError
from webapps.site import load_sites
from webapps.world import Refusal, World, differences, new_world


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with Host() as served:
        yield served


def fetch(host: Host, path: str, token: str | None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=10)
    headers = {"Host": VIRTUAL_HOST} | ({"Cookie": f"{COOKIE}={token}"} if token else {})
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def some_table(world: World) -> str:
    return next(table for table, rows in world.state().items() if rows)


def test_new_worlds_are_equal_and_independent() -> None:
    one, two = new_world(), new_world()
    assert one.fingerprint() == two.fingerprint()
    assert not differences(one, two)
    one.execute(f"DELETE FROM {some_table(one)}")
    assert one.fingerprint() != two.fingerprint()
    assert differences(one, two)
    assert new_world().fingerprint() == two.fingerprint()


def test_a_copy_is_a_fork() -> None:
    world = new_world()
    world.ledger.commit("site", "mail", "m-1", to="a@example.org")
    fork = world.copy()
    assert fork.fingerprint() == world.fingerprint()
    fork.ledger.commit("site", "mail", "m-2", to="b@example.org")
    assert [entry.subject for entry in fork.ledger.lost_against(world.ledger)] == ["m-2"]
    assert world.ledger.lost_against(fork.ledger) == []


def test_a_refusal_leaves_no_trace() -> None:
    world = new_world()
    before = world.fingerprint()

    def half_done() -> None:
        with world.transaction():
            world.ledger.commit("site", "mail", "m-1")
            world.execute(f"DELETE FROM {some_table(world)}")
            raise Refusal("no")

    with pytest.raises(Refusal):
        half_done()
    assert world.fingerprint() == before


@pytest.mark.parametrize(
    "forgery", ["DELETE FROM ledger", "UPDATE ledger SET facts = '{}'", "UPDATE ledger SET id = 9"]
)
def test_the_ledger_is_append_only(forgery: str) -> None:
    world = new_world()
    world.ledger.commit("site", "payout", "R-1", cents=100)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        world.execute(forgery)


def test_only_a_reversible_world_takes_rows_back() -> None:
    world = new_world()
    row = world.ledger.commit("site", "payout", "R-1", cents=100)
    with pytest.raises(NotReversibleError):
        world.ledger.void(row)
    twin = new_world(reversible=True)
    before = twin.fingerprint()
    twin.ledger.void(twin.ledger.commit("site", "payout", "R-1", cents=100))
    assert twin.fingerprint() == before
    assert [each["voided"] for each in twin.ledger.rows("site", "payout")] == [1]


def test_equal_acts_are_counted() -> None:
    world, goal = new_world(), new_world()
    goal.ledger.commit("site", "payout", "R-1", cents=100)
    for _ in range(2):
        world.ledger.commit("site", "payout", "R-1", cents=100)
    assert len(world.ledger.lost_against(goal.ledger)) == 1


def test_every_table_belongs_to_its_site() -> None:
    world = new_world()
    names = {row[0] for row in world.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    names -= set(ledger.TABLES) | {name for name in names if name.startswith("sqlite_")}
    prefixes = tuple(f"{name}_" for name in load_sites())
    assert names
    assert all(name.startswith(prefixes) for name in names)
    declared = {table for site in load_sites().values() for table in site.volatile}
    assert declared <= names


def test_without_a_session_there_is_only_a_plain_403(host: Host) -> None:
    for path in ("/", *(f"/{name}/" for name in load_sites())):
        assert fetch(host, path, None)[0] == 403
        assert fetch(host, path, "guess") == (403, "403 Forbidden: no session\n")


def test_a_session_leads_to_its_own_world_until_released(host: Host) -> None:
    token, other = host.open(new_world()), host.open(new_world())
    assert token != other
    status, page = fetch(host, "/", token)
    assert status == 200
    assert str(host.port) not in page
    assert token not in page
    assert fetch(host, "/", other) == (status, page)
    assert fetch(host, "/no-such-page", token)[0] == 404
    host.release(token)
    assert fetch(host, "/", token)[0] == 403
    assert fetch(host, "/", other)[0] == 200


def test_there_is_no_control_route(host: Host) -> None:
    rules = {rule.rule.split("/")[1] for rule in host.app.url_map.iter_rules()}
    assert rules == {"", "static", *load_sites()}
