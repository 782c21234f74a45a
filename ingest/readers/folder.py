"""The files of a folder that are of one kind."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from ingest.readers.streams import InputFile
from search_stack.core.errors import AspectraError

KINDS = 8
"""Endings that the summary names."""
_ENDING = re.compile(r"\.[a-z0-9]{1,7}")
"""What may be shown of a file's name: the rest may say who the patient is, and so may what follows a dot in it."""


class Folder:
    """The files at ``path`` whose names end in one of ``endings``, and which ``takes`` takes: a folder's, or the one
    file that it is.

    Names that start with a dot are left out, and so are symbolic links: one can lead to any file of
    the machine, and those to folders in circles. ``follow_links`` takes in links to files.
    """

    def __init__(
        self,
        path: Path,
        endings: tuple[str, ...],
        follow_links: bool = False,
        takes: Callable[[Path], bool] = lambda file: True,
    ) -> None:
        self.path = path
        self._endings = endings
        self._takes = cache(takes)
        self._follow = follow_links
        self._is_folder = path.is_dir()
        self.links = 0
        """Symbolic links that are left out."""
        self.others: Counter[str] = Counter()
        """Files that are left out since their names end otherwise, by ending; empty where there is none to be shown."""
        if self._is_folder:
            self._count()

    def files(self) -> Iterator[Path]:
        """The files, sorted within each folder.

        Raises:
            AspectraError: a folder cannot be listed.
        """
        return self._of_kind() if self._is_folder else iter((self.path,))

    def name(self, file: Path) -> str:
        """File name; within a folder, the path below it."""
        return file.relative_to(self.path).as_posix() if self._is_folder else file.name

    def open(self, file: Path) -> InputFile:
        return InputFile(file, follow_link=self._follow or not self._is_folder)

    def total_bytes(self) -> int:
        """Size of the files, as stored."""
        return sum(map(size, self.files()))

    @property
    def remarks(self) -> list[str]:
        """Who reads the summary is told of links and files that were left out."""
        remarks = []
        if self.links:
            links = f"{self.links:,} symbolic links were left out. --follow-links reads those that lead to files."
            remarks.append(links)
        if self.others:
            kinds = [ending or "without an ending" for ending, _ in self.others.most_common(KINDS)]
            kinds += ["…"] if len(self.others) > KINDS else []
            remarks.append(f"{self.others.total():,} files of other kinds were left out: {', '.join(kinds)}.")
        return remarks

    def _count(self) -> None:
        for path in self._entries(self.path):
            if path.is_symlink():
                self.links += not (self._follow and self._is_read(path))
            elif path.is_file() and not self._is_read(path):
                ending = path.suffix.lower()
                self.others[ending if _ENDING.fullmatch(ending) else ""] += 1

    def _of_kind(self) -> Iterator[Path]:
        for path in self._entries(self.path):
            if self._is_read(path) and (self._follow or not path.is_symlink()):
                yield path

    def _is_named_so(self, path: Path) -> bool:
        return path.name.lower().endswith(self._endings)

    def _is_read(self, path: Path) -> bool:
        """It, or what it leads to, is no pipe and no device, which have no end."""
        return self._is_named_so(path) and path.is_file() and self._takes(path)

    def _entries(self, folder: Path) -> Iterator[Path]:
        """All that could be a file of the kind: links, files, and those of the folders below."""
        try:
            with os.scandir(folder) as entries:
                found = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in entries if not e.name.startswith("."))
        except OSError as e:
            raise AspectraError(f"Folder {folder} cannot be listed: {e.strerror}.", "Check its permissions.") from e
        for name, is_folder in found:
            if is_folder:
                yield from self._entries(folder / name)
            else:
                yield folder / name


def size(file: Path) -> int:
    """Bytes of the file as stored."""
    try:
        return file.stat().st_size
    except OSError:
        return 0  # gone since it was listed: reading it says so
