"""A person at a real terminal, in which a command runs."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
from collections.abc import Mapping

_CODES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\([A-Z])")
ASKED = "stop"
"""The last word on the screen while a key is waited for."""


class Person:
    """Sits at a terminal that a command runs in."""

    def __init__(self, own: Mapping[str, str], *arguments: str) -> None:
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            environment = {**os.environ, **own, "TERM": "xterm-256color"}
            os.execve(sys.executable, [sys.executable, "-m", "aspectra", *arguments], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 300, 0, 0))
        self.raw = b""
        self.now = ""

    def sees(self, *words: str) -> str:
        """Read on until each of ``words`` is there, and the question after them."""
        while not all(word in self.now for word in (*words, ASKED)) or not self.now.rstrip().endswith(ASKED):
            assert self._read(), f"it ended, and never showed {words}: {self.now}"
        return self.now

    def types(self, key: str) -> None:
        self.now = ""
        os.write(self.terminal, key.encode())

    def ends(self) -> str:
        """What it says once its screen is gone."""
        while self._read():
            pass
        assert os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]) == 0, self.now
        return " ".join(_CODES.sub("", self.raw.decode().rpartition("\x1b[?1049l")[2]).split())

    def is_killed(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def _read(self) -> bool:
        try:
            got = os.read(self.terminal, 65536)
        except OSError:  # how a terminal ends on Linux
            return False
        self.raw += got
        self.now = _CODES.sub("", self.raw.rpartition(b"\x1b[2J")[2].decode(errors="replace")).replace("\r", "")
        return bool(got)
