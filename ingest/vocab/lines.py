"""Lines of a vocabulary's file, as text with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ingest.readers.streams import InputFile, Lines, RecordTooLongError
from search_stack.core.errors import AspectraError

LINE_BYTES = 2**20
TICK = 500
"""Lines between two reports of how far it got."""


def numbered(path: Path, tick: Callable[[int], None]) -> Iterator[tuple[int, str]]:
    """Number and text of each line, without its end; ``tick`` gets the bytes read.

    The file may be gzipped.

    Raises:
        AspectraError: it cannot be read, or a line is not UTF-8 or longer than 1 MiB.
    """
    with InputFile(path) as source:
        lines = Lines(source, LINE_BYTES)
        while True:
            lines.begin_record()
            try:
                line = next(lines, b"")
            except RecordTooLongError as e:
                raise wrong(path, lines.number, f"a line {e}", "Is it a vocabulary?") from None
            if not line:
                break
            try:
                text = line.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                raise wrong(path, lines.number, "not UTF-8", "Save the file as UTF-8.") from None
            yield lines.number, text
            if lines.number % TICK == 0:
                tick(source.position)
        tick(source.position)


def wrong(path: Path, line: int, what: str, remedy: str) -> AspectraError:
    """The error of a line, to be raised."""
    return AspectraError(f"{path}:{line}: {what}.", remedy)
