"""How the demo ends, and whom it lets in."""

from __future__ import annotations

import subprocess
import sys

from access.accounts import Accounts
from access.purposes import Purposes
from access.roles import Role
from aspectra.commands.demo import NAME, account
from ingest.ledger import Ledger
from search_stack.core.schema import Note

TWICE = """
import os, signal, threading
from aspectra.commands import demo
for number in demo.SIGNALS:
    signal.signal(number, demo._interrupt)
pid = os.getpid()
threading.Timer(0.2, lambda: [os.kill(pid, number) for number in demo.SIGNALS * 3]).start()
try:
    threading.Event().wait(20)
except KeyboardInterrupt:
    print("interrupted once")
"""


def test_several_signals_at_once_interrupt_it_once() -> None:
    done = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted once\n", "")


def test_its_account_is_of_a_purpose_that_covers_its_notes_alone(ledger: Ledger) -> None:
    notes = [Note("n1", "t", "p1", collection=NAME), Note("n2", "t", "p2", collection="others")]
    ledger.put(notes, ledger.start_run("x", "csv"))
    first = account(ledger)
    accounts, purposes = Accounts(ledger.engine), Purposes(ledger.engine)
    known = accounts.authenticate(NAME, first)
    assert known
    assert (known.role, known.must_change) == (Role.MANAGER, True)
    (purpose,) = purposes.of(known)
    assert purpose.collections == {NAME}
    second = account(ledger)  # the demo again
    assert accounts.authenticate(NAME, first) is None
    assert accounts.authenticate(NAME, second)
    assert len(purposes.all()) == 1
    purposes.close(purpose.code)
    account(ledger)
    assert [p.code for p in purposes.of(known)] == ["DEMO-2"]
