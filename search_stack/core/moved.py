"""Where the ledger was moved to: a small file in the data folder, below settings that are given."""

from __future__ import annotations

import json
from pathlib import Path

from search_stack.core.files import unreadable, write_whole

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
        raise unreadable(noted, e, "Set ASPECTRA_LEDGER_URL, and delete the file.") from e
    return str(found)


def note_moved_ledger(data_dir: Path, address: str) -> None:
    """Readable by its owner only, since an address may hold a password; whole or not at all."""
    noted = json.dumps({"ledger_url": address})
    write_whole(data_dir / CHOICE, noted, "Set ASPECTRA_LEDGER_URL yourself.", private=True)
