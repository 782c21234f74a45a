"""A lock file is its owner's alone, and nobody waits for ever."""

from __future__ import annotations

import os
import pwd
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from aspectra.stack.folders import locked
from ingest.ledger.database import open_database
from search_stack.core import file_lock as module
from search_stack.core.errors import AspectraError
from search_stack.core.file_lock import file_lock


def never(holder: str) -> None:
    raise AssertionError(f"waited for {holder}")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def loose_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("loose_umask")
@pytest.mark.parametrize("there", [False, True])
def test_only_the_owner_can_open_it_whatever_the_umask(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "lock"
    if there:
        path.touch()
        path.chmod(0o666)
    with file_lock(path, never):
        assert mode(path) == 0o600


@pytest.mark.usefixtures("loose_umask")
def test_the_locks_of_ledger_and_stack_are_private(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}").dispose()
    assert mode(tmp_path / "ledger.sqlite3.lock") == 0o600
    with locked(tmp_path / "lock", never):
        assert mode(tmp_path / "lock") == 0o600


def test_the_holder_is_named_and_waiting_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAID_AFTER", 0.1)
    path, heard = tmp_path / "lock", list[str]()
    held = pytest.raises(AspectraError, match=f"held by process {os.getpid()} for more")
    with file_lock(path, never), held, file_lock(path, heard.append, patience=0.5):
        pass
    assert heard == [f"process {os.getpid()}"]
    with file_lock(path, never):
        pass


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(AspectraError, match="cannot be written"), locked(tmp_path / "lock", never):
        pass
    assert (tmp_path / "precious").read_text() == "kept"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_another_user_cannot_hold_the_ledger_up() -> None:
    nobody = pwd.getpwnam("nobody")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        before = os.umask(0)
        try:
            open_database(f"sqlite:///{folder / 'ledger.sqlite3'}").dispose()
        finally:
            os.umask(before)
        child = os.fork()
        if child == 0:
            os.setgid(nobody.pw_gid)
            os.setuid(nobody.pw_uid)
            try:
                (folder / "ledger.sqlite3.lock").open()
            except PermissionError:
                os._exit(7)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
