"""A backup of a stack that works, put back elsewhere: the same notes, the same passages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from access.audit.entry import Action, Entry
from access.audit.sealing import KEYS, Seal
from access.audit.trail import Trail, Wanted, commander
from aspectra.saving.manifest import read_manifest
from aspectra.stack import down, up
from aspectra.stack.own import child_environment
from search_stack.core.errors import AspectraError
from search_stack.index.snapshots import Snapshots

pytestmark = pytest.mark.engine
NOTES = 60


@pytest.fixture
def filled(empty_stack: Any, first_reports: Callable[[int], Path]) -> Any:
    status, _, errors = empty_stack.run("ingest", first_reports(NOTES))
    assert status == 0, errors
    yield empty_stack
    up(empty_stack.settings, ["worker"])


def saved(place: Any, to: Path) -> Path:
    status, out, errors = place.run("backup", to)
    assert status == 0, errors
    assert f"{NOTES} notes are saved in" in " ".join(out.split())
    return to


def put_back(place: Any, folder: Path, *options: str) -> str:
    down(place.settings, ["worker"])
    status, out, errors = place.run("restore", folder, *options)
    assert status == 0, (out, errors)
    place.ledger = type(place.ledger)(place.ledger.engine)  # it has another identity now
    up(place.settings, ["worker"])
    place.wait(lambda: place.ledger.counts()["pending"] == 0)
    assert place.run("doctor", "--deep")[1].count("agree") == 1
    return " ".join(out.split())


def snapshots_of(place: Any) -> list[str]:
    """Names of the snapshots that the engine's repository holds."""
    found = place.client.snapshot.get(repository=Snapshots(place.client, place.settings).folder, snapshot="_all")
    return [one["snapshot"] for one in found["snapshots"]]


def test_what_was_changed_and_deleted_since_is_as_it_was(filled: Any, tmp_path: Path, make_csv: Any) -> None:
    place = filled
    before, identity = place.found(), place.ledger.identity
    vectors = place.client.count(index=place.indexes.alias)["count"]
    folder = saved(place, tmp_path / "backup")
    assert read_manifest(folder).snapshot
    note_id, changed = (s.note.note_id for s in place.notes()[:2])
    assert place.run("delete", note_id)[0] == 0
    rows = [{"note_id": changed, "text": "Something else."}, {"note_id": "new", "text": "New here."}]
    assert place.run("ingest", make_csv(rows, "openi.csv"), "--collection", "openi")[0] == 0
    said = put_back(place, folder, "--replace")
    assert "passages agree" in said
    place.assert_whole(NOTES)
    assert place.found() == before
    assert place.client.count(index=place.indexes.alias)["count"] == vectors
    assert place.ledger.identity != identity
    assert place.indexes.meta(place.indexes.live()).ledger == place.ledger.identity
    # A backup is as good the second time.
    put_back(place, folder, "--replace")
    place.assert_whole(NOTES)


