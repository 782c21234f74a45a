"""Where the ledger was moved to: a small file in the data folder, below settings that are given."""

from __future__ import annotations

import json
import os
from pathlib import Path

from search_stack.errors import AspectraError

CHOICE = "ledger.json"


def moved_ledger(data_dir: Path) -> str | None:
    """The ledger's address; None where it was never moved.

    Raises:
        AspectraError: the file cannot be used.
    """
    noted = data_dir / CHOICE
    try:
        found = json.loads(noted.read_text(encoding="utf-8"))["ledger_url"]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise AspectraError(f"{noted}: cannot be read.", "Set ASPECTRA_LEDGER_URL, and delete the file.") from e
    return str(found)


def note_moved_ledger(data_dir: Path, address: str) -> None:
    """Readable by its owner only, since an address may hold a password; whole or not at all."""
    noted = data_dir / CHOICE
    fresh = noted.with_suffix(".part")
    try:
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump({"ledger_url": address}, file)
        fresh.replace(noted)
    except OSError as e:
        raise AspectraError(f"{noted}: cannot be written ({e.strerror}).", "Set ASPECTRA_LEDGER_URL yourself.") from e
