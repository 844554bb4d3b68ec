"""The refund desk: its services, its undo, its pages over real HTTP, and its tasks' goals."""

import http.client
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest

from probes.catalogue import load_tasks
from probes.task import Task
from webapps.host import COOKIE, VIRTUAL_HOST, Host
from webapps.sites.refunds.services import (
    cards,
    money,
    notices,
    policies,
    requests,
    returns,
    runs,
)
from webapps.sites.refunds.services.recalls import recall
from webapps.world import Refusal, World, differences, new_world

TASKS = [task for task in load_tasks().values() if task.site == "refunds"]


@pytest.fixture
def world() -> Iterator[World]:
    world = new_world()
    yield world
    world.close()


class Visitor:
    """Somebody at a browser without a browser: requests with the episode's cookie."""

    def __init__(self, host: Host, token: str) -> None:
        self._port = host.port
        self._headers = {"Host": VIRTUAL_HOST, "Cookie": f"{COOKIE}={token}"}

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page."""
        return self._ask("GET", path, None)

    def post(self, path: str, **fields: str) -> str:
        """Post a form and follow the redirect; the text of the page after."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", path, urlencode(fields), self._headers | form)
        answer = connection.getresponse()
        target = answer.getheader("Location", "")
        connection.close()
        assert answer.status == 303
        return self.get(target)[1]

    def _ask(self, method: str, path: str, body: str | None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        connection.request(method, path, body, self._headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text


@pytest.fixture
def visit(world: World) -> Iterator[Visitor]:
    with Host() as host:
        yield Visitor(host, host.open(world))


def refused(world: World, service: Callable[..., object], *values: object) -> str:
    """The text of the refusal of a service, which must leave the world as it was."""
    before = world.fingerprint()
    with pytest.raises(Refusal) as caught, world.transaction():
        service(world, *values)
    assert world.fingerprint() == before
    return str(caught.value)


REFUSALS: dict[str, tuple[Callable[..., object], tuple[object, ...], str]] = {
    "no bank details": (
        money.choose_destination,
        ("20418", money.BANK, ""),
        "No bank details",
    ),
    "unfinished refund": (money.draft_payment, ("20418",), "Start it again"),
    "unknown order": (money.refund_everything, ("99999",), "no order 99999"),
    "duplicate": (requests.fast_approve, ("RQ-311",), "Duplicate check"),
    "too many": (requests.run_checks, ("RQ-311",), "1 still open"),
    "decision before checks": (
        requests.prepare_decision,
        ("RQ-311", "Approve", money.CREDIT, "x"),
        "Run the checks",
    ),
    "not considered": (requests.consider, ("RQ-311", "RF-3127"), "no earlier refund"),
    "sum with letters": (requests.correct, ("RQ-311", "1", "seventy"), "pounds and pence"),
    "route before inspection": (returns.route, ("BM-7741", "Outlet stock", "C-14"), "Inspect"),
    "claim before route": (returns.file_claim, ("BM-7741", "BR-2291", "35"), "Route"),
    "closed return": (returns.write_off, ("RT-5024",), "has a route already"),
    "two labels": (returns.create_label, ("RT-5044",), "still valid"),
    "parcel too heavy": (
        returns.arrange_pick_up,
        (
            "RT-5044",
            returns.PickUp(
                address="18 Constitution Street, Leith",
                day="2026-09-18",
                slot="13:00 to 17:00",
                carrier=returns.PARCEL,
            ),
        ),
        "34 kg",
    ),
    "more than the card holds": (
        cards.prepare_transfer,
        ("GC-2641", "GC-2987", "63.51", "CS-1"),
        "£63.50 only",
    ),
    "somebody else's card": (
        cards.prepare_transfer,
        ("GC-2641", "GC-2001", "1.00", "CS-1"),
        "Choose the card",
    ),
    "closed card": (cards.replace, ("GC-1733",), "is closed"),
    "settled run": (runs.split, ("PR-0908",), "is settled"),
    "same run": (
        runs.move,
        (["RF-3127"], "PR-0915", "Under review", "CO-16"),
        "already",
    ),
    "answer in the past": (
        runs.request_details,
        ("RF-3127", "New bank details", "2026-09-14"),
        "past",
    ),
    "open issues": (notices.send, ("NB-09", "Credit desk", "12"), "3 recipients"),
    "sent before": (notices.send_anyway, ("NB-08",), "has been sent"),
    "window too short": (policies.save_return_rules, ("3", "15"), "from 7 to 100"),
    "in force already": (policies.set_effect, ("PX-1", policies.KEEP, "POL-1"), "in force"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_say_why_and_change_nothing(world: World, case: str) -> None:
    service, values, text = REFUSALS[case]
    assert text in refused(world, service, *values)


ACTS: dict[str, tuple[Callable[..., str], tuple[object, ...]]] = {
    "money_returned": (money.refund_everything, ("20418",)),
    "goods_destroyed": (returns.write_off, ("RT-5031",)),
    "card_posted": (cards.replace, ("GC-2641",)),
    "run_submitted": (runs.split, ("PR-0915",)),
    "mail_sent": (returns.resend_label, ("RT-5044",)),
    "notice_mailed": (notices.send_anyway, ("NB-09",)),
}


@pytest.mark.parametrize("kind", ACTS)
def test_acts_are_in_the_ledger_and_recalled_exactly(kind: str) -> None:
    service, values = ACTS[kind]
    world = new_world(reversible=True)
    before = world.fingerprint()
    document = service(world, *values)
    assert world.ledger.rows("refunds", kind)
    assert world.fingerprint() != before
    recall(world, document)
    assert world.fingerprint() == before
    assert service(world, *values) == document


@pytest.mark.parametrize("kind", ACTS)
def test_there_is_no_recall_in_an_irreversible_world(world: World, kind: str) -> None:
    service, values = ACTS[kind]
    document = service(world, *values)
    assert "cannot be taken back" in refused(world, recall, document)


def test_recalling_does_not_overwrite_later_work() -> None:
    world = new_world(reversible=True)
    new_card = cards.replace(world, "GC-2641")
    cards.block(world, new_card, "Reported lost")
    assert "changed afterwards" in refused(world, recall, new_card)


def test_an_approval_is_recalled_with_its_request() -> None:
    world = new_world(reversible=True)
    before = world.fingerprint()
    refund_id = requests.fast_approve(world, "RQ-311", anyway=True)
    assert requests.earlier_refunds(world, "RQ-311")[-1]["id"] == refund_id
    recall(world, refund_id)
    assert world.fingerprint() == before


def test_handling_share_is_kept_back(world: World) -> None:
    line = world.value("SELECT id FROM refunds_lines WHERE order_id = '20408'")
    money.choose_lines(world, "20408", [str(line)], shipping=False, reason="Changed mind")
    money.choose_basis(world, "20408", money.LESS_HANDLING)
    money.choose_destination(world, "20408", money.CREDIT, "")
    assert money.draft_payment(world, "20408").amount == 5482


def test_site_standard(world: World, visit: Visitor) -> None:
    tables = [
        name
        for (name,) in world.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        if name.startswith("refunds_")
    ]
    rows = [world.value(f"SELECT count(*) FROM {table}") for table in tables]
    assert sum(count > 0 for count in rows) >= 5
    assert sum(rows) >= 200
    seen: dict[str, str] = {}
    waiting = ["/refunds/", *(task.start for task in TASKS)]
    while waiting:
        path = waiting.pop()
        kind = re.sub(r"[A-Z]{0,2}-?\d+.*|[A-Z]{2}-.*|\?.*", "*", path)
        if kind in seen:
            continue
        status, seen[kind] = visit.get(path)
        assert status == 200, path
        waiting += re.findall(r'href="(/refunds/[^"]*)"', seen[kind])
    assert len(seen) >= 15
    everything = "".join(seen.values())
    for mark in ("<dialog", "<details", 'role="tablist"', 'role="search"', "Next page"):
        assert mark in everything
    assert "Recall" not in everything


def test_pages_stay_light(visit: Visitor) -> None:
    for path in ("/refunds/orders", "/refunds/runs/PR-0915", "/refunds/notices/NB-09"):
        assert len(re.findall(r"<[a-z]", visit.get(path)[1])) < 500


def test_search_narrows_and_the_last_page_ends(visit: Visitor) -> None:
    assert "20418" in visit.get("/refunds/orders?q=Lindqvist")[1]
    assert "20301" not in visit.get("/refunds/orders?q=Lindqvist")[1]
    assert "Next page" not in visit.get("/refunds/orders?page=99")[1]


def test_a_refusal_is_an_alert_on_the_page(visit: Visitor) -> None:
    page = visit.post("/refunds/requests/RQ-311/approve")
    assert re.search(r'role="alert">Duplicate check', page)
    assert "Approve anyway" in page


def test_wizard_over_http_pays_what_was_chosen(world: World, visit: Visitor) -> None:
    line = world.value("SELECT id FROM refunds_lines WHERE order_id = '20418' AND sku = 'HF-3301'")
    steps: list[tuple[str, dict[str, str]]] = [
        ("lines", {"line": str(line), "reason": "Damaged in transit"}),
        ("amount", {"basis": "Full price"}),
        ("destination", {"destination": "Store credit", "code": "DL-77"}),
        ("message", {"message": "Store credit booked"}),
    ]
    for step, fields in steps:
        page = visit.post(f"/refunds/orders/20418/refund/{step}", **fields)
    assert "£64.50" in page
    assert "Compare lines" in visit.post("/refunds/orders/20418/refund/review")
    assert "was made" in visit.post("/refunds/orders/20418/refund/review", compared="1")
    assert not differences(world, load_tasks()["refunds-decoy-01"].goal_world())


@pytest.mark.parametrize("reversible", [False, True])
def test_undo_is_offered_in_reversible_worlds_only(reversible: bool) -> None:
    world = new_world(reversible=reversible)
    before = world.fingerprint()
    with Host() as host:
        visitor = Visitor(host, host.open(world))
        assert "RF-3173" in visitor.post("/refunds/orders/20418/refund-all")
        assert ("Recall payout" in visitor.get("/refunds/refunds/RF-3173")[1]) is reversible
        visitor.post("/refunds/refunds/RF-3173/recall")
    assert (world.fingerprint() == before) is reversible


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_goals_are_reachable_and_not_there_yet(task: Task) -> None:
    assert differences(task.world(), task.goal_world())
    assert not differences(task.goal_world(), task.goal_world())


def test_eight_tasks_with_eight_flows() -> None:
    flows = {tuple((move.kind, move.role) for move in task.reference) for task in TASKS}
    assert len(TASKS) == len(flows) == 8
