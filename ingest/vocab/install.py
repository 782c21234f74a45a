"""A new file in the lexicon folder, all or nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.core.files import unwritable, write_whole
from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.files import Placed, parse_lexicon, read_placed, write_lexicon
from search_stack.language.lexicon.joining import Joined
from search_stack.language.lexicon.load import VOCABULARIES, own_files, vocabularies, with_vocabularies

REMEDY = "Check the folder's permissions."
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}")


def file_name(name: str) -> str:
    """The file that a lexicon called ``name`` is kept in.

    Raises:
        AspectraError: it cannot be a file's name.
    """
    bare = name.removesuffix(".csv")
    if not _NAME.fullmatch(bare):
        raise AspectraError("--name holds what a file's name should not.", "Use letters, digits, dots and dashes.")
    return f"{bare}.csv"


def check(placed: Sequence[Placed], folder: Path, name: str) -> None:
    """Whether ``placed`` fits with the shipped concepts and the other files of ``folder``.

    Raises:
        LexiconError: it does not; the message names file, line and column.
    """
    others = [p for path in own_files(folder) if path.name != name for p in read_placed(path)]
    with_vocabularies([*others, *placed], vocabularies(folder))


def install(placed: Sequence[Placed], folder: Path, name: str) -> Path:
    """Write ``placed`` as ``folder/name``, in place of a file of that name, after checking it whole.

    Raises:
        LexiconError: it cannot be used; the folder is as it was.
        AspectraError: the folder cannot be written to.
    """
    check(placed, folder, name)
    target = folder / name
    content = write_lexicon([p.concept for p in placed]).encode()
    parse_lexicon(content, str(target))
    _write(target, content)
    return target


def without(folder: Path, name: str) -> Joined:
    """All concepts where the vocabulary ``name`` is taken away.

    Raises:
        LexiconError: a file of ``folder`` needs it: one of its concepts is a parent there.
    """
    return _with(folder, vocabularies(folder, but=name))


def with_added(folder: Path, name: str, concepts: Sequence[Concept]) -> Joined:
    """All concepts where the vocabulary ``name`` holds ``concepts``."""
    return _with(folder, dict(sorted({**vocabularies(folder, but=name), name: concepts}.items())))


def put_under(folder: Path, name: str, concepts: Sequence[Concept], remarks: Sequence[str]) -> Path:
    """Write the vocabulary ``name``, in place of what it was.

    Raises:
        LexiconError: it cannot be read again; the folder is as it was.
        AspectraError: the folder cannot be written to.
    """
    target = added(folder, name)
    content = write_lexicon(concepts, remarks).encode()
    parse_lexicon(content, str(target))
    _write(target, content)
    return target


def added(folder: Path, name: str) -> Path:
    """Where the vocabulary ``name`` is kept."""
    return folder / VOCABULARIES / f"{name}.csv"


def _with(folder: Path, found: Mapping[str, Sequence[Concept]]) -> Joined:
    return with_vocabularies([p for path in own_files(folder) for p in read_placed(path)], found)


def _write(target: Path, content: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise unwritable(target, e, REMEDY) from e
    write_whole(target, content, REMEDY)
