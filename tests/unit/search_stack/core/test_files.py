"""Files that are written whole or not at all, and what is said where they cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.core.files import replacing, unreadable, unwritable, write_whole


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "é")
    write_whole(path, b"second", private=True)
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_breaks_off_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "first")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"half", "text"])  # type: ignore[list-item]  # on purpose: it fails half-way
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_public_file_has_the_mode_that_others_get(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "a", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


def test_a_folder_that_is_not_there_is_an_error_for_people(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.json"
    with pytest.raises(AspectraError) as caught:
        write_whole(path, "text", "Choose another --out.")
    assert caught.value.message == f"{path}: cannot be written (No such file or directory)."
    assert caught.value.remedy == "Choose another --out."
    with pytest.raises(AspectraError, match=r"it is not there.*Bring it back"):
        write_whole(path, "text")


def test_only_the_systems_own_words_are_repeated() -> None:
    assert unreadable("a.csv", OSError(13, "Permission denied")).message == "a.csv: cannot be read (Permission denied)."
    assert unreadable("a.csv", ValueError("Mr Smith")).message == "a.csv: cannot be read."
    assert unwritable("a.csv", OSError(28, "No space left on device")).remedy == "Choose another place."
