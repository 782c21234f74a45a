"""Figures that were measured once and are not measured again: under a digest of all that they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors, write_whole

UNREAD = frozenset((".onnx", ".pyc"))
"""Ends of files that are no code: a bundle's weights are told by the digest in its ``bundle.json``."""
LENGTH = 24
"""Hexadecimal digits of a digest that are kept."""


class Kept(BaseModel):
    """What a command measured."""

    command: list[str]
    seconds: float
    """That it took."""
    ended: str
    """When it was done, ISO 8601."""
    figures: dict[str, Any]
    """As the command wrote them with --json."""


class KeptFigures:
    """A folder with a file for each digest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, digest: str) -> Kept | None:
        """None where there are none, or none that can be read: they are measured anew."""
        try:
            return Kept.model_validate_json(self._file(digest).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, ValidationError):
            return None

    def put(self, digest: str, kept: Kept) -> None:
        """
        Raises:
            AspectraError: it cannot be written; what was there before is as it was.
        """
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._file(digest), kept.model_dump_json(indent=1) + "\n")

    def _file(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"


def digest_of(files: Mapping[str, Path], options: Sequence[str], models: Mapping[str, str], code: str) -> str:
    """Of what figures depend on.

    Args:
        files: the data, by a name that does not depend on where it lies.
        options: of the command, without the data's.
        models: what the figures are of, each by its name and its own digest or value.
        code: `code_version` of what measures.

    Raises:
        AspectraError: a file cannot be read.
    """
    said = {
        "files": {name: _of_file(file) for name, file in sorted(files.items())},
        "options": list(options),
        "models": dict(sorted(models.items())),
        "code": code,
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:LENGTH]


@cache
def code_version(*packages: str) -> str:
    """A digest of all that ``packages`` consist of: Python, and the data that it reads."""
    found = hashlib.sha256()
    for package in packages:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            found.update(_of_folder(Path(folder)).encode())
    return found.hexdigest()[:LENGTH]


def folder_version(folder: Path) -> str:
    """A digest of the names and contents of all files below ``folder``; empty where it is none."""
    return _of_folder(folder)[:LENGTH] if folder.is_dir() else ""


def _of_folder(folder: Path) -> str:
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix not in UNREAD:
            found.update(f"{file.relative_to(folder)}\0{_of_file(file)}\n".encode())
    return found.hexdigest()


def _of_file(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read ({e.strerror}).", "Check the path.") from e
