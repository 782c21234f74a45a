"""Reader of the entity/aspect format that WikiSectionQA, MedQuAD and HealthQA share.

Format: Arnold et al., "Learning Contextualized Document Representations for Healthcare
Answer Retrieval" (WWW 2020): documents with annotated passages, queries with the ids of
their relevant passages.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_stack.core.context import NOTHING, Surroundings, surroundings
from search_stack.core.errors import AspectraError


@dataclass(frozen=True, slots=True)
class Passage:
    """One annotated passage: ``text`` is the document's characters ``[begin, begin + length)``."""

    id: str
    document_id: str
    title: str
    entity: str
    aspect: str
    text: str
    around: Surroundings = NOTHING


@dataclass(frozen=True, slots=True)
class Query:
    """One question with its entity, its aspect as labelled and as worded, and its answers."""

    id: str
    text: str
    entity: str
    aspect: str
    aspect_heading: str
    relevant: tuple[str, ...]
    grades: tuple[tuple[str, int], ...] = ()
    """Of every passage that people judged, its grade, where some do not answer (0); empty: only answers are known."""


@dataclass(frozen=True, slots=True)
class EntityAspectData:
    name: str
    passages: tuple[Passage, ...]
    queries: tuple[Query, ...]

    def passage_by_id(self) -> dict[str, Passage]:
        return {p.id: p for p in self.passages}


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _passages(document: dict[str, Any]) -> list[Passage]:
    text = document["text"]
    return [
        Passage(
            id=a["id"],
            document_id=document["id"],
            title=_string(document["title"]),
            entity=_string(a.get("entity", "")),
            aspect=_string(a.get("aspect", "")),
            text=text[a["begin"] : a["begin"] + a["length"]],
            # Most have no heading: their queries are worded like it.
            around=surroundings(
                text, a["begin"], document["title"], _string(a.get("section", "")), a["begin"] + a["length"]
            ),
        )
        for a in document["annotations"]
    ]


def _check_passages(path: Path, where: str, document: dict[str, Any]) -> None:
    for number, a in enumerate(document["annotations"]):
        begin, end = a["begin"], a["begin"] + a["length"]
        if not 0 <= begin < end <= len(document["text"]):
            raise AspectraError(
                f"{path}: {where}, annotation {number}: begin and length give no part of the text.",
                "Offsets count characters.",
            )
        if not document["text"][begin:end].strip():
            raise AspectraError(f"{path}: {where}, annotation {number}: the passage is empty.", "Take it out.")


def _query(number: int, query: dict[str, Any]) -> Query:
    about = query["annotations"][0]
    grades = tuple((r["id"], r.get("relevance", 1)) for r in query["results"])
    return Query(
        id=f"q{number}",
        text=_string(query["text"]),
        entity=_string(about.get("entity", "")),
        aspect=_string(about.get("aspect", "")),
        aspect_heading=_string(about.get("aspectHeading", about.get("aspect", ""))),
        relevant=tuple(i for i, grade in grades if grade > 0),
        grades=grades if any(grade <= 0 for _, grade in grades) else (),
    )


def load(path: Path) -> EntityAspectData:
    """Read ``path`` whole.

    Raises:
        AspectraError: the file is missing, is not JSON, or lacks a field of the format;
            the message names the file and the field, line or document.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise AspectraError(f"{path}: cannot be read ({e.strerror}).", "Check the path.") from e
    except ValueError as e:
        raise AspectraError(f"{path}: not JSON ({e}).", "Give a file in the entity/aspect format.") from e
    where = "top level"
    try:
        passages: list[Passage] = []
        for number, document in enumerate(raw["documents"]):
            where = f"document {number}"
            passages += _passages(document)
            _check_passages(path, where, document)
        queries = []
        for number, query in enumerate(raw["queries"]):
            where = f"query {number}"
            queries.append(_query(number, query))
    except (LookupError, TypeError, AttributeError) as e:
        # Only the name of a field is repeated: other exceptions may hold text of the file.
        wrong = f"lacks {e}" if isinstance(e, KeyError) else "has a field of another kind, or an empty one"
        raise AspectraError(
            f"{path}: {where} {wrong}.", "See docs/evaluation.md for the entity/aspect format."
        ) from None
    known = {p.id for p in passages}
    if len(known) < len(passages):
        twice = Counter(p.id for p in passages).most_common(1)[0][0]
        raise AspectraError(f"{path}: two passages have the id {twice}.", "Give every passage an id of its own.")
    aspects = {p.id: p.aspect for p in passages}
    named = set(aspects.values())
    for q in queries:
        if not q.text.strip():
            raise AspectraError(f"{path}: query {q.id} is empty.", "Word it, or take it out.")
        # Passages that answer for several aspects have none themselves.
        if q.aspect and q.aspect not in named and any(aspects.get(i) for i in q.relevant):
            raise AspectraError(
                f"{path}: query {q.id} asks for the aspect {q.aspect!r}, which no passage has.",
                "Name it as the passages do.",
            )
        if not q.relevant or not known.issuperset((*q.relevant, *(i for i, _ in q.grades))):
            raise AspectraError(
                f"{path}: query {q.id} names no passage, or one that the file lacks.",
                "See docs/evaluation.md for the entity/aspect format.",
            )
    return EntityAspectData(str(raw.get("name", path.stem)), tuple(passages), tuple(queries))
