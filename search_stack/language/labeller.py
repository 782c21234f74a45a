"""Sections, findings and entities of a note, from its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from search_stack.core.schema import Entity, Finding, Section
from search_stack.core.steps import Steps, finished
from search_stack.language.amounts import with_amounts
from search_stack.language.arbiter import (
    Arbiter,
    Judged,
    Reader,
    arbiter_of,
    overview,
    reader_of,
)
from search_stack.language.arbiter.features import Overview
from search_stack.language.assertion import Judgement, Sentence, Target, assess
from search_stack.language.assertion.answered import Answer, answered
from search_stack.language.deciding import Decider
from search_stack.language.entities import dominant
from search_stack.language.layout import plain, unmarked
from search_stack.language.lexicon.chronic import habits, is_chronic, passing_ones
from search_stack.language.lexicon.concepts import CONDITIONS, VITAL_SIGN, Concept, Lexicon
from search_stack.language.lexicon.kinds import guessed_kind
from search_stack.language.lexicon.load import load_lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.mention import Mention
from search_stack.language.measured import measured
from search_stack.language.mentions import Mentioner, OtherMentions, Pipeline, pipeline_of
from search_stack.language.results import with_results
from search_stack.language.sections import sections
from search_stack.language.sentences import flowing
from search_stack.language.sites import (
    SITELESS,
    at_grades,
    groups,
    placed,
    sense_by_site,
    severities,
    sites_of_heading,
)
from search_stack.language.stretches import answer_behind, headed_by, leads, stretches_of
from search_stack.language.susceptibility import of_susceptibility
from search_stack.language.version import fingerprint, labels_version, read_by

ASSERTED = frozenset(("finding", "disorder", "symptom", "procedure", "device", "drug"))
"""Kinds of concepts whose mentions are findings; anatomy is only what a text is about."""
_NON = re.compile(r"\bnon[ -]\Z", re.IGNORECASE)
_BY_RESULT = {"normal": "absent", "abnormal": "present"}
OPERATION = "surgery"
"""The concept of which every operation is a kind."""
NON = 5
"""Characters of the denial right before a name."""
_FIRST_WORD = re.compile(r"\w+\W+(?=\w)")
_DECIDES = ("present", "absent", "historical", "possible", "hypothetical", "family", "unaffected")
"""Of several mentions, whose assertion the note's is."""
_REVERSED = {"absent": "present", "present": "absent", "historical": "absent"}
"""Of words that deny: what was denied under "past history" is no past illness."""


@dataclass(frozen=True, slots=True)
class NoteLabels:
    """Everything that is labelled in one note; offsets count in its text."""

    sections: list[Section]
    findings: list[Finding]
    entities: list[Entity]


