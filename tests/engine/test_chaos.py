"""Everything breaks at moments of chance, and twice at the worst moment there is: in the end all is whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from aspectra.stack import down, up
from ingest.prepare_index import ensure_index
from tests.chaos import plan
from tests.chaos.check import disagreements, in_index, settled
from tests.chaos.drive import OPTIONS, Drive
from tests.chaos.faults import faults
from tests.chaos.frozen import FrozenWriter, frozen_writer, long_note
from tests.chaos.workload import EVERYWHERE, write_csv
from tests.engine.conftest import PATIENCE, SERVICES, Place

pytestmark = pytest.mark.engine
SHORT = (("sqlite", 151692, 7), ("postgresql", 1202841, 7))
"""Database, seed, steps. With the first each process is killed once: engine, broker (and wiped), worker, the commands
and whoever writes in SQLite. With the second engine, a process of the worker and an ingest freeze, PostgreSQL freezes,
is stopped and loses its backends, and in the end everything is gone at once."""


@pytest.mark.parametrize(("kind", "seed", "count"), SHORT)
def test_nothing_is_lost_doubled_stale_or_orphaned_whatever_breaks(
    kind: str, seed: int, count: int, place_of: Callable[..., Place], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    if kind == "postgresql":
        address = request.getfixturevalue("make_postgresql")()
    place = place_of(ledger_url=SecretStr(address), index_prefix=f"chaos-{kind}", **OPTIONS)
    up(place.settings, SERVICES)
    report = Drive(place, tmp_path, seed).run(plan.first(count, seed, list(faults(kind))))
    assert not report.problems, report.text()


def forget(place: Place) -> None:
    """Let the engine forget what was deleted, and every claim lapse."""
    time.sleep(place.settings.visibility_seconds + 5)
    place.indexes.refresh()


def rebuild(place: Place) -> None:
    """A new index remembers nothing that was deleted from the old one."""
    status, _, errors = place.run("reindex")
    assert status == 0, errors


def deleted(place: Place, held: FrozenWriter, folder: Path) -> None:
    assert place.run("delete", "--yes", held.note_id)[0] == 0


def shortened(place: Place, held: FrozenWriter, folder: Path) -> None:
    status, _, errors = place.run("ingest", long_note(folder / "held.csv", held.note_id, sentences=1))
    assert status == 0, errors


@pytest.mark.parametrize(("change", "forgetting"), [(deleted, forget), (shortened, rebuild)])
def test_a_writer_frozen_before_it_writes_brings_nothing_back(
    change: Callable[..., None],
    forgetting: Callable[[Place], None],
    place_of: Callable[..., Place],
    tmp_path: Path,
) -> None:
    place = place_of(ledger_url=SecretStr(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"), index_prefix="frozen")
    live = ensure_index(place.client, place.settings, place.encoder.manifest, place.ledger)
    place.client.indices.put_settings(index=live, body={"index": {"gc_deletes": "1s"}})
    with frozen_writer(place, tmp_path) as held:
        change(place, held, tmp_path)
        forgetting(place)
        assert unlike(place) == []
        held.thaw()
    assert eventually_unlike(place) == []


def unlike(place: Place) -> list[str]:
    """Passages of the index that are not those of the ledger's notes."""
    found, expected = place.found(), place.expected()
    return sorted(i for i in found.keys() | expected.keys() if found.get(i) != expected.get(i))


def eventually_unlike(place: Place) -> list[str]:
    """`unlike`, once there are none or a sweep has had all the time it may need."""
    deadline = time.monotonic() + PATIENCE
    while (ids := unlike(place)) and time.monotonic() < deadline:
        time.sleep(1)
    return ids


def test_a_new_ledger_on_an_old_index_shows_no_note_of_another(
    place_of: Callable[..., Place], make_postgresql: Callable[[], str], tmp_path: Path
) -> None:
    old = place_of(ledger_url=SecretStr(f"sqlite:///{tmp_path / 'old.sqlite3'}"), index_prefix="moved")
    new = place_of(ledger_url=SecretStr(make_postgresql()), index_prefix="moved")
    up(old.settings, SERVICES)
    ensure_index(old.client, old.settings, old.encoder.manifest, old.ledger)
    for edition in (1, 2):  # second versions, which the first ones of a new ledger do not overwrite
        wanted = dict.fromkeys(range(20), edition)
        status, _, errors = old.run("ingest", "--collection", "one", write_csv(tmp_path / "one.csv", wanted))
        assert status == 0, errors
    assert settled(old, wanted, PATIENCE) == []
    down(old.settings, ["worker"])
    other_order = write_csv(tmp_path / "other-order.csv", dict(reversed(wanted.items())))
    calls = [["up", *SERVICES], ["ingest", "--collection", "one", other_order], ["search", EVERYWHERE]]
    ended = {str(call[0]): new.run(*call) for call in calls}
    if ended["ingest"][0] == 0:
        assert settled(new, wanted, 0) == []
        return
    for name, (status, _, errors) in ended.items():
        assert status != 0, f"{name} goes on with a ledger that is not the one of the index"
        assert "aspectra " in errors, f"{name} names no command that mends it: {errors}"
        assert "Traceback" not in errors
    held = in_index(old, str(old.indexes.live()))
    assert held
    assert disagreements(old, wanted) == []  # and nothing was touched
