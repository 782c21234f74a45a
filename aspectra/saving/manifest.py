"""What a backup folder holds, with a digest of each file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import SecretStr

from search_stack.core.addresses import shown
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.core.settings import Settings

NAME = "backup.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """``counts`` are notes by state; ``snapshot`` is the engine's, empty where there is none."""

    made: str
    version: str
    ledger: str
    counts: Mapping[str, int]
    settings: Mapping[str, str]
    snapshot: str
    files: Mapping[str, str]
    """SHA-256 by path below the folder."""
    format: int = FORMAT


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Last of all: a folder without it is no backup."""
    write_whole(folder / NAME, json.dumps(asdict(manifest), indent=2) + "\n", private=True)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of ``folder``, every file compared with its digest.

    Raises:
        AspectraError: it is no backup, one of a newer Aspectra, or a file is missing or differs.
    """
    try:
        found = Manifest(**json.loads((folder / NAME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as e:
        raise AspectraError(f"{folder} is not a backup.", "Name a folder that `aspectra backup` has made.") from e
    if found.format != FORMAT:
        raise AspectraError(f"{folder} was made by another version of Aspectra.", "Restore it with that version.")
    there = dict(digests(folder))
    if wrong := sorted(name for name in there.keys() | found.files.keys() if there.get(name) != found.files.get(name)):
        raise AspectraError(f"{folder}: {wrong[0]} is not as it was saved.", "Use another copy of this backup.")
    return found


def digests(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != NAME:
            with path.open("rb") as file:
                yield str(path.relative_to(folder)), hashlib.file_digest(file, "sha256").hexdigest()


def plain_settings(settings: Settings) -> dict[str, str]:
    """The settings that are given, without those that are secret, and without passwords inside addresses."""
    given = {name: getattr(settings, name) for name in sorted(settings.model_fields_set)}
    return {
        n: shown(str(v)) if n.endswith("_url") else str(v) for n, v in given.items() if not isinstance(v, SecretStr)
    }
