"""OBO, the format of the open biomedical ontologies, after its 1.2 and 1.4 specifications."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from ingest.vocab.entry import BROADER, OBSOLETE, Entry, Left
from ingest.vocab.lines import numbered, wrong
from ingest.vocab.names import DATA

TAKEN = ("EXACT", "NARROW")
"""Scopes of synonyms that name the concept or a kind of it; a broader one would name others too."""
SYSTEMS: dict[str, list[str]] = DATA["systems"]
HEAD = 60
"""Lines in which a file says its version."""
_STANZA = re.compile(r"\[(\w+)\]")
_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(\w*)')
_ESCAPE = re.compile(r"\\(.)")
_SPECIAL = {"n": " ", "W": " ", "t": " "}
_Tag = tuple[int, str, str]
"""Line, tag and value."""


def read_obo(path: Path, lines: Iterable[tuple[int, str]], left: Left) -> Iterator[Entry]:
    """The terms that are not obsolete.

    Raises:
        AspectraError: a term has no id or name, or a line is no tag and value; file and line are named.
    """
    for kind, first, tags in _stanzas(path, lines):
        if kind != "Term":
            continue
        if any(tag == "is_obsolete" and value == "true" for _, tag, value in tags):
            left[OBSOLETE] += 1
            continue
        yield _entry(path, first, tags, left)


def version_of_obo(path: Path) -> str:
    """What the head of the file says of its version: "2025-01-16"; empty where it says nothing."""
    for _, line in islice(numbered(path, lambda _: None), HEAD):
        if line.startswith("data-version:"):
            return line.partition(":")[2].strip().rpartition("/")[2]
    return ""


def _stanzas(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, int, list[_Tag]]]:
    kind, first = "", 1
    tags: list[_Tag] = []
    for number, line in lines:
        line = line.strip()
        if not line or line.startswith("!"):
            continue
        if line.startswith("["):
            stanza = _STANZA.match(line)
            if not stanza:
                raise wrong(path, number, "a stanza's name is not closed", "Write it as [Term].")
            yield kind, first, tags
            kind, first, tags = stanza[1], number, []
            continue
        tag, colon, value = line.partition(":")
        if not colon:
            raise wrong(path, number, "neither a tag with its value nor a stanza", "Write it as name: pneumonia")
        tags.append((number, tag.strip(), value.strip()))
    yield kind, first, tags


def _entry(path: Path, first: int, tags: list[_Tag], left: Left) -> Entry:
    id, preferred = (next((_plain(v) for _, tag, v in tags if tag == wanted), "") for wanted in ("id", "name"))
    for tag, value in (("id", id), ("name", preferred)):
        if not value:
            raise wrong(path, first, f"{tag}: the term has none", "Each [Term] needs a line for its id and its name.")
    names = [preferred]
    for number, tag, value in tags:
        if tag != "synonym" and not tag.endswith("_synonym"):
            continue
        found = _SYNONYM.match(value)
        if not found:
            raise wrong(path, number, "synonym: not in quotes", 'Write it as synonym: "lung inflammation" EXACT []')
        scope = found[2] if tag == "synonym" else tag.removesuffix("_synonym").upper()
        if scope in TAKEN:
            names.append(_unescaped(found[1]))
        else:
            left[BROADER] += 1
    parents = tuple(_plain(v).split()[0] for _, tag, v in tags if tag == "is_a" and _plain(v))
    xrefs = (_code(_plain(v)) for _, tag, v in tags if tag == "xref")
    return Entry(id, tuple(names), first, parents, "", tuple(dict.fromkeys(code for code in xrefs if code)))


def _code(xref: str) -> str:
    """A cross-reference by the system's name here; empty for one that is in no table."""
    system, _, code = xref.partition(":")
    known = next((name for name, prefixes in SYSTEMS.items() if system.startswith(tuple(prefixes))), "")
    return f"{known}:{code.split()[0]}" if known and code.strip() and "-" not in code else ""


def _plain(value: str) -> str:
    """A value without the remark and the qualifiers behind it."""
    return _unescaped(value.partition(" !")[0].partition(" {")[0].strip())


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda m: _SPECIAL.get(m[1], m[1]), value)
