"""From a note to the passages that stand for it in the index."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Protocol

from search_stack.core.amounts import keys
from search_stack.core.context import Surroundings, surroundings
from search_stack.core.schema import (
    ASSERTIONS,
    DENIED,
    STATED,
    WHATEVER,
    Finding,
    Note,
    Passage,
    Section,
    amount_key,
    at_site,
    mention_key,
    site_key,
)
from search_stack.core.steps import Steps, finished
from search_stack.index.passage import UNDATED, IndexedPassage, day_number
from search_stack.index.wording import wordings
from search_stack.inference.models import Encoder
from search_stack.language.amounts import tells_of
from search_stack.language.entities import inside, of_passage
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import VITAL_SIGN, Lexicon
from search_stack.language.passages import passages
from search_stack.language.sites import covering


def measured_keys(finding: Finding, lexicon: Lexicon) -> Iterator[str]:
    """What the index tells of the amounts of a mention, and of whatever is said of it, also at each of its sites. Who
    lacks a narrower one is not said to lack it."""
    for said in (WHATEVER, *finding.counts_as):
        own = tells_of(finding.concept)
        told_of = own if said in DENIED else lexicon.closure(own)
        for amount in finding.amounts:
            for concept in told_of:
                there = (concept, *(at_site(concept, site) for site in covering(finding.sites)))
                yield from (amount_key(said, one, key) for one in there for key in keys(amount))


def placed_keys(finding: Finding) -> Iterator[str]:
    """What the index tells of where a mention is. A denial holds where it says, and not in all that this lies in."""
    for said in finding.counts_as:
        for site in (finding.sites if said in DENIED else covering(finding.sites)) or ("",):
            yield site_key(said, finding.concept, site)


class KeyedNote(Protocol):
    """A note, and the key and version under which it is indexed."""

    @property
    def key(self) -> int: ...
    @property
    def version(self) -> int: ...
    @property
    def patient_no(self) -> int: ...
    @property
    def note(self) -> Note: ...


@dataclass(frozen=True, slots=True)
class LabelledPassage:
    """A passage with the findings that begin in it, and the concepts that it is about."""

    passage: Passage
    findings: list[Finding]
    entities: list[str]
    wording: str

    @property
    def ordinal(self) -> int:
        return self.passage.ordinal

    @property
    def text(self) -> str:
        return self.passage.text


def prepare(keyed: KeyedNote, labeller: Labeller, encoder: Encoder, limit: int) -> list[LabelledPassage]:
    """Labelled passages of at most ``limit`` tokens, and never more than the encoder reads.

    Every finding of the note is in exactly one of them: one in a heading goes to the section's
    first passage.
    """
    return finished(preparation(keyed, labeller, encoder, limit))


def preparation(keyed: KeyedNote, labeller: Labeller, encoder: Encoder, limit: int) -> Steps[list[LabelledPassage]]:
    """`prepare` in steps, so that a long note can be put down between two of them."""
    text = keyed.note.text
    labels = yield from labeller.labelling(text, keyed.note.title)
    room = min(limit, encoder.max_tokens - 2)
    parts = passages(text, labels.sections, encoder.count_tokens, room)
    said = {p.ordinal: digest for p, digest in zip(parts, wordings(parts), strict=True)}
    yield
    of_note = [e for e in labels.entities if e.level == "note"]
    of_sections = [e for e in labels.entities if e.level == "section"]
    out = []
    for section, group in _by_section(labels.sections, parts):
        # A finding in the heading goes to the first passage, one between two passages to the first of them.
        begins = [section.begin, *(p.begin for p in group[1:]), section.end]
        about = inside(of_sections, section.begin, section.end)
        for n, passage in enumerate(group):
            own = inside(labels.findings, begins[n], begins[n + 1])
            out.append(LabelledPassage(passage, own, of_passage(of_note, about, own), said[passage.ordinal]))
        yield
    return out


def _by_section(sections: Sequence[Section], parts: Sequence[Passage]) -> Iterator[tuple[Section, list[Passage]]]:
    for number, group in groupby(parts, key=lambda p: bisect_right(sections, p.begin, key=lambda s: s.begin) - 1):
        yield sections[number], list(group)


def around(keyed: KeyedNote, labelled: LabelledPassage) -> Surroundings:
    """What the models may read the passage with."""
    passage = labelled.passage
    return surroundings(keyed.note.text, passage.begin, keyed.note.title, passage.section)


def encoded(encoder: Encoder, parts: Sequence[tuple[KeyedNote, LabelledPassage]]) -> list[list[float]]:
    """The vector of each passage, read with what is around it."""
    return [v.tolist() for v in encoder.encode_passages([(p.text, around(k, p)) for k, p in parts])]


def document(keyed: KeyedNote, labelled: LabelledPassage, vector: list[float], labeller: Labeller) -> IndexedPassage:
    note, passage = keyed.note, labelled.passage
    closure = labeller.lexicon.closure
    near = around(keyed, labelled)
    # Having a pulse says nothing, a pulse of 130 does: of a vital sign only the number is told.
    told = [f for f in labelled.findings if f.kind != VITAL_SIGN]
    said = {a: closure(f.concept for f in told if a in f.counts_as) for a in ASSERTIONS}
    return IndexedPassage(
        note_id=note.note_id,
        note_key=keyed.key,
        note_version=keyed.version,
        patient_id=note.patient_id,
        patient_no=keyed.patient_no,
        day=day_number(note.date) if note.date else UNDATED,
        note_type=note.type,
        date=note.date.isoformat() if note.date else None,
        title=note.title,
        collection=note.collection,
        ordinal=passage.ordinal,
        begin=passage.begin,
        end=passage.end,
        section=passage.section,
        aspect=passage.aspect,
        text=passage.text,
        wording=labelled.wording,
        **said,
        mentioned=closure(f.concept for f in labelled.findings),
        own=sorted({mention_key(a, f.concept) for f in told for a in f.counts_as if a in STATED}),
        status=sorted({mention_key(mark, f.concept) for f in told for mark in (f.status, f.result) if mark}),
        named=sorted({mention_key(a, f.concept, n) for f in told for a in f.counts_as for n in f.names or ("",)}),
        measured=sorted({key for f in labelled.findings for key in measured_keys(f, labeller.lexicon)}),
        placed=sorted({key for f in told for key in placed_keys(f)}),
        entities=closure(labelled.entities),
        findings=[asdict(f) for f in labelled.findings],
        labels=labeller.version,
        lead=near.lead,
        before=near.before,
        vector=vector,
    )
