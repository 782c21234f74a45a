"""What people asked, readable with a key only that is not in the database."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING

from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors, replacing, unreadable

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEYS = "audit.key"
"""In the data folder: keys of 256 bits in base64, the one that seals first, a line each."""
_FORM = "2."
"""Before what is sealed by AES-256-GCM; what has no such beginning is Fernet's (AES-128-CBC), from before."""
_ABOUT = b"aspectra audit query"
_NONCE = 12
"""Bytes, random: among 2^32 entries under one key two share one with a chance below 2^-32 (SP 800-38D, 8.3)."""


class Seal:
    """AES-256-GCM (NIST SP 800-38D), whose keys come, by HKDF-SHA256, from those in a file of the owner's."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._keys: tuple[list[AESGCM], MultiFernet] | None = None

    def sealed(self, text: str) -> str:
        """
        Raises:
            AspectraError: there is no key, and none can be made; the file holds something else.
        """
        if not text:
            return ""
        nonce, (first, *_) = token_bytes(_NONCE), self._known(make=True)[0]
        written = text.encode("utf-8", "replace")  # half a character, which no page could show, is a question mark
        return _FORM + urlsafe_b64encode(nonce + first.encrypt(nonce, written, _ABOUT)).decode()

    def opened(self, sealed: str) -> str | None:
        """What was sealed; None where no key here opens it."""
        from cryptography.exceptions import InvalidTag
        from cryptography.fernet import InvalidToken

        if not sealed:
            return ""
        try:
            keys, earlier = self._known(make=False)
            if not sealed.startswith(_FORM):
                return earlier.decrypt(sealed).decode()
            said = urlsafe_b64decode(sealed.removeprefix(_FORM))
        except (InvalidToken, AspectraError, ValueError):
            return None
        for key in keys:
            with suppress(InvalidTag, ValueError):
                return key.decrypt(said[:_NONCE], said[_NONCE:], _ABOUT).decode()
        return None

    def _known(self, make: bool) -> tuple[list[AESGCM], MultiFernet]:
        if self._keys is None:
            self._keys = self._read(make)
        return self._keys

    def _read(self, make: bool) -> tuple[list[AESGCM], MultiFernet]:
        from cryptography.fernet import Fernet, MultiFernet  # 50 ms, which not every command needs

        if make and not self._file.exists():
            _put(self._file, _fresh())
        try:
            lines = self._file.read_bytes().split()
            return [_cipher(line) for line in lines], MultiFernet([Fernet(line) for line in lines])
        except (OSError, ValueError) as e:
            raise unreadable(self._file, e, "Put it back from a backup.") from e


def _cipher(line: bytes) -> AESGCM:
    """With a key of its own purpose: that of the line is Fernet's as well.

    Raises:
        ValueError: the line is no base64.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), 32, salt=None, info=_ABOUT).derive(urlsafe_b64decode(line)))


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


def renew_key(file: Path) -> None:
    """Have a new key seal from now on, in every process that starts; those before it go on opening.

    Raises:
        AspectraError: the file cannot be read or written.
    """
    with disk_errors(file):
        here = file.read_bytes() if file.exists() else b""
        with replacing(file, private=True) as whole:
            whole.write(_fresh() + here)


def _fresh() -> bytes:
    return urlsafe_b64encode(token_bytes(32)) + b"\n"


def _put(file: Path, content: bytes) -> None:
    """Make ``file``, unless another process just did."""
    beside = file.with_name(f".{file.name}.{token_hex(4)}.new")
    with replacing(beside, private=True) as whole:
        whole.write(content)
    with disk_errors(file):
        with suppress(FileExistsError):
            os.link(beside, file)
        beside.unlink()
