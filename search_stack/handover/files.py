"""Files of an export while it is written: their owner's only, and on the disk before they count."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_PIECE = 1 << 20


@contextmanager
def private_file(path: Path) -> Iterator[BinaryIO]:
    """``path``, anew, for its owner only; on the disk at the end.

    Raises:
        OSError: it cannot be written.
    """
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def measured(path: Path) -> tuple[int, str]:
    """Bytes and SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return path.stat().st_size, digest.hexdigest()
