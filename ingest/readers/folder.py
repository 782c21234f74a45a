"""The files of a folder that are of one kind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ingest.readers.streams import InputFile
from search_stack.core.errors import AspectraError


class Folder:
    """The files at ``path`` whose names end in one of ``endings``: a folder's, or the one file that it is.

    Names that start with a dot are left out, and so are symbolic links: one can lead to any file of
    the machine, and those to folders in circles. ``follow_links`` takes in links to files.
    """

    def __init__(self, path: Path, endings: tuple[str, ...], follow_links: bool = False) -> None:
        self.path = path
        self._endings = endings
        self._follow = follow_links
        self._is_folder = path.is_dir()
        self.links = sum(entry.is_symlink() for entry in self._entries(path)) if self._is_folder else 0
        """Symbolic links that are left out."""
        if follow_links and self._is_folder:
            self.links -= sum(entry.is_symlink() for entry in self._of_kind())

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
        """Who reads the summary is told of links that were left out."""
        left_out = f"{self.links:,} symbolic links were left out. --follow-links reads those that lead to files."
        return [left_out] if self.links else []

    def _of_kind(self) -> Iterator[Path]:
        for path in self._entries(self.path):
            if not path.name.lower().endswith(self._endings) or (path.is_symlink() and not self._follow):
                continue
            if path.is_file():  # no pipe and no device, which have no end
                yield path

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
