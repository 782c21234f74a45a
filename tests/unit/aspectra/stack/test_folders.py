from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from aspectra.stack.folders import Account, closed_to, make_data_folders, make_folder
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

STRANGER = Account("stranger", 54321, 54321)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_has_its_mode_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert mode(make_folder(tmp_path / "new", 0o711)) == 0o711
    finally:
        os.umask(before)


def test_an_old_folder_gains_bits_and_loses_none(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    old.chmod(0o740)
    assert mode(make_folder(old, 0o711)) == 0o751


def test_a_file_in_the_way_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AspectraError, match="ASPECTRA_DATA_DIR"):
        make_folder(tmp_path / "file" / "below", 0o700)


def test_only_the_way_through_is_open(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    make_data_folders(settings)
    assert mode(settings.data_dir / "run") == 0o700
    assert mode(settings.data_dir) == (0o711 if os.geteuid() == 0 else 0o700)


def test_closed_to_names_the_first_closed_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    outer.chmod(0o700)
    inner.chmod(0o700)
    closed = closed_to(STRANGER, inner)
    assert closed is not None
    assert outer == closed or closed in outer.parents  # pytest's own folder may be closed, too
    us = Account("us", os.geteuid(), os.getegid())
    assert closed_to(us, inner) is None


def test_several_may_make_the_same_folder_at_once(tmp_path: Path) -> None:
    at_once = 4
    for n in range(200):
        path, together = tmp_path / str(n), Barrier(at_once)

        def make(path: Path = path, together: Barrier = together) -> Path:
            together.wait()
            return make_folder(path, 0o711)

        with ThreadPoolExecutor(at_once) as pool:
            made = [pool.submit(make) for _ in range(at_once)]
        assert {one.result() for one in made} == {path}
        assert mode(path) == 0o711
