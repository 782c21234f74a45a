"""The tabular list of ICD-10-CM, as the CDC publishes it in XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from ingest.vocab.entry import Entry, Left
from ingest.vocab.names import cleaned, is_rest
from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable

SYSTEM = "ICD10CM"
PASSED = "external causes, and reasons for a visit"
"""Chapters that are neither disorders nor complaints: what happened, and what somebody came for."""
_PASSED_CHAPTERS = ("20", "21")
_SYMPTOMS = ("18",)
_FINDINGS_FROM = "R70"
"""In the chapter of symptoms and findings, where findings begin."""
_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?")
_SIDE = re.compile(
    r"(?:, | of )(?:right|left|bilateral|undetermined|accidental|intentional|assault)\b"
    r"|^Adverse effect|^Underdosing|^Poisoning"
)
"""Of what a code makes several of."""
_OPTIONAL = re.compile(r"\s*\([^()]*\)|\s*\[[^\]]*\]")


def read_icd10cm(path: Path, left: Left) -> Iterator[Entry]:
    """Each code with its description and its inclusion terms, in the order of the list.

    A code below another is a kind of it. An inclusion term is a disease of its own that is coded so ("external
    hemorrhoids" under residual skin tags), and so an entry of its own below the code.

    Raises:
        AspectraError: it is no such file, or cannot be read.
    """
    remedy = "Give the tabular list of ICD-10-CM, as XML."
    try:
        tree = ElementTree.parse(path)  # noqa: S314
    except ElementTree.ParseError as e:
        raise AspectraError(f"{path}:{e.position[0]}: not XML.", remedy) from None
    except OSError as e:
        raise unreadable(path, e) from None
    chapters = tree.getroot().findall("chapter")
    if not chapters:
        raise AspectraError(f"{path}: holds no chapter.", remedy)
    for chapter in chapters:
        number = chapter.findtext("name", "").strip()
        if number in _PASSED_CHAPTERS:
            left[PASSED] += sum(1 for _ in chapter.iter("diag"))
            continue
        for diagnosis in chapter.iterfind("section/diag"):
            yield from _entries(diagnosis, (), number in _SYMPTOMS)


def version_of_icd10cm(path: Path) -> str:
    """The year of the release."""
    try:
        for _, element in ElementTree.iterparse(path, ("end",)):  # noqa: S314
            if element.tag == "version":
                return (element.text or "").strip()
    except (OSError, ElementTree.ParseError):
        pass
    return ""


def _entries(diagnosis: ElementTree.Element, parents: tuple[str, ...], symptoms: bool) -> Iterator[Entry]:
    code = diagnosis.findtext("name", "").strip()
    if not _CODE.fullmatch(code):
        return
    id = f"{SYSTEM}:{code}"
    kind = "disorder" if not symptoms else "symptom" if code < _FINDINGS_FROM else "finding"
    described = diagnosis.findtext("desc", "").strip()
    terms = [note.text.strip() for note in diagnosis.iterfind("inclusionTerm/note") if note.text]
    names = () if is_rest(cleaned(described)) or _SIDE.search(described) else (_bare(described),)
    yield Entry(id, names, 0, parents, kind)
    for n, term in enumerate(terms, 1):
        yield Entry(f"{id}-{n}", (_bare(term),), 0, (id,), kind, (id,))
    for below in diagnosis.iterfind("diag"):
        yield from _entries(below, (id,), symptoms)


def _bare(name: str) -> str:
    """Without what stands in brackets: "Essential (primary) hypertension"."""
    return _OPTIONAL.sub("", name).strip()
