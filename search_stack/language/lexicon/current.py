"""What is made of the lexicon files, made again when they change."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.load import VOCABULARIES, load_lexicon

log = logging.getLogger(__name__)
_T = TypeVar("_T")
WATCHED = ("*.csv", f"{VOCABULARIES}/*.csv", "*.npz")
"""Files of the folder that labels hang on."""


class Current(Generic[_T]):
    """Calls give ``make(lexicon)`` of the files as they stand; a broken file leaves what was before in use.

    Raises:
        AspectraError: the first call finds a broken file.
    """

    def __init__(self, folder: Path, make: Callable[[Lexicon], _T]) -> None:
        self._folder = folder
        self._make = make
        self._lock = threading.Lock()
        self._seen: object = None
        self._made: _T | None = None

    def __call__(self) -> _T:
        with self._lock:
            stamp = _stamp(self._folder)
            if self._made is None:
                self._made, self._seen = self._make(load_lexicon(self._folder)), stamp
            elif stamp != self._seen:
                self._seen = stamp
                try:
                    self._made = self._make(load_lexicon(self._folder))
                except AspectraError as e:
                    log.error("the lexicon before stays in use: %s", e.message)
            return self._made


def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    try:
        found = [(str(f), f.stat()) for pattern in WATCHED for f in folder.glob(pattern)]
    except OSError:
        return ()
    return tuple(sorted((name, s.st_mtime_ns, s.st_size) for name, s in found))
