"""XML whose elements know the line that they begin on, so that what is amiss can be said with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from search_stack.core.errors import AspectraError


@dataclass(frozen=True, slots=True)
class Placed:
    file: Path
    root: Element
    lines: Mapping[Element, int]
    """By element, the line of its opening tag, from 1."""

    def place(self, node: Element) -> str:
        """File and line, as an error begins."""
        return f"{self.file}:{self.lines[node]}"


def parse(file: Path, of: str) -> Placed:
    """The whole of ``file``; ``of`` says what it should hold. Nothing outside it is read.

    Raises:
        AspectraError: it cannot be read, or is no XML; the message names the line.
    """
    try:
        content = file.read_bytes()
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read: {e.strerror}.", "Name a file that is there.") from e
    builder, reader, lines = TreeBuilder(), expat.ParserCreate(), dict[Element, int]()

    def begin(tag: str, attributes: dict[str, str]) -> None:
        lines[builder.start(tag, attributes)] = reader.CurrentLineNumber

    reader.StartElementHandler = begin
    reader.EndElementHandler = builder.end
    reader.CharacterDataHandler = builder.data
    reader.buffer_text = True
    try:
        reader.Parse(content, True)
    except expat.ExpatError as e:
        said = expat.ErrorString(e.code)
        raise AspectraError(f"{file}:{e.lineno}: this is no XML ({said}).", f"Give a whole file of {of}.") from e
    except (LookupError, ValueError) as e:
        raise AspectraError(f"{file}:1: its encoding is not known.", "Save it as UTF-8.") from e
    return Placed(file, builder.close(), lines)
