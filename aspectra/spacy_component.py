"""Sections and findings of a note as a component of a spaCy pipeline: ``nlp.add_pipe("aspectra")``.

spaCy finds it by an entry point (group ``spacy_factories``), so nothing else loads spaCy; extra ``spacy``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.util import filter_spans

from search_stack.core.errors import AspectraError
from search_stack.core.schema import Finding, Section
from search_stack.language.labeller import load_labeller

FINDINGS = "aspectra"
"""The span group of all findings, overlapping ones too; on a span the attribute with what is said there."""
SECTIONS = "aspectra_sections"
"""The span group of the sections, labelled with their aspects."""
Ents = Literal["fill", "replace", "keep"]
TOLD = ("assertion", "temporality", "experiencer", "status", "result", "value", "unit", "sites")
"""Fields of a finding that a span has under their own names."""
_FIELDS = tuple(f.name for f in fields(Finding))


class SpacyComponent:
    """Labels a `Doc` as Aspectra labels a note; what it sets is told in docs/spacy.md.

    Offsets that fall inside a token are widened to it.
    """

    def __init__(self, lexicon: str | None = None, ents: Ents = "fill", assert_others: bool = True) -> None:
        """``lexicon``: a folder as ``ASPECTRA_LEXICON_DIR`` names one; the shipped lexicon alone without.
        ``ents``: findings go into ``doc.ents`` where no other entity stands, instead of those, or not at all.
        ``assert_others``: say of the entities of other components, too, what the note says of them.

        Raises:
            AspectraError: there is no such folder, or a file there cannot be used.
        """
        folder = Path(lexicon) if lexicon else None
        if folder and not folder.is_dir():
            raise AspectraError(f"{folder} is no folder.", "Name the folder of the lexicon files.")
        self.lexicon = lexicon
        self.ents = ents
        self.assert_others = assert_others
        self.labeller = load_labeller(folder)

    def __reduce__(self) -> tuple[object, ...]:
        # A process of ``nlp.pipe`` that is spawned reads the lexicon itself.
        return type(self), (self.lexicon, self.ents, self.assert_others)

    def __call__(self, doc: Doc) -> Doc:
        for key in [k for k in doc.user_data if isinstance(k, tuple) and k[:2] == ("._.", FINDINGS)]:
            del doc.user_data[key]  # what an earlier turn said
        text = doc.text  # made anew at each look
        labels = self.labeller.label(text)
        doc.spans[SECTIONS] = _group(doc, SECTIONS, _sections(doc, text, labels.sections), {})
        found = [_finding(doc, f) for f in labels.findings]
        doc.spans[FINDINGS] = _group(doc, FINDINGS, found, {"labels": self.labeller.version})
        doc._.aspectra_entities = [asdict(e) for e in labels.entities]
        others = [] if self.ents == "replace" else list(doc.ents)
        if self.assert_others:
            self._assert(doc, [e for e in others if not e._.aspectra])
        if self.ents != "keep":
            taken = {token.i for e in others for token in e}
            free = filter_spans([span for span in found if taken.isdisjoint(range(span.start, span.end))])
            doc.set_ents(free, default="outside" if self.ents == "replace" else "unmodified")
        return doc

    # There is nothing to keep but the configuration, which the pipeline keeps itself.
    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        return b""

    def from_bytes(self, _: bytes, *, exclude: Iterable[str] = ()) -> SpacyComponent:
        return self

    def to_disk(self, _: str | Path, *, exclude: Iterable[str] = ()) -> None:
        pass

    def from_disk(self, _: str | Path, *, exclude: Iterable[str] = ()) -> SpacyComponent:
        return self

    def _assert(self, doc: Doc, others: Sequence[Span]) -> None:
        if others:
            spans = [(e.start_char, e.end_char) for e in others]
            for entity, finding in zip(others, self.labeller.concept_assertions(doc.text, spans), strict=True):
                _say(entity, finding)


def _group(doc: Doc, name: str, spans: Iterable[Span], attrs: dict[str, str]) -> SpanGroup:
    return SpanGroup(doc, name=name, spans=list(spans), attrs=attrs)


def _widened(doc: Doc, begin: int, end: int, label: str, concept: str = "") -> Span:
    """The tokens that hold the characters from ``begin`` to ``end``."""
    span = doc.char_span(begin, end, label=label, kb_id=concept, alignment_mode="expand")
    return cast(Span, span)  # None is for offsets outside the text alone


def _sections(doc: Doc, text: str, sections: Iterable[Section]) -> Iterator[Span]:
    """Without the white space around each, which may be one token with that of its neighbour."""
    for section in sections:
        whole = text[section.begin : section.end]
        if body := whole.strip():
            begin = section.begin + whole.index(body)
            yield _widened(doc, begin, begin + len(body), section.aspect)


def _finding(doc: Doc, finding: Finding) -> Span:
    span = _widened(doc, finding.begin, finding.end, finding.kind.upper(), finding.concept)
    _say(span, finding)
    return span


def _say(span: Span, finding: Finding) -> None:
    """Keep ``finding`` by its concept: spaCy keeps attributes by offsets, and two findings may share these."""
    told = {name: getattr(finding, name) for name in _FIELDS}  # asdict copies each value
    span._.aspectra = {finding.concept: told, **(span._.aspectra or {})}


def _said(span: Span) -> dict[str, Any] | None:
    """What is said of the span's own concept, else of what stands at its offsets."""
    said: dict[str, dict[str, Any]] | None = span._.aspectra
    return (said.get(span.kb_id_) or next(iter(said.values()))) if said else None


def _told(field: str, span: Span) -> str | None:
    said = _said(span)
    return said[field] if said else None


def _aspect(span: Span) -> str:
    """Of the section in which the span begins."""
    held: Sequence[Span] = span.doc.spans.get(SECTIONS, ())
    before = bisect_right(held, span.start, key=lambda s: s.start)
    return held[before - 1].label_ if before and span.start < held[before - 1].end else ""


# For the whole process, as spaCy has it. Nothing here is a lambda: a process that is spawned gets these pickled.
Span.set_extension(FINDINGS, default=None, force=True)
Span.set_extension("aspectra_concept", getter=partial(_told, "concept"), force=True)
for _name in TOLD:
    Span.set_extension(_name, getter=partial(_told, _name), force=True)
Span.set_extension("aspect", getter=_aspect, force=True)
Doc.set_extension("aspectra_entities", default=None, force=True)


@Language.factory(
    "aspectra",
    default_config={"lexicon": None, "ents": "fill", "assert_others": True},
    assigns=["doc.spans", "doc.ents", "token.ent_type", "token.ent_iob", "doc._.aspectra_entities", "span._.aspectra"],
)
def make_component(nlp: Language, name: str, lexicon: str | None, ents: Ents, assert_others: bool) -> SpacyComponent:
    """What the entry point names; the configuration is that of `SpacyComponent`."""
    return SpacyComponent(lexicon, ents, assert_others)
