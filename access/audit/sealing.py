"""What people asked, readable with a key only that is not in the database."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors, replacing, unreadable

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

KEYS = "audit.key"
"""In the data folder: keys, the one that seals first, a line each."""


class Seal:
    """Fernet (AES-128-CBC with HMAC-SHA256), whose keys stand in a file of the owner's."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._keys: MultiFernet | None = None

    def sealed(self, text: str) -> str:
        """
        Raises:
            AspectraError: there is no key, and none can be made; the file holds something else.
        """
        return self._known(make=True).encrypt(text.encode()).decode() if text else ""

    def opened(self, sealed: str) -> str | None:
        """What was sealed; None where no key here opens it."""
        from cryptography.fernet import InvalidToken

        try:
            return self._known(make=False).decrypt(sealed).decode() if sealed else ""
        except (InvalidToken, AspectraError):
            return None

    def _known(self, make: bool) -> MultiFernet:
        if self._keys is None:
            self._keys = self._read(make)
        return self._keys

    def _read(self, make: bool) -> MultiFernet:
        from cryptography.fernet import Fernet, MultiFernet  # 50 ms, which not every command needs

        if make and not self._file.exists():
            _put(self._file, Fernet.generate_key() + b"\n")
        try:
            return MultiFernet([Fernet(line) for line in self._file.read_bytes().split()])
        except (OSError, ValueError) as e:
            raise unreadable(self._file, e, "Put it back from a backup.") from e


def add_keys(file: Path, other: Path) -> None:
    """Have the keys of ``other`` open what they sealed here too; the one that seals stays the same.

    Raises:
        AspectraError: they cannot be read or written.
    """
    with disk_errors(file):
        here = file.read_bytes().split() if file.exists() else []
        new = [key for key in other.read_bytes().split() if key not in here]
        if new:
            with replacing(file, private=True) as whole:
                whole.write(b"".join(key + b"\n" for key in [*here, *new]))


def _put(file: Path, content: bytes) -> None:
    """Make ``file``, unless another process just did."""
    beside = file.with_name(f".{file.name}.{token_hex(4)}.new")
    with replacing(beside, private=True) as whole:
        whole.write(content)
    with disk_errors(file):
        with suppress(FileExistsError):
            os.link(beside, file)
        beside.unlink()
