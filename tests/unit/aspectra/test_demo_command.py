"""How the demo ends."""

from __future__ import annotations

import subprocess
import sys

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
