"""Labelled pairs of query and passage from files of several kinds, as entity/aspect data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from search_stack.core.context import LONGEST, Surroundings
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import question_pairs
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query, load

INFORMATION = "information"
QUESTIONS = {
    INFORMATION: "What is {} ?",
    "symptoms": "What are the symptoms of {} ?",
    "causes": "What causes {} ?",
    "treatment": "What are the treatments for {} ?",
    "prevention": "How to prevent {} ?",
    "exams and tests": "How to diagnose {} ?",
    "susceptibility": "Who is at risk for {} ?",
    "complications": "What are the complications of {} ?",
    "self_care": "How can I treat {} at home ?",
    "when_to_seek_help": "When should I see a doctor about {} ?",
}
"""By aspect, how a person asks for it."""
SECTIONED = re.compile(r"^(?P<heading>[^\n]{5,150}\?)[ \t]*$", re.MULTILINE)
"""A heading that is a question, on a line of its own."""
LEFT_OUT = frozenset(("images", "lifestyle_tips"))
"""Sections of topics that answer no question."""
ASPECT_WORDS = {
    "symptoms": "symptoms",
    "causes": "causes",
    "caused": "causes",
    "treat": "treatment",
    "prevent": "prevention",
    "diagnos": "exams and tests",
    "risk": "susceptibility",
    "likely": "susceptibility",
    "complications": "complications",
}
FEWEST_CHARACTERS = 40
Rows = Iterable[tuple[int, dict[str, Any]]]


def load_pairs(path: Path) -> EntityAspectData:
    """Read ``path``: entity/aspect JSON; JSON lines of topics with ``sections`` (aspect to sentences) or with
    ``text`` under headings that are questions; or pairs of questions in the XML of RQE (Ben Abacha & Demner-Fushman,
    AMIA 2016), of which those that entail each other are taken.

    Raises:
        AspectraError: it cannot be read; the message names file, line and field.
    """
    if path.suffix == ".xml":
        return _questions(path)
    if path.suffix != ".jsonl":
        return load(path)
    passages: list[Passage] = []
    queries: list[Query] = []
    for number, row in _rows(path):
        title = row.get("title")
        if not isinstance(title, str) or not title.strip():
            raise AspectraError(f"{path}:{number}: title: is missing or empty.", "Give every topic a title.")
        parts = list(_parts(row, f"{path}:{number}"))
        lead = parts[0][2] if parts else ""
        for n, (aspect, question, text) in enumerate(parts):
            name = f"{path.stem}-{number}-{n}"
            around = Surroundings(title, lead="" if n == 0 else lead[: 2 * LONGEST["lead"]])
            passages.append(Passage(name, f"{path.stem}-{number}", title, title, aspect, text, around))
            queries.append(Query(f"q{name}", question, title, aspect, aspect.replace("_", " "), (name,)))
    if not queries:
        raise AspectraError(f"{path}: holds no topic with text.", "Each line needs title and text or sections.")
    return EntityAspectData(path.stem, tuple(passages), tuple(queries))


def _questions(path: Path) -> EntityAspectData:
    """A long question answered, as it were, by the short one that it entails."""
    passages: dict[str, Passage] = {}
    queries: list[Query] = []
    for pair in question_pairs.load(path, whole=False):
        # Many pairs are a question and itself.
        if pair.entailed and pair.long != pair.short:
            name = f"{path.stem}-{len(passages)}"
            kept = passages.setdefault(pair.short, Passage(name, name, "", pair.short, "", pair.short))
            queries.append(Query(f"q{len(queries)}", pair.long, pair.short, "", "", (kept.id,)))
    if not queries:
        raise AspectraError(f"{path}: holds no pair of entailed questions.", "Each pair needs chq, faq and value.")
    return EntityAspectData(path.stem, tuple(passages.values()), tuple(queries))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    try:
        # As bytes: decoded as a whole, a wrong byte would be told of another line.
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                row = json.loads(line.decode("utf-8"))
                if not isinstance(row, dict):
                    raise AspectraError(f"{path}:{number}: not an object.", "Give one JSON object per line.")
                yield number, row
    except OSError as e:
        raise AspectraError(f"{path}: cannot be read ({e.strerror}).", "Check the path.") from e
    except ValueError as e:
        remedy = "Give one JSON object per line, saved as UTF-8."
        raise AspectraError(f"{path}:{number}: not JSON in UTF-8.", remedy) from e


def _parts(row: Mapping[str, Any], where: str) -> Iterator[tuple[str, str, str]]:
    """Aspect, question and text of each part."""
    title = row["title"].strip()
    named = row.get("sections")
    if isinstance(named, dict):
        for aspect, sentences in named.items():
            if aspect in LEFT_OUT:
                continue
            if aspect not in QUESTIONS:
                raise AspectraError(
                    f"{where}: sections.{aspect}: an unknown aspect.", f"Name it as one of: {', '.join(QUESTIONS)}."
                )
            if not isinstance(sentences, list) or not all(isinstance(s, str) for s in sentences):
                raise AspectraError(f"{where}: sections.{aspect}: not a list of sentences.", "Mend the line.")
            said = " ".join(sentences)
            if len(said) >= FEWEST_CHARACTERS:
                yield aspect, QUESTIONS[aspect].format(title), said
        return
    text = row.get("text")
    if not isinstance(text, str):
        raise AspectraError(f"{where}: text: is missing, and so is sections.", "Give every topic one of them.")
    found = list(SECTIONED.finditer(text))
    opening = text[: found[0].start()] if found else text
    if len(opening.strip()) >= FEWEST_CHARACTERS:
        yield INFORMATION, QUESTIONS[INFORMATION].format(title), opening.strip()
    ends = [*(following.start() for following in found[1:]), len(text)]
    for heading, end in zip(found, ends[: len(found)], strict=True):
        body = text[heading.end() : end].strip()
        if len(body) >= FEWEST_CHARACTERS:
            yield _aspect(heading["heading"]), heading["heading"], body


def _aspect(heading: str) -> str:
    words = heading.lower()
    return next((aspect for word, aspect in ASPECT_WORDS.items() if word in words), INFORMATION)


def merged(parts: Sequence[EntityAspectData]) -> EntityAspectData:
    """All of ``parts`` as one; passages with the same words are kept once, the queries of the others point to it.

    Ids get the name of their data in front where there are several parts.
    """
    if len(parts) == 1:
        return parts[0]
    passages: dict[str, Passage] = {}
    queries: list[Query] = []
    for data in parts:
        rename: Callable[[str], str] = f"{data.name}/".__add__
        known: dict[str, str] = {}
        for p in data.passages:
            kept = passages.setdefault(
                p.text, Passage(rename(p.id), rename(p.document_id), p.title, p.entity, p.aspect, p.text, p.around)
            )
            known[p.id] = kept.id
        for q in data.queries:
            relevant = tuple(dict.fromkeys(known[i] for i in q.relevant))
            grades = tuple({known[i]: grade for i, grade in q.grades}.items())
            queries.append(replace(q, id=rename(q.id), relevant=relevant, grades=grades))
    return EntityAspectData("+".join(d.name for d in parts), tuple(passages.values()), tuple(queries))
