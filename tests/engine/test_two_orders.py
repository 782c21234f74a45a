"""The first order of an answer and the final one: the same passages, one entry of the trail, whoever may see them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from access.accounts import Accounts
from access.audit.entry import Action, Entry
from access.audit.trail import Trail, Wanted
from access.roles import Role
from search_stack.core.settings import Settings
from tests.engine.conftest import Place
from tests.people import a_purpose
from tests.unit.ui.test_access import PASSWORD, form_key, get, post, sign_in
from ui.app import create_app

pytestmark = pytest.mark.engine
WORDS = "walked to the window"
PLACES = ("corridor", "garden", "window", "chapel", "bathroom", "kitchen")
SHUT = "kanari8317"


@pytest.fixture
def place(empty_stack: Place, make_csv: Callable[..., Path]) -> Place:
    """Forty-two patients who walked somewhere, two of them in a collection that no purpose covers."""
    rows = [
        {
            "note_id": f"n{n}" if n < 40 else f"{SHUT}-{n}",
            "patient_id": f"P-{n}",
            "text": f"Day {n}. {'Slowly, ' * (n % 3)}she walked to the {PLACES[n % 6]} and then to the {PLACES[n % 5]}"
            f", {'where the window stood open' if n % 4 else 'with a frame'}.{f' {SHUT}' if n >= 40 else ''}",
        }
        for n in range(42)
    ]
    for name, part in (("open", rows[:40]), ("shut", rows[40:])):
        status, _, errors = empty_stack.run("ingest", make_csv(part, f"{name}.csv"))
        assert status == 0, errors
    return empty_stack


def notes(page: str) -> list[str]:
    return re.findall(r"<p class=\"quiet\">Note (\S+), characters", page)


def told(page: str) -> list[str]:
    """All that both orders must have alike."""
    return [
        re.sub(r"\s+", " ", one)
        for one in re.findall(
            r'id="headline">[^<]+|class="facet-count">[^<]+|<p class="counts-more">.*?</p>', page, re.DOTALL
        )
    ]


def search(client: FlaskClient, line: str, order: str) -> str:
    """The address of its results."""
    given = {"order": order} if order else {}
    return str(post(client, "/search", line=line, form_key=form_key(client), **given).headers["Location"])


def test_two_orders_of_one_answer(place: Place) -> None:
    own = {"accounts": True, "web_requests_per_minute": 0, "onnx_threads": 1}
    given = {**own, "reranker_bundle": Settings().reranker_bundle}
    app = create_app(place.settings.model_copy(update=given), ledger=place.ledger)
    accounts = Accounts(place.ledger.engine)
    names = {role: f"order-{role}" for role in (Role.SEARCHER, Role.MANAGER, Role.VIEWER)}
    for role, name in names.items():
        once = accounts.add(name, role)
        accounts.change_password(accounts.named(name), once, PASSWORD)
    a_purpose(place.ledger.engine, *names.values(), code="ORDER-1", collections=["open"])
    trail = Trail(place.ledger.engine, place.settings.data_dir)

    def entries(since: int) -> list[Entry]:
        found = [one for one in trail.all_entries(Wanted()) if one.number > since]
        return [one.entry for one in found][::-1]

    client = sign_in(app, names[Role.SEARCHER], purpose="ORDER-1")
    # Only who asks for the first order is sent to it, and only where another would follow.
    assert "order=" not in search(client, WORDS, "")
    assert "order=" not in search(client, "fever", "first")
    found = search(client, WORDS, "first")
    assert found.endswith("?order=first")
    address = found.partition("?")[0]

    before = trail.head().number
    first = get(client, found).text
    final = get(client, f"{address}/reordered").text
    assert len(notes(first)) == len(notes(final)) == 10
    assert notes(first) != notes(final)
    assert told(first) == told(final) != []
    # The trail has the search once, and whom the closer reading brought up besides.
    searched, *brought = entries(before)
    assert (searched.action, set(searched.notes)) == (Action.SEARCH, set(notes(first)))
    assert [(one.action, set(one.notes)) for one in brought] == (
        [(Action.REORDER, set(notes(final)) - set(notes(first)))] if set(notes(final)) - set(notes(first)) else []
    )
    assert set(notes(final)) - set(notes(first))
    # Whoever looks again leaves an entry again.
    before = trail.head().number
    assert notes(get(client, f"{address}/reordered").text) == notes(final)
    (again,) = entries(before)
    assert (again.action, set(again.notes)) == (Action.REORDER, set(notes(final)))

    # Over all pages both list the same, each once, and nothing that the purpose does not cover.
    def listed(order: str) -> list[str]:
        pages = [get(client, f"{address}?page={n}{order}").text for n in range(1, 6)]
        assert SHUT not in "".join(pages)
        return [one for page in pages for one in notes(page)]

    one, other = listed("&order=first"), listed("")
    assert sorted(one) == sorted(other)
    assert len(set(one)) == len(one) == 40
    assert one[:10] == notes(first)
    assert other[:10] == notes(final)
    assert SHUT not in final

    # An answer that fits on one page brings up nobody: no second entry.
    few = search(client, "walked to the window patient:P-3", "first")
    before = trail.head().number
    assert notes(get(client, few).text) == notes(get(client, f"{few.partition('?')[0]}/reordered").text) == ["n3"]
    assert [e.action for e in entries(before)] == [Action.SEARCH]

    # It is for whose search it is, and for nobody who must not read.
    assert get(sign_in(app, names[Role.MANAGER], purpose="ORDER-1"), f"{address}/reordered").status_code == 410
    assert get(sign_in(app, names[Role.VIEWER], purpose="ORDER-1"), f"{address}/reordered").status_code == 403
    assert trail.problems()[1] == []