class Labeller:
    """Labels notes by one lexicon, the rules, an arbiter above them, and a reader that it asks."""

    def __init__(
        self,
        lexicon: Lexicon,
        arbiter: Arbiter | None,
        reader: Reader | None = None,
        pipeline: Pipeline | None = None,
    ) -> None:
        """
        Args:
            arbiter: what decides where the rules are silent or disagree; the rules alone without.
            reader: what decides with the arbiter where that is not sure; the arbiter all the same without.
            pipeline: what finds mentions; the lexicon's names without.
        """
        self.lexicon = lexicon
        self.arbiter = arbiter
        self.reader = reader
        self.matcher = Matcher.of(lexicon)
        self._decider = Decider(arbiter, reader, frozenset(lexicon.descendants(OPERATION)))
        self._mentioner: Mentioner = OtherMentions(pipeline, lexicon, self.matcher) if pipeline else self.matcher
        self._own = _own_digest(arbiter, reader, pipeline)

    @cached_property
    def version(self) -> str:
        """What its labels carry: changes with the lexicon, the rules and their code, the arbiter and the reader."""
        return labels_version(self.lexicon, own=self._own)

    @property
    def fingerprints(self) -> dict[str, str]:
        """Of the labels of each concept, by id: changes with the concept, the rules and their code, the arbiter and the
        reader."""
        reader = read_by(own=self._own)
        return {id: fingerprint(concept, reader) for id, concept in self.lexicon.fingerprints.items()}

    def label(self, text: str, title: str = "") -> NoteLabels:
        """Label a note; ``title`` counts for what it is about."""
        return finished(self.labelling(text, title))

    def labelling(self, text: str, title: str = "") -> Steps[NoteLabels]:
        """`label` in steps, a sentence or so each."""
        text, found = _read(text)
        judged: list[Judged] = []
        for said in self._sentences(text, found):
            judged += said
            yield
        note = overview(text, judged, found)
        told = []
        for one in judged:
            finding, meant = self._decider.decided(text, one, note)
            if meant:
                told.append((finding, one.sentence))
            yield
        findings = [*with_results(told)]
        return NoteLabels(found, findings, dominant(text, title, found, findings, self.lexicon, self.matcher))

    def concept_assertion(self, text: str, begin: int, end: int) -> Finding:
        """What the note says of ``text[begin:end]``, whether a lexicon knows it or not.

        Raises:
            ValueError: the offsets are outside the text or empty.
        """
        return self.concept_assertions(text, [(begin, end)])[0]

    def mention_of(self, name: str, findings: Sequence[Finding]) -> Finding | None:
        """What a note's ``findings`` say of the concept called ``name``, or of one below it, by whatever words: of
        several the one that decides, present before denied and both before a doubt; None where there is none, or no
        concept is called so."""
        whole = (
            m.concept for m in self.matcher.mentions(name, 0, len(name), asked=True) if m.end - m.begin == len(name)
        )
        found = self.lexicon.find(name)
        asked = found.id if found else next(whole, None)
        if asked is None:
            return None
        meant = {asked, *self.lexicon.descendants(asked)}
        return min((f for f in findings if f.concept in meant), key=lambda f: _DECIDES.index(f.assertion), default=None)

    def concept_assertions(self, text: str, spans: Sequence[tuple[int, int]]) -> list[Finding]:
        """`concept_assertion` of each of ``spans``, with one look at the whole note.

        Raises:
            ValueError: the offsets of one are outside the text or empty.
        """
        for begin, end in spans:
            if not 0 <= begin < end <= len(text):
                raise ValueError(f"offsets {begin} to {end} do not lie in a text of {len(text)} characters")
        written = text
        text, found = _read(text)
        _, note = self._judged_in(text, found)

        def decided(at: Iterable[Judged]) -> list[Finding]:
            return list(with_results((self._decider.decided(text, one, note)[0], one.sentence) for one in at))

        told = []
        at = [self._judged_at(text, found, begin, end) for begin, end in spans]
        for one, finding in zip(at, decided(at), strict=True):
            if test := self._test_for(one):
                finding = _of_its_test(finding, *decided([self._judged_at(text, found, *test)]))
            told.append(replace(finding, concept="", name=written[finding.begin : finding.end], kind=""))
        return told

    def _test_for(self, one: Judged) -> tuple[int, int] | None:
        """The name of a test in which what it looks for stands there: "HIV" in "HIV test negative"."""
        text, begin, end = one.sentence.text, one.finding.begin, one.finding.end
        name = text[begin:end]
        alone = [m.concept for m in self.matcher.mentions(name, 0, len(name)) if (m.begin, m.end) == (0, len(name))]
        if not any(self.lexicon.concepts[c].kind in CONDITIONS for c in alone):
            return None
        near = self.matcher.mentions(text, one.sentence.begin, one.sentence.end)
        holds = (m for m in near if m.begin <= begin and end <= m.end)
        tests = ((m.begin, m.end) for m in holds if self.lexicon.concepts[m.concept].kind == "procedure")
        return next((t for t in tests if t != (begin, end)), None)

    def judged(self, text: str) -> tuple[list[Judged], Overview]:
        """What the rules say of every mention, and in the whole note."""
        return self._judged_in(*_read(text))

    def judged_at(self, text: str, begin: int, end: int) -> tuple[Judged, Overview]:
        """What the rules say of ``text[begin:end]``, as the concept that stands there where there is one."""
        text, found = _read(text)
        return self._judged_at(text, found, begin, end), self._judged_in(text, found)[1]

    def _judged_in(self, text: str, found: Sequence[Section]) -> tuple[list[Judged], Overview]:
        judged = [one for said in self._sentences(text, found) for one in said]
        return judged, overview(text, judged, found)

    def _judged_at(self, text: str, found: Sequence[Section], begin: int, end: int) -> Judged:
        section = next(s for s in found if begin < s.end)
        stretches = [*stretches_of(text, section, self.matcher), (section.begin, section.end)]
        n = next(n for n, (b, e) in enumerate(stretches) if b <= begin < e)
        left, right = min(stretches[n][0], begin), max(stretches[n][1], end)
        sentence = Sentence(text, left, right, headed_by(section), leads(text, section, stretches)[n])
        here = [m for m in self.matcher.mentions(text, left, right) if m.begin < end and m.end > begin]
        concept = self.lexicon.concepts[here[0].concept] if here else Concept("", "", guessed_kind(text[begin:end]))
        chronic = is_chronic(concept.id, text, begin, end)
        passing, habit = concept.id in passing_ones(), concept.id in habits()
        target = Target(begin, end, concept.kind, chronic, passing=passing, habit=habit)
        judgement = assess(sentence, [target])[0]
        if answer := answer_behind(text, stretches, n):
            judgement = answered(judgement, target, answer)
        finding = _finding(concept.id, concept.name, concept.kind, begin, end, judgement)
        before = stretches[n - 1] if n and stretches[n - 1][1] <= left else (0, 0)
        return Judged(finding, judgement, sentence, before, section)

    def _sentences(self, text: str, found: Sequence[Section]) -> Iterator[list[Judged]]:
        for section in found:
            yield from self._section(text, section)

    def _section(self, text: str, section: Section) -> Iterator[list[Judged]]:
        """What the rules say in one sentence after the other."""
        stretches = stretches_of(text, section, self.matcher)
        before = (0, 0)
        around = sites_of_heading(section.heading)
        for n, ((begin, end), lead) in enumerate(zip(stretches, leads(text, section, stretches), strict=True)):
            sentence = Sentence(text, begin, end, headed_by(section), lead)
            said = self._judged(sentence, around, answer_behind(text, stretches, n))
            yield [Judged(f, j, sentence, before, section, m.denial, len(said)) for m, j, f in said]
            before = begin, end

    def sentence(self, sentence: Sentence) -> list[tuple[Mention, Finding]]:
        """What the rules say in a sentence of each concept that it names."""
        return [(m, f) for m, _, f in self._judged(sentence)]

    def _judged(
        self, sentence: Sentence, around: tuple[str, ...] = (), answer: Answer | None = None
    ) -> list[tuple[Mention, Judgement, Finding]]:
        """What the rules say in a sentence; ``around``: the sites that its section is about; ``answer``: what is said
        behind it to what it asks."""
        mentions = self._mentioner.mentions(sentence.text, sentence.begin, sentence.end, sentence.asked)
        mentions = [m for m in mentions if self.lexicon.concepts[m.concept].kind in (*ASSERTED, VITAL_SIGN)]
        if not sentence.asked:
            drugs = [m for m in mentions if self.lexicon.concepts[m.concept].kind == "drug"]
            tested = of_susceptibility(sentence.text, sentence.begin, sentence.end, drugs)
            mentions = [m for m in mentions if m not in tested]
            mentions = [head for m in mentions for head in self._heads(sentence, m)]
            told = with_amounts(sentence.text, sentence.begin, sentence.end, mentions, self.lexicon)
            named = [m for m in told if m.amounts or self.lexicon.concepts[m.concept].kind != VITAL_SIGN]
            mentions = self._with_numbers(sentence, named)
        mentions = self._with_severity(sentence, self._with_sites(sentence, mentions, around))
        targets = [self._target(m, sentence) for m in mentions]
        judged = assess(sentence, targets)
        if answer:
            judged = [answered(j, t, answer) for j, t in zip(judged, targets, strict=True)]
        return [(m, j, self._found(m, j)) for m, j in zip(mentions, judged, strict=True)]

    def _heads(self, sentence: Sentence, mention: Mention) -> list[Mention]:
        """``mention``, or where its first word alone is denied what the rest of it names: "non-displaced fracture"."""
        text = sentence.text
        word = _FIRST_WORD.match(text, mention.begin, mention.end)
        if word is None or not _NON.search(text[max(sentence.begin, mention.begin - NON) : mention.begin]):
            return [mention]
        rest = self.matcher.mentions(text, word.end(), mention.end)
        found = [m for m in rest if m.end == mention.end and self.lexicon.concepts[m.concept].kind in CONDITIONS]
        return found or [mention]

    def _with_numbers(self, sentence: Sentence, named: list[Mention]) -> list[Mention]:
        """``named``, and what numbers say besides: "weight loss of 18 pounds" says it once."""
        numbers = [
            m
            for m in measured(sentence.text, sentence.begin, sentence.end)
            if m.concept in self.lexicon.concepts
            and not any(n.concept == m.concept and n.begin < m.end and m.begin < n.end for n in named)
        ]
        return sorted((*named, *numbers), key=lambda m: (m.begin, m.end)) if numbers else named

    def _with_sites(self, sentence: Sentence, mentions: list[Mention], around: tuple[str, ...]) -> list[Mention]:
        """``mentions``, each with where in the body it is, and of the concept that it names there; of drugs nothing is
        told."""
        text, begin, end = sentence.text, sentence.begin, sentence.end
        found = groups(text, begin, end, [m.begin for m in mentions]) if mentions else []
        if found or around:
            told = placed(text, begin, end, [m.parts for m in mentions], found, strictly=sentence.asked)
            mentions = [
                m if self.lexicon.concepts[m.concept].kind in SITELESS else replace(m, sites=sites or around)
                for m, sites in zip(mentions, told, strict=True)
            ]
        return [sense_by_site(text, m, self.lexicon, sentence.asked) for m in mentions]

    def _with_severity(self, sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
        """``mentions``, each with how severe it is at its sites."""
        if sentence.asked:
            return mentions  # How severe what is asked for must be, the question's reader tells.
        told = severities(sentence.text, sentence.begin, sentence.end, mentions, self.lexicon)
        return [
            replace(m, sites=at_grades(one.grades, m.sites)) if one else m
            for m, one in zip(mentions, told, strict=True)
        ]

    def _target(self, mention: Mention, sentence: Sentence) -> Target:
        kind = self.lexicon.concepts[mention.concept].kind
        # In a question a history is kept apart: the query says that who has it counts, too.
        chronic = not sentence.asked and is_chronic(mention.concept, sentence.text, mention.begin, mention.end)
        passing, habit = mention.concept in passing_ones(), mention.concept in habits()
        valued = mention.value is not None
        return Target(mention.begin, mention.end, kind, chronic, mention.denial, passing, valued, habit)

    def _found(self, mention: Mention, judged: Judgement) -> Finding:
        concept = self.lexicon.concepts[mention.concept]
        if mention.denial:
            # The words themselves deny it: "heart size is normal"; denied in turn, they affirm it.
            trigger = judged.assertion == "absent" and judged.trigger_begin is not None
            judged = replace(
                judged,
                assertion=_REVERSED.get(judged.assertion, judged.assertion),
                trigger_begin=judged.trigger_begin if trigger else mention.begin,
                trigger_end=judged.trigger_end if trigger else mention.end,
            )
        found = _finding(concept.id, concept.name, concept.kind, mention.begin, mention.end, judged)
        return replace(
            found,
            value=mention.value,
            unit=mention.unit,
            names=mention.names,
            amounts=mention.amounts,
            sites=mention.sites,
        )


def _read(text: str) -> tuple[str, list[Section]]:
    """The text as it is read, with the same offsets, and its sections."""
    found = sections(text)
    return flowing(unmarked(plain(text)), [(section.heading_end, section.end) for section in found]), found


def _of_its_test(finding: Finding, test: Finding) -> Finding:
    """What is said of what ``test`` looks for: where it came out, that."""
    if test.result not in _BY_RESULT:
        return finding
    return replace(finding, assertion=_BY_RESULT[test.result], temporality="recent")


def _finding(concept: str, name: str, kind: str, begin: int, end: int, judged: Judgement) -> Finding:
    return Finding(
        concept,
        name,
        kind,
        begin,
        end,
        judged.assertion,
        judged.trigger_begin,
        judged.trigger_end,
        judged.temporality,
        judged.experiencer,
    )


def find_mention(text: str, words: str) -> tuple[int, int] | None:
    """Where ``words`` first stand in ``text``, whatever the case and white space; None where they do not.

    As whole words before parts of some ("MI" is not in "mild MI"), in the same case before another.
    """
    pattern = r"\s+".join(map(re.escape, words.split()))
    if not pattern:
        return None
    whole = rf"(?<!\w){pattern}(?!\w)"
    found = re.search(whole, text) or re.search(whole, text, re.IGNORECASE) or re.search(pattern, text, re.IGNORECASE)
    return found.span() if found else None


def load_labeller(folder: Path | None, mentions: str = "") -> Labeller:
    """What labels by the lexicon in ``folder``, and by arbiter and reader there, else the shipped ones.

    Args:
        mentions: the pipeline that finds mentions, as ``ASPECTRA_MENTIONS`` names it; empty for the lexicon.

    Raises:
        AspectraError: a file there cannot be used, or there is no such pipeline.
    """
    return labeller_of(load_lexicon(folder), folder, mentions)


def version_in_use(lexicon: Lexicon, folder: Path | None, mentions: str = "") -> str:
    """`Labeller.version` of `labeller_of`, without one."""
    return labels_version(lexicon, own=_own_in(folder, mentions))


def reader_in_use(folder: Path | None, mentions: str = "") -> str:
    """What stands for rules, arbiter and reader in `Labeller.fingerprints` of `labeller_of`, without one."""
    return read_by(own=_own_in(folder, mentions))


def labeller_of(lexicon: Lexicon, folder: Path | None, mentions: str = "") -> Labeller:
    """`load_labeller` with a lexicon that is loaded already."""
    return Labeller(lexicon, arbiter_of(folder), reader_of(folder), pipeline_of(mentions))


def _own_in(folder: Path | None, mentions: str) -> str:
    return _own_digest(arbiter_of(folder), reader_of(folder), pipeline_of(mentions))


def _own_digest(arbiter: Arbiter | None, reader: Reader | None, pipeline: Pipeline | None) -> str:
    digests = (arbiter.own_digest if arbiter else "", reader.digest if reader else "")
    return "".join((*digests, pipeline.identity if pipeline else ""))
