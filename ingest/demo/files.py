"""Reads the text files of the notes; what is wrong in one is told with file, line and remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ingest.demo.schema import Case, CaseFile, Phrases, Story, Styles
from search_stack.core.errors import AspectraError

T = TypeVar("T", bound=BaseModel)
HELP = "ingest/demo/README.md describes the fields."


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the place of things in it."""

    name: str
    text: str

    def parse(self, form: type[T]) -> T:
        """Raises:
        AspectraError: the file is not TOML, or says what ``form`` does not hold.
        """
        try:
            return form.model_validate(tomllib.loads(self.text))
        except tomllib.TOMLDecodeError as e:
            raise AspectraError(f"{self.name} is no TOML: {e}.", "Look for a missing quote or bracket there.") from e
        except ValidationError as e:
            first = e.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise AspectraError(f"{self.name}, line {self._line(first['loc'])}: {field}: {first['msg']}.", HELP) from e

    def find(self, words: str) -> int | None:
        """The line where ``words`` stand first, however they are broken into lines."""
        found = re.search(r"\s+".join(map(re.escape, words.split())), self.text)
        return self.text.count("\n", 0, found.start()) + 1 if found else None

    def _line(self, loc: tuple[int | str, ...]) -> int:
        """Of the field at ``loc``, as ``("notes", 3, "type")``; of its table where the field is missing."""
        lines = self.text.split("\n")
        numbered = len(loc) > 1 and isinstance(loc[1], int)
        heads = [i for i, line in enumerate(lines) if line.startswith(f"[[{loc[0]}]]")] if numbered else []
        begin = heads[int(loc[1])] if heads else 0
        end = next((i for i in heads if i > begin), len(lines))
        key, *within = loc[2:] if heads and len(loc) > 2 else loc if numbered else loc[-1:]
        at = next((i for i in range(begin, end) if re.match(rf"{re.escape(str(key))}\b", lines[i])), begin)
        if key == "codes" and within:  # a line for each
            at += 1 + int(within[0])
        return at + 1


def locate(words: str, source: Source) -> str:
    """File and line of words of ``source`` or of the phrases that it uses."""
    shared = _source("phrases.toml")
    places = (f"{place.name}, line {line}" for place in (source, shared) if (line := place.find(words)))
    return next(places, source.name)


@cache
def phrases() -> Phrases:
    return _source("phrases.toml").parse(Phrases)


@cache
def styles() -> Styles:
    return _source("styles.toml").parse(Styles)


@cache
def stories() -> tuple[tuple[Source, Story], ...]:
    """In the order of the files' names."""
    return tuple((source, source.parse(Story)) for source in _folder("stories"))


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case for source in _folder("cases") for case in source.parse(CaseFile).cases)


def _folder(name: str) -> Iterator[Source]:
    for file in sorted(file.name for file in files("ingest.demo").joinpath(name).iterdir()):
        if file.endswith(".toml"):
            yield _source(f"{name}/{file}")


def _source(name: str) -> Source:
    return Source(f"ingest/demo/{name}", files("ingest.demo").joinpath(name).read_text(encoding="utf-8"))
