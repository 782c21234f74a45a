"""The trail told to a collector, which speaks TLS and may be away."""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from access.audit import sending
from access.audit.entry import Action, Entry, Outcome
from access.audit.sending import AGAIN, SENT, Sender, message, sent
from access.audit.trail import Trail
from aspectra.stack.doctor import doctor
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from tests.certificates import write_certificate
from tests.conftest import free_port

LINE = re.compile(rb"<(\d+)>1 (\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z) (\S+) aspectra - audit - (\{.*\})")


class Collector:
    """Takes what comes, and keeps it."""

    def __init__(self, port: int, certificate: Path, key: Path) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.port, self.came, self.connections = port, b"", 0

    @contextmanager
    def running(self) -> Iterator[None]:
        listening = socket.create_server(("127.0.0.1", self.port))
        taken: list[ssl.SSLSocket] = []
        thread = Thread(target=self._serve, args=(listening, taken))
        thread.start()
        try:
            yield
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            for connection in taken:
                with suppress(OSError):  # the sender has gone already
                    connection.shutdown(socket.SHUT_RDWR)
            thread.join()
            listening.close()

    def _serve(self, listening: socket.socket, taken: list[ssl.SSLSocket]) -> None:
        while True:
            try:
                plain, _ = listening.accept()
                with self.context.wrap_socket(plain, server_side=True) as connection:
                    taken.append(connection)
                    self.connections += 1
                    while more := connection.recv(65536):
                        self.came += more
                    taken.remove(connection)
            except ssl.SSLError:
                continue
            except OSError:
                return

    @property
    def told(self) -> list[dict[str, Any]]:
        """Each message, by its frame."""
        rest, found = self.came, []
        while rest:
            length, _, rest = rest.partition(b" ")
            if len(rest) < int(length):
                break
            line = LINE.fullmatch(rest[: int(length)])
            assert line
            found.append({"priority": int(line[1]), **json.loads(line[4])})
            rest = rest[int(length) :]
        return found

    def numbers(self) -> list[int]:
        return [one["number"] for one in self.told]


def until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.01)


@pytest.fixture
def trail(ledger: Ledger, tmp_path: Path) -> Trail:
    return Trail(ledger.engine, tmp_path)


@pytest.fixture
def collector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Collector:
    monkeypatch.setattr(sending, "LOOKED", 0.05)
    return Collector(free_port(), *write_certificate(tmp_path, ("localhost",)))


@contextmanager
def sender(trail: Trail, collector: Collector, folder: Path, ca: Path | None = None) -> Iterator[None]:
    place = {"audit_collector": f"localhost:{collector.port}"}
    place |= {"audit_collector_ca_file": str(ca or folder / "certificate.pem")}
    made = Sender(trail, Settings(data_dir=folder, **place))  # type: ignore[arg-type]  # by name
    thread = Thread(target=made.run)
    thread.start()
    try:
        yield
    finally:
        made.stop()
        thread.join()


def test_each_entry_is_told_once_it_is_kept(trail: Trail, collector: Collector, tmp_path: Path) -> None:
    heads = [trail.add(Entry("lee", Action.NOTE, Outcome.DONE, ("P-17", "P-18"), ("N-9",), "sealed", {"cohort": 3}))]
    with collector.running(), sender(trail, collector, tmp_path):
        until(lambda: len(collector.told) == 1)
        heads.append(trail.add(Entry("kim", Action.SIGN_IN, Outcome.REFUSED, about={"address": "10.0.0.7"})))
        until(lambda: len(collector.told) == 2)
        until(lambda: sent(tmp_path / SENT) == 2)
    first, second = collector.told
    own = {"person": "lee", "action": "note", "outcome": "done", "patients": 2, "notes": 1, "about": {"cohort": 3}}
    assert first == {"priority": 109, "number": 1, **own, "digest": heads[0].digest}
    assert (second["priority"], second["about"], second["digest"]) == (108, {"address": "10.0.0.7"}, heads[1].digest)
    for word in (b"P-17", b"N-9", b"sealed"):
        assert word not in collector.came
    assert (tmp_path / SENT).stat().st_mode & 0o777 == 0o600


def test_nothing_is_left_out_where_the_collector_is_away_for_a_while(
    trail: Trail, collector: Collector, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with sender(trail, collector, tmp_path):
        for _ in range(3):
            trail.add(Entry("lee", Action.NOTE))  # nobody waits
        until(lambda: "cannot be sent on" in caplog.text)
        with collector.running():
            until(lambda: collector.numbers() == [1, 2, 3])
        trail.add(Entry("lee", Action.NOTE))
        with collector.running():
            until(lambda: 4 in collector.numbers())
    with collector.running(), sender(trail, collector, tmp_path):  # the page, started anew
        trail.add(Entry("lee", Action.NOTE))
        until(lambda: 5 in collector.numbers())
    assert set(collector.numbers()) == {1, 2, 3, 4, 5}


def test_what_was_sent_long_ago_is_not_sent_again(trail: Trail, collector: Collector, tmp_path: Path) -> None:
    for _ in range(AGAIN + 5):
        trail.add(Entry("lee", Action.NOTE))
    (tmp_path / SENT).write_text(f"{AGAIN + 3}\n")
    with collector.running(), sender(trail, collector, tmp_path):
        until(lambda: AGAIN + 5 in collector.numbers())
    assert collector.numbers() == list(range(4, AGAIN + 6))


def test_nobody_else_is_told(
    trail: Trail, collector: Collector, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "other").mkdir()
    other, _ = write_certificate(tmp_path / "other", ("localhost",))
    trail.add(Entry("lee", Action.NOTE))
    with collector.running(), sender(trail, collector, tmp_path, other):
        until(lambda: "cannot be sent on" in caplog.text)
    assert collector.came == b""


def test_what_a_hand_has_changed_is_told_as_it_is(trail: Trail) -> None:
    trail.add(Entry("lee", Action.NOTE, patients=("P-1",)))
    (row,) = trail.following(0, 9)
    broken = type(row)(row.number, row.at, {**row.columns, "patients": "no list", "about": "{"}, row.digest)
    assert b'"patients": 0' in message(broken, "host")


def test_the_settings_name_a_place_and_its_authority(tmp_path: Path, trail: Trail) -> None:
    for wrong in ("siem.example", "siem.example:port", "https://siem.example:1", "siem.example:1/", "u@h:1", "h:0"):
        with pytest.raises(ValueError, match="no host and port"):
            Settings(audit_collector=wrong)
    place = Settings(data_dir=tmp_path, audit_collector="[fe80::1]:6514", audit_collector_ca_file=tmp_path / "gone")
    with pytest.raises(AspectraError, match="gone: cannot be read"):
        Sender(trail, place)


def test_the_doctor_says_how_much_waits(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, cache_dir=tmp_path, engine_port=1, audit_collector="siem.example:6514")
    trail = Trail.from_settings(settings, Ledger.from_settings(settings))

    def said() -> list[tuple[bool, str]]:
        return [(check.ok, check.detail) for check in doctor(settings) if check.name == "audit collector"]

    assert said() == [(True, "0 entries of the audit trail were sent to siem.example:6514")]
    for _ in range(101):
        trail.add(Entry("lee", Action.NOTE))
    assert said() == [(False, "101 entries of the audit trail wait to be sent to siem.example:6514.")]
    (tmp_path / SENT).write_text("90\n")
    assert said() == [(True, "90 entries of the audit trail were sent to siem.example:6514")]
