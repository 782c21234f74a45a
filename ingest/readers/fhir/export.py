"""The resources of an export, file by file: one on each line, or in files of JSON over several lines, among them
Bundles of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ingest.readers import jsonl_reader
from ingest.readers.fhir.bundles import Entry, Stamp, bundle_type, entries, entry
from ingest.readers.fhir.tree import Resource, text
from ingest.readers.folder import Folder, size
from ingest.readers.json_text import JsonText, over_lines
from ingest.readers.record import FieldError, SkippedError
from ingest.readers.streams import InputFile

TYPE = "resourceType"
ENDINGS = (".ndjson", ".ndjson.gz", ".jsonl", ".jsonl.gz", ".json", ".json.gz")
OLDER = "older version of a resource in a history"
_ANY = (".json", ".json.gz")
"""Endings of what is often something else: there it is looked whether it is a resource."""
Told = Entry | FieldError | SkippedError


@dataclass(frozen=True, slots=True)
class Part:
    """What stands on a line, or begins there."""

    file: str
    line: int
    told: Sequence[Told]
    done: int
    """Bytes of the export that are read with it."""


def folder_of(path: Path, follow_links: bool) -> Folder:
    return Folder(path, ENDINGS, follow_links, lambda file: not file.name.lower().endswith(_ANY) or is_fhir(file))


def is_fhir(path: Path) -> bool:
    """Whether a resource stands at the begin of a file."""
    with InputFile(path) as source:
        over = over_lines(source)
    return TYPE in (_first_names(path) if over else jsonl_reader.head_keys(path))


class Export:
    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def parts(self) -> Iterator[Part]:
        before = 0
        for number, file in enumerate(self.folder.files()):
            name = self.folder.name(file)
            for line, told, position in self._told(number, file):
                yield Part(name, line, [self._newest_only(one) for one in told], before + position)
            before += size(file)

    def resources(self, type: str) -> Iterator[Resource]:
        """Those of a type that can be read; what is wrong with the others is told where they are for themselves."""
        for number, file in enumerate(self.folder.files()):
            for _, told, _ in self._told(number, file, f'"{type}"'.encode()):
                for one in map(self._newest_only, told):
                    with suppress(FieldError):
                        if isinstance(one, Entry) and not one.deleted and text(one.resource, TYPE) == type:
                            yield one.resource

    def _told(self, number: int, file: Path, having: bytes = b"") -> Iterator[tuple[int, Sequence[Told], int]]:
        """Line, what stands there, and where in the file it ends.

        Args:
            number: of the file.
            having: lines without it may be left out.
        """
        with self.folder.open(file) as source:
            over = over_lines(source)
        with self.folder.open(file) as source:
            if over:
                values = _over_lines(source, lambda: _heads(file, self.folder))
                for place, (line, told, position) in enumerate(values):
                    yield line, _placed(told, number, place), position
            else:
                for line, resource, position in jsonl_reader.objects(source, having):
                    yield line, _placed(_entries(resource), number, line), position

    def _newest_only(self, told: Told) -> Told:
        if not isinstance(told, Entry) or told.stamp is None:
            return told
        return told if self._newest[_key(told)].place == told.stamp.place else SkippedError(OLDER)

    @cached_property
    def _newest(self) -> dict[tuple[str, str], Stamp]:
        """Of each resource that a history tells of, whose pages may lie in several files."""
        out: dict[tuple[str, str], Stamp] = {}
        for number, file in enumerate(self.folder.files()):
            for _, told, _ in self._told(number, file):
                for one in told:
                    if isinstance(one, Entry) and one.stamp:
                        before = out.get(key := _key(one))
                        out[key] = one.stamp if before is None or one.stamp.newer(before) else before
        return out


def _placed(told: Sequence[Told], file: int, place: int) -> Sequence[Told]:
    """With the place of each entry of a history."""
    return [
        replace(one, stamp=replace(one.stamp, place=(file, place, number)))
        if isinstance(one, Entry) and one.stamp
        else one
        for number, one in enumerate(told)
    ]


def _key(found: Entry) -> tuple[str, str]:
    return str(found.resource.get(TYPE)), str(found.resource.get("id"))


def _entries(line: Callable[[], Resource]) -> Sequence[Told]:
    """What stands on a line; what is wrong with one of several resources is wrong with that one alone."""
    try:
        return list(entries(line())) or [SkippedError("Bundle without a resource")]
    except FieldError as e:
        return [e]


def _over_lines(source: InputFile, heads: Callable[[], list[Resource]]) -> Iterator[tuple[int, Sequence[Told], int]]:
    """Values one after the other; of a Bundle each entry by itself. Behind what is no JSON nothing is read.

    Args:
        heads: resourceType and type of each value, where they stand behind the entries of a Bundle.
    """
    found = JsonText(source)
    read = 0
    try:
        while found.next():
            line, whole, any_entry = found.line, dict[str, Any](), False
            for name in found.members():
                head: Resource = whole
                if name == "entry" and found.next() == "[":
                    head = whole if TYPE in whole and (whole[TYPE] != "Bundle" or "type" in whole) else heads()[read]
                if name != "entry" or found.next() != "[" or head.get(TYPE) != "Bundle":
                    whole[name] = found.value()
                    continue
                for at in found.elements():
                    any_entry = True
                    yield at, _of_bundle(found.value(), head), source.position
            read += 1
            if not any_entry:
                yield line, _entries(lambda whole=whole: whole), source.position  # type: ignore[misc]
    except FieldError as e:
        yield found.line, [e], source.position


def _of_bundle(element: Any, bundle: Resource) -> Sequence[Told]:
    try:
        kind = bundle_type(bundle)
        if not isinstance(element, dict):
            raise FieldError("entry", "not an object")
        return list(entry(element, kind))
    except FieldError as e:
        return [e]


def _heads(file: Path, folder: Folder) -> list[Resource]:
    """resourceType and type of each value of a file of JSON, as far as it can be read."""
    out: list[Resource] = []
    with folder.open(file) as source, suppress(FieldError):
        found = JsonText(source)
        while found.next():
            head: dict[str, Any] = {}
            out.append(head)
            for name in found.members():
                if name == "entry" and found.next() == "[":
                    for _ in found.elements():
                        found.value()
                else:
                    value = found.value()
                    if name in (TYPE, "type"):
                        head[name] = value
    return out


def _first_names(path: Path) -> list[str]:
    """Names of the first value's members, up to resourceType."""
    out: list[str] = []
    with InputFile(path) as source, suppress(FieldError):
        found = JsonText(source)
        for name in found.members():
            out.append(name)
            if name == TYPE:
                break
            if name == "entry" and found.next() == "[":
                for _ in found.elements():
                    found.value()
            else:
                found.value()
    return out
