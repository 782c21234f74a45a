"""Training pairs without labels: what a section is about and under which heading it stands, asked of its text.

After "Self-Supervised Answer Retrieval on Clinical Notes" (Grundmann et al., 2021): entity and aspect make the
query, the section's text is the answer. The heading stands outside the passage, so it cannot be read off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from search_stack.core.schema import Entity, Finding, Note, Section
from search_stack.language.entities import inside
from search_stack.language.labeller import Labeller
from search_stack.language.sentences import sentences

FEWEST_CHARACTERS = 80
MOST_CHARACTERS = 900
"""Of a passage: about what an encoder reads at once."""
MOST_ENTITIES = 2
"""Asked of one section, those that it names most often."""
QUESTIONS = {
    "findings": "What are the findings on {} ?",
    "impression": "What is the impression about {} ?",
    "physical examination": "What does the examination show of {} ?",
    "history of present illness": "How did {} come about ?",
    "past medical history": "Is there a history of {} ?",
    "past surgical history": "What was operated for {} ?",
    "family history": "Is {} in the family ?",
    "medications": "Which drugs are taken with {} ?",
    "laboratory": "What do the laboratory values say of {} ?",
    "imaging": "What does imaging show of {} ?",
    "treatment": "How is {} treated ?",
    "plan": "What is planned for {} ?",
    "assessment and plan": "What is thought and planned about {} ?",
    "recommendations": "What is recommended for {} ?",
    "hospital course": "How did {} go in hospital ?",
    "symptoms": "What are the symptoms of {} ?",
    "complications": "What are the complications of {} ?",
    "indication": "Was {} the reason for it ?",
    "procedure": "What was done for {} ?",
    "diagnosis": "Is {} among the diagnoses ?",
}
"""By aspect, how a person asks for it; any other is asked for by its heading."""
POLARITIES = {"present": "{}", "absent": "no {}"}
OTHERWISE = "What does the {aspect} say of {entity} ?"


@dataclass(frozen=True, slots=True)
class Mined:
    """One note's document and queries in the entity/aspect format (docs/evaluation.md)."""

    document: dict[str, Any]
    queries: list[dict[str, Any]]


def as_data(found: Sequence[Mined], name: str) -> dict[str, Any]:
    """``found`` as a file in that format holds it."""
    queries = [q for one in found for q in one.queries]
    return {"name": name, "documents": [one.document for one in found], "queries": queries}


def mine(notes: Iterable[Note], labeller: Labeller) -> Iterator[Mined]:
    """Pairs of every note that has a headed section with an entity in it."""
    for note in notes:
        found = _of_note(note, labeller)
        if found.queries:
            yield found


def mine_findings(notes: Iterable[Note], labeller: Labeller, most: int = 30) -> Iterator[Mined]:
    """Pairs that teach polarity: "effusion" finds what says that it is there, "no effusion" what says that it is not.

    A query has every passage of its kind as an answer, so that none is taken for a wrong one; of
    each finding and polarity there are ``most`` queries at the most, each with another answer in front.
    """
    documents: list[dict[str, Any]] = []
    answers: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        labels = labeller.label(note.text, note.title)
        annotations: list[dict[str, Any]] = []
        for section in labels.sections:
            for begin, end in _pieces(note.text, section, fewest=1):
                name = f"{note.note_id}#{len(annotations)}"
                annotations.append({"id": name, "begin": begin, "length": end - begin, "entity": "", "aspect": ""})
                said = {(f.concept, f.assertion) for f in inside(labels.findings, begin, end)}
                for concept, polarity in said:
                    if polarity in POLARITIES:
                        answers.setdefault((labeller.lexicon.concepts[concept].name, polarity), []).append(name)
        documents.append({"id": note.note_id, "title": "", "text": note.text, "annotations": annotations})
    queries = []
    for (name, polarity), ids in sorted(answers.items()):
        for turn in range(0, len(ids), max(1, -(-len(ids) // most))):
            queries.append(
                {
                    "text": POLARITIES[polarity].format(name),
                    "annotations": [{"entity": name, "aspect": polarity, "aspectHeading": polarity}],
                    "results": [{"id": i, "relevance": 1} for i in (*ids[turn:], *ids[:turn])],
                }
            )
    if documents:
        yield Mined(documents[0], queries)
        yield from (Mined(d, []) for d in documents[1:])


def _of_note(note: Note, labeller: Labeller) -> Mined:
    labels = labeller.label(note.text, note.title)
    mentions = sorted(labels.findings, key=lambda f: f.begin)
    entities = [e for e in labels.entities if e.level == "section"]
    annotations: list[dict[str, Any]] = []
    queries: list[dict[str, Any]] = []
    for section in labels.sections:
        if not section.heading:
            continue
        pieces = _pieces(note.text, section)
        asked = sorted(inside(entities, section.begin, section.end), key=lambda e: -e.mentions)[:MOST_ENTITIES]
        answers = {e.concept: [p for p in pieces if _names(mentions, e, *p)] for e in asked}
        about = {p: [e for e in asked if p in answers[e.concept]] for p in pieces}
        ids = {p: f"{note.note_id}#{len(annotations) + n}" for n, p in enumerate(pieces)}
        annotations += [
            {
                "id": ids[begin, end],
                "begin": begin,
                "length": end - begin,
                "entity": about[begin, end][0].name if about[begin, end] else "",
                "aspect": section.aspect,
            }
            for begin, end in pieces
        ]
        queries += [
            {
                "text": QUESTIONS.get(section.aspect, OTHERWISE).format(e.name, entity=e.name, aspect=section.aspect),
                "annotations": [{"entity": e.name, "aspect": section.aspect, "aspectHeading": section.heading}],
                "results": [{"id": ids[p], "relevance": 1} for p in answers[e.concept]],
            }
            for e in asked
            if answers[e.concept]
        ]
    document = {"id": note.note_id, "title": note.title, "text": note.text, "annotations": annotations}
    return Mined(document, queries)


def _pieces(text: str, section: Section, fewest: int = FEWEST_CHARACTERS) -> list[tuple[int, int]]:
    """The section's sentences in runs of at most `MOST_CHARACTERS`; one too short to say anything is left out."""
    runs: list[tuple[int, int]] = []
    for begin, end in sentences(text, section.heading_end, section.end):
        if runs and end - runs[-1][0] <= MOST_CHARACTERS:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((begin, end))
    return [(b, e) for b, e in runs if e - b >= fewest]


def _names(mentions: Sequence[Finding], entity: Entity, begin: int, end: int) -> bool:
    return any(f.concept == entity.concept for f in inside(mentions, begin, end))
