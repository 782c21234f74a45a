from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from search_stack.core.broker_socket import LONGEST, socket_path
from search_stack.core.settings import Settings


def test_a_short_folder_holds_the_socket() -> None:
    assert socket_path(Path("/srv/aspectra")) == Path("/srv/aspectra/broker/broker.sock")


@pytest.mark.parametrize("extra", [0, 1])
def test_the_longest_path_is_one_that_a_socket_can_have(extra: int, tmp_path: Path) -> None:
    room = LONGEST - len(os.fsencode(tmp_path / "x" / "broker" / "broker.sock")) + 1 + extra
    data = tmp_path / ("x" * room)
    path = socket_path(data)
    assert path.is_relative_to(data) is (extra == 0)
    folder = data / "broker"
    folder.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as made:
        if extra:
            with pytest.raises(OSError, match="too long"):
                made.bind(str(folder / "broker.sock"))
        else:
            made.bind(str(path))


def test_a_long_folders_socket_is_the_users_own_and_always_the_same() -> None:
    data = Path("/srv", "x" * 120)
    path = socket_path(data)
    assert path == socket_path(data)
    assert f"aspectra-{os.geteuid()}-" in path.parent.name
    assert path != socket_path(data / "other")
    assert len(os.fsencode(path)) <= LONGEST


def test_a_relative_folder_gives_an_absolute_address() -> None:
    assert Settings(data_dir=Path("data")).broker_address.startswith("redis+socket:///")
