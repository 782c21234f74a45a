"""A new file in the lexicon folder, all or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.core.files import unwritable, write_whole
from search_stack.language.lexicon.files import Placed, parse_lexicon, read_placed, write_lexicon
from search_stack.language.lexicon.load import merged, own_files, shipped

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
    merged(shipped(), [*others, *placed])


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
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise unwritable(target, e, REMEDY) from e
    write_whole(target, content, REMEDY)
    return target