def test_without_a_snapshot_the_index_is_built_anew(
    filled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = filled
    before = place.found()
    folder = saved(place, tmp_path / "backup")
    manifest = json.loads((folder / "backup.json").read_text())
    for path in (folder / "index").rglob("*"):
        manifest["files"].pop(str(path.relative_to(folder)), None)
    (folder / "index").rename(tmp_path / "elsewhere")
    (folder / "backup.json").write_text(json.dumps(manifest | {"snapshot": ""}))
    put_back(place, folder, "--replace")
    assert place.found() == before


def test_a_snapshot_that_is_behind_is_made_up_for(
    filled: Any, tmp_path: Path, make_csv: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notes come, change and go between the snapshot and the copy of the ledger: the ledger is right."""
    from aspectra.saving import backup as module

    place = filled
    gone, changed = (s.note.note_id for s in place.notes()[:2])
    take = Snapshots.take

    def then_change(self: Snapshots, name: str, index: str) -> None:
        take(self, name, index)
        assert place.run("delete", gone)[0] == 0
        rows = [{"note_id": changed, "text": "Something else."}, {"note_id": "new", "text": "New here."}]
        assert place.run("ingest", make_csv(rows, "openi.csv"), "--collection", "openi")[0] == 0

    monkeypatch.setattr(Snapshots, "take", then_change)
    module.backup(place.settings, tmp_path / "backup", lambda *_: None)
    put_back(place, tmp_path / "backup", "--replace")
    place.assert_whole(NOTES)
    assert {s.note.note_id for s in place.notes()} >= {"new", changed}
    assert gone not in {s.note.note_id for s in place.notes()}


def test_a_backup_while_notes_come_in_is_whole(
    filled: Any, tmp_path: Path, first_reports: Callable[[int], Path]
) -> None:
    place = filled
    ingest = place.start("ingest", first_reports(400))
    place.wait(lambda: place.ledger.counts()["pending"], ingest)
    status, _, errors = place.run("backup", tmp_path / "backup")
    assert status == 0, errors
    assert place.end(ingest)[0] == 0
    held = sum(read_manifest(tmp_path / "backup").counts.values())
    assert NOTES < held <= 400
    put_back(place, tmp_path / "backup", "--replace")
    place.assert_whole(held)


def test_lexicons_and_choices_come_back_too(filled: Any, tmp_path: Path) -> None:
    place = filled
    lexicon = place.settings.lexicon_folder / "own.csv"
    lexicon.parent.mkdir(exist_ok=True)
    lexicon.write_text("id,name,kind\nsilhouette,silhouette sign,finding\n")
    try:
        folder = saved(place, tmp_path / "backup")
        lexicon.write_text("id,name,kind\nother,other sign,finding\n")
        put_back(place, folder, "--replace")
        assert "silhouette sign" in lexicon.read_text()
    finally:
        lexicon.unlink()


def test_the_audit_trail_goes_on_and_its_keys_come_back(filled: Any, tmp_path: Path) -> None:
    place = filled
    keys = place.settings.data_dir / KEYS
    trail = Trail.from_settings(place.settings, place.ledger)
    before = trail.add(Entry("lee", Action.SEARCH, query=trail.seal.sealed("fever"))).number
    folder = saved(place, tmp_path / "backup")
    trail.add(Entry("lee", Action.SIGN_OUT))
    keys.unlink()
    put_back(place, folder, "--replace")
    again = Trail.from_settings(place.settings, place.ledger)
    restored, out, search = again.entries(Wanted(), 3)
    assert (restored.number, restored.entry.action, restored.entry.person) == (before + 2, Action.RESTORE, commander())
    assert (out.entry.action, again.seal.opened(search.entry.query)) == (Action.SIGN_OUT, "fever")
    assert keys.stat().st_mode & 0o077 == 0
    assert again.problems() == (before + 2, [])


def test_what_is_put_back_is_read_by_nobody_else_on_its_way(filled: Any, tmp_path: Path) -> None:
    from aspectra.saving import restore as module

    place, folder = filled, saved(filled, tmp_path / "backup")
    scratch = place.settings.data_dir / "restore"
    scratch.mkdir()
    (scratch / "killed.sqlite3").write_text("the notes of a restore that was killed")
    modes: dict[str, int] = {}

    def look(stage: str, done: int, total: int) -> None:
        modes.update({p.name: p.stat().st_mode & 0o777 for p in (scratch, *scratch.glob("*")) if stage == "ledger"})

    down(place.settings, ["worker"])
    module.restore(place.settings, folder, True, look)
    assert modes["restore"] == 0o700
    assert modes["ledger.sqlite3"] == 0o600
    assert "killed.sqlite3" not in modes
    assert not scratch.exists()
    place.ledger = type(place.ledger)(place.ledger.engine)


def test_no_snapshot_outlasts_a_backup_that_failed(filled: Any, tmp_path: Path) -> None:
    place, to = filled, tmp_path / "backup"
    to.mkdir()
    few = f"ulimit -f 16; exec {sys.executable} -m aspectra backup {to}"  # no file above some KB, as on a full disk
    ended = subprocess.run(
        ["bash", "-c", few], env=child_environment(place.settings), capture_output=True, text=True, timeout=300
    )
    assert (ended.returncode, "cannot be written" in ended.stderr) == (1, True), ended.stderr
    assert list(to.iterdir()) == []
    assert snapshots_of(place) == []


def test_a_backup_takes_no_snapshot_along_that_was_left(filled: Any, tmp_path: Path) -> None:
    place, snapshots = filled, Snapshots(filled.client, filled.settings)
    snapshots.register()
    snapshots.take("killed", place.indexes.live())
    folder = saved(place, tmp_path / "backup")
    assert len(list((folder / "index").glob("snap-*.dat"))) == 1
    assert snapshots_of(place) == []


def test_a_snapshot_that_does_not_serve_is_not_left_behind(filled: Any, tmp_path: Path) -> None:
    place = filled
    live, before = place.indexes.live(), place.found()
    place.indexes.say(live, replace(place.indexes.meta(live), schema=1))
    put_back(place, saved(place, tmp_path / "backup"), "--replace")
    assert place.found() == before  # built from the ledger
    assert snapshots_of(place) == []


def test_nothing_is_overwritten_unasked_and_nothing_damaged_is_put_back(filled: Any, tmp_path: Path) -> None:
    place = filled
    Seal(place.settings.data_dir / KEYS).sealed("fever")
    (tmp_path / "backup").mkdir(0o755)
    folder = saved(place, tmp_path / "backup")
    assert folder.stat().st_mode & 0o077 == 0
    assert [f.name for f in folder.iterdir() if f.is_file() and f.stat().st_mode & 0o077] == []
    assert {"ledger.sqlite3", KEYS} <= {f.name for f in folder.iterdir()}
    status, _, errors = place.run("backup", folder)
    assert status == 1
    assert "not an empty folder" in errors
    status, _, errors = place.run("restore", folder)
    assert status == 1
    assert "aspectra down worker" in errors
    down(place.settings, ["worker"])
    status, _, errors = place.run("restore", folder)
    assert status == 1
    assert "--replace" in errors
    place.assert_whole(NOTES)
    with (folder / "ledger.sqlite3").open("r+b") as file:
        file.seek(20_000)
        file.write(b"damage")
    status, _, errors = place.run("restore", folder, "--replace")
    assert status == 1
    assert "ledger.sqlite3 is not as it was saved" in " ".join(errors.split())
    place.assert_whole(NOTES)
    with pytest.raises(AspectraError, match="not a backup"):
        read_manifest(tmp_path)
