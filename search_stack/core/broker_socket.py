"""Where the local broker listens: a Unix socket in a folder that no neighbour may enter."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

LONGEST = 107
"""Bytes that the address of a Unix socket may have on Linux."""
_NAME = "broker.sock"


def socket_path(data_dir: Path) -> Path:
    """The socket in ``data_dir/broker``; where that path is too long for one, in a folder whose name is worked out
    from it, so that every process of this user finds the same. Whoever makes that folder must look whose it is."""
    inside = data_dir.absolute() / "broker" / _NAME
    if len(os.fsencode(inside)) <= LONGEST:
        return inside
    user = os.geteuid()
    mark = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    return Path("/tmp" if user else "/run", f"aspectra-{user}-{mark}", _NAME)  # noqa: S108


def socket_address(path: Path) -> str:
    """The address as Celery reads it.

    >>> socket_address(Path("/srv/my data/broker.sock"))
    'redis+socket:///srv/my%20data/broker.sock'
    """
    return f"redis+socket://{quote(str(path))}"
