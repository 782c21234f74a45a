"""Which bundles were chosen to serve: a small file in the data folder, below settings that are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable, write_whole

Field = Literal["encoder_bundle", "reranker_bundle"]
FIELD: dict[str, Field] = {"bi": "encoder_bundle", "cross": "reranker_bundle"}
"""By a bundle's kind, the setting that names the one that serves."""
CHOICE = "models.json"


def field_of(kind: str, name: str) -> Field:
    """The setting that names the bundle of this ``kind`` which serves; ``name``: of the bundle that is to.

    Raises:
        AspectraError: it is a reader of mentions, which no setting names.
    """
    if kind not in FIELD:
        raise AspectraError(
            f"{name} reads mentions; it neither encodes nor ranks.",
            "To label with another reader, put its folder into the lexicon's folder as reader.",
        )
    return FIELD[kind]


def promoted(data_dir: Path) -> dict[str, str]:
    """By setting, the bundle's name or folder; empty before the first choice.

    Raises:
        AspectraError: the file cannot be used.
    """
    noted = data_dir / CHOICE
    try:
        found = json.loads(noted.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as e:
        raise unreadable(noted, e, "Delete it to serve the shipped models.") from e
    if not isinstance(found, dict) or not all(isinstance(found.get(f, ""), str) for f in FIELD.values()):
        raise AspectraError(f"{noted}: does not name bundles.", "Delete it to serve the shipped models.")
    return {f: found[f] for f in FIELD.values() if f in found}


def promote(data_dir: Path, field: Field, bundle: str) -> None:
    """Note ``bundle`` for ``field``, whole or not at all."""
    chosen = promoted(data_dir) | {field: bundle}
    write_whole(data_dir / CHOICE, json.dumps(chosen, indent=2) + "\n", "Free some space and try again.")
