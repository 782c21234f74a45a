"""Sections, findings and entities of a note, from its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from search_stack.core.schema import UNAFFECTED, Entity, Finding, Section
from search_stack.core.steps import Steps, finished
from search_stack.language.amounts import with_amounts
from search_stack.language.arbiter import (
    Arbiter,
    Judged,
    Reader,
    arbiter_of,
    features,
    overview,
    reader_of,
    status_features,
)
from search_stack.language.arbiter.features import Overview
from search_stack.language.arbiter.model import NONE, buckets
from search_stack.language.arbiter.window import window
from search_stack.language.assertion import Judgement, Sentence, Target, assess
from search_stack.language.assertion.answered import Answer, answer_to, answered
from search_stack.language.assertion.presupposed import KINDS
from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.assertion.table import slot
from search_stack.language.entities import dominant
from search_stack.language.lexicon.chronic import is_chronic, passing_ones
from search_stack.language.lexicon.concepts import VITAL_SIGN, Concept, Lexicon
from search_stack.language.lexicon.kinds import guessed_kind
from search_stack.language.lexicon.load import load_lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.mention import Mention
from search_stack.language.measured import measured
from search_stack.language.mentions import Mentioner, OtherMentions, Pipeline, pipeline_of
from search_stack.language.results import with_results
from search_stack.language.sections import sections
from search_stack.language.sentences import is_item, sentences
from search_stack.language.sites import SITELESS, groups, placed, sense_by_site, sites_of_heading
from search_stack.language.status import stands, status_of, worded
from search_stack.language.version import labels_version

ASSERTED = frozenset(("finding", "disorder", "symptom", "procedure", "device", "drug"))
"""Kinds of concepts whose mentions are findings; anatomy is only what a text is about."""
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_CHILD = re.compile(
    r"\W*(?:(?:the|this|a|our|an?)\s+)?(?:[\w-]+\s+){0,2}?(?:child|baby|infant|newborn|neonate|toddler|boy|girl)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?<!\bher )(?<!\bhis )(?<!\bour )(?<!\btheir )\b"
    r"(?:(?:pt|patient|baby|infant|child) (?:had|has|with) |found (?:him|her) "
    r"(?:unresponsive|unconscious|collapsed|down|lying|on|in|at|after|with) )[^.;,\n]*\Z",
    re.IGNORECASE,
)
"""The patient becomes the subject, whoever was named before: "per mom, pt had"."""
_KIN = re.compile(rf"\b(?:{'|'.join(slot('relative'))}|twin|family|her|his|their|another|other)\b", re.IGNORECASE)
_RELATIVE = re.compile(rf"\b(?:{'|'.join(slot('relative'))}|twin|family|another|other)\b", re.IGNORECASE)
_DEATH = re.compile(r"\W*(?:(?:he|she|(?:the )?(?:pt|patient)) )?(?:died|passed away)\b", re.IGNORECASE)
"""How a sentence begins that tells of the patient's death, unless it is a relative's who stands before it."""
KIN_BEFORE = 120
"""Characters before such a sentence in which a relative may be named: "Mother had a stroke. She died of pneumonia"."""
_HABIT = re.compile(r"(?:smokes|vapes|drinks|chews|dips)\b", re.IGNORECASE)
"""What somebody does now, by its tense."""
_NON = re.compile(r"\bnon[ -]\Z", re.IGNORECASE)
NON = 5
"""Characters of the denial right before a name."""
_FIRST_WORD = re.compile(r"\w+\W+(?=\w)")
SHORT = 3
"""Words, at most, of a sentence that answers the heading before it."""
_HOLDS_BELOW = re.compile(
    r"\W*(?:(?:the )?patient )?(?:not found|not present|ruled out|excluded|denies|denied|pertinent negatives?"
    r"|differential(?: diagnos[ei]s| dx)?|ddx|(?:working|provisional) (?:diagnos[ei]s|dx)"
    r"|(?:resolved|inactive|past) (?:hospital )?(?:problems|issues)|return precautions|call (?:for|if)|rule out|r/o"
    r"|warning signs|risks|contraindications|seek (?:medical )?(?:help|attention) (?:for|if)|risk factors for)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[A-Z][a-z]{2,20}(?: [a-z]{2,20}){0,2}:\s")
_DECIDES = ("present", "absent", "historical", "possible", "hypothetical", "family", "unaffected")
"""Of several mentions, whose assertion the note's is."""
STANDING = ("present", "historical")
"""What the rules say of what its status may say to be present."""
_ANSWERED = re.compile(r":\s*(?:denies|denied|no|none|nil|never|neg|negative|absent)\W*\Z", re.IGNORECASE)
"""A row of a form whose answer denies."""
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
        self._mentioner: Mentioner = OtherMentions(pipeline, lexicon, self.matcher) if pipeline else self.matcher
        self._own = _own_digest(arbiter, reader, pipeline)

    @cached_property
    def version(self) -> str:
        """What its labels carry: changes with the lexicon, the rules and their code, the arbiter and the reader."""
        return labels_version(self.lexicon, own=self._own)

    def label(self, text: str, title: str = "") -> NoteLabels:
        """Label a note; ``title`` counts for what it is about."""
        return finished(self.labelling(text, title))

    def labelling(self, text: str, title: str = "") -> Steps[NoteLabels]:
        """`label` in steps, a sentence or so each."""
        found = sections(text)
        judged: list[Judged] = []
        for said in self._sentences(text, found):
            judged += said
            yield
        note = overview(text, judged, found)
        told = []
        for one in judged:
            finding, meant = self._decided(text, one, note)
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
        found = sections(text)
        _, note = self._judged_in(text, found)
        at = [self._judged_at(text, found, begin, end) for begin, end in spans]
        decided = with_results((self._decided(text, one, note)[0], one.sentence) for one in at)
        return [replace(f, concept="", name=text[f.begin : f.end], kind="") for f in decided]

    def judged(self, text: str) -> tuple[list[Judged], Overview]:
        """What the rules say of every mention, and in the whole note."""
        return self._judged_in(text, sections(text))

    def judged_at(self, text: str, begin: int, end: int) -> tuple[Judged, Overview]:
        """What the rules say of ``text[begin:end]``, as the concept that stands there where there is one."""
        found = sections(text)
        return self._judged_at(text, found, begin, end), self._judged_in(text, found)[1]

    def _judged_in(self, text: str, found: Sequence[Section]) -> tuple[list[Judged], Overview]:
        judged = [one for said in self._sentences(text, found) for one in said]
        return judged, overview(text, judged, found)

    def _judged_at(self, text: str, found: Sequence[Section], begin: int, end: int) -> Judged:
        section = next(s for s in found if begin < s.end)
        stretches = [*self._stretches(text, section), (section.begin, section.end)]
        n = next(n for n, (b, e) in enumerate(stretches) if b <= begin < e)
        left, right = min(stretches[n][0], begin), max(stretches[n][1], end)
        sentence = Sentence(text, left, right, _headed_by(section), _leads(text, section, stretches)[n])
        here = [m for m in self.matcher.mentions(text, left, right) if m.begin < end and m.end > begin]
        concept = self.lexicon.concepts[here[0].concept] if here else Concept("", "", guessed_kind(text[begin:end]))
        chronic = is_chronic(concept.id, text, begin, end)
        passing = concept.id in passing_ones()
        target = Target(begin, end, concept.kind, chronic, passing=passing)
        judgement = assess(sentence, [target])[0]
        if answer := _answer(text, stretches, n):
            judgement = answered(judgement, target, answer)
        finding = _finding(concept.id, concept.name, concept.kind, begin, end, judgement)
        before = stretches[n - 1] if n and stretches[n - 1][1] <= left else (0, 0)
        return Judged(finding, judgement, sentence, before, section)

    def _stretches(self, text: str, section: Section) -> list[tuple[int, int]]:
        """What is labelled as one sentence: the heading, then the sentences of the body.

        A short answer is one with the heading: "DRAINS: None."
        """
        heading = sentences(text, section.heading_begin, section.heading_end)
        body = sentences(text, section.heading_end, section.end)
        if heading and body and self._answers(text, heading[-1], body[0]):
            return [*heading[:-1], (heading[-1][0], body[0][1]), *body[1:]]
        return [*heading, *body]

    def _answers(self, text: str, heading: tuple[int, int], said: tuple[int, int]) -> bool:
        """Whether ``said`` is short and names nothing by itself, or names something with the heading alone:
        "ANESTHESIA: General, by mask"; not where it answers a label of its own: "TRAUMA", below it "LOC: denies"."""
        words = text[slice(*said)].split()
        if any(word.endswith(":") for word in words):
            return False
        if len(words) <= SHORT and not self.matcher.mentions(text, *said):
            return True
        if text[slice(*heading)].strip(" :").lower() not in self.matcher.headings:
            return False
        return any(m.begin < said[0] < m.end for m in self.matcher.mentions(text, heading[0], said[1]))

    def _sentences(self, text: str, found: Sequence[Section]) -> Iterator[list[Judged]]:
        for section in found:
            yield from self._section(text, section)

    def _section(self, text: str, section: Section) -> Iterator[list[Judged]]:
        """What the rules say in one sentence after the other."""
        stretches = self._stretches(text, section)
        before = (0, 0)
        around = sites_of_heading(section.heading)
        for n, ((begin, end), lead) in enumerate(zip(stretches, _leads(text, section, stretches), strict=True)):
            sentence = Sentence(text, begin, end, _headed_by(section), lead)
            said = self._judged(sentence, around, _answer(text, stretches, n))
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
            mentions = [head for m in mentions for head in self._heads(sentence, m)]
            told = with_amounts(sentence.text, sentence.begin, sentence.end, mentions, self.lexicon)
            named = [m for m in told if m.amounts or self.lexicon.concepts[m.concept].kind != VITAL_SIGN]
            mentions = self._with_numbers(sentence, named)
        mentions = self._with_sites(sentence, mentions, around)
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
        found = [m for m in rest if m.end == mention.end and self.lexicon.concepts[m.concept].kind in KINDS]
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

    def _decided(self, text: str, one: Judged, note: Overview) -> tuple[Finding, bool]:
        """What is said in the end, with the status of what has one, and whether the words mean the concept.

        Where they do not, it is what the rules say.
        """
        # What denies by its own words is not weighed ("heart size is normal"), nor what a number or a tick says.
        measured = one.finding.value is not None or one.finding.kind == VITAL_SIGN
        if self.arbiter is None or one.denies or measured or one.judgement.settled:
            finding = _changed(one, "hypothetical") if note.is_general and not one.denies else one.finding
            return _with_status(finding, rule_status(one, finding.assertion)), True
        rule, found = one.finding.assertion, buckets(features(text, one, note))
        shares = self.arbiter.probabilities(found)
        if self.reader and self.arbiter.asks(shares, note.is_imaging):
            read = self.reader.shares(window(text, one, note))
            answer = self.arbiter.decide_with(shares, read, one.finding.kind)
        else:
            answer = self.arbiter.decide(shares, rule)
        heard = {s.says for s in one.judgement.said}
        if answer == "family" != rule and ("own" in heard or _is_childs(text, one) or _is_patients(text, one)):
            answer = rule
        if answer == "historical" != rule and _HABIT.match(text, one.finding.begin):
            answer = rule
        if answer == "hypothetical" and "done" in heard:
            answer = rule  # "Scheduled MRI showed a tear".
        if answer == "absent" != rule and one.finding.kind in DONE_OR_TAKEN and _ANSWERED.search(text, *one.before):
            answer = rule  # A form's answer is of its own row: "LOC: denies. Tdap updated."
        if note.is_general and answer != NONE:
            answer = "hypothetical"
        held = rule in STANDING and not note.is_general and _stands(one, answer)
        answer = "present" if held else answer  # "Held for now", "rash from penicillin in 1998".
        finding = one.finding if answer in (rule, NONE) else _changed(one, answer)
        status = rule_status(one, finding.assertion)
        # Of an act the assertion alone tells it.
        if status and status != UNAFFECTED and not held and finding.kind != "procedure":
            of_rule = status if finding.assertion == rule else rule_status(one, rule)
            known = np.concatenate((found, buckets(status_features(of_rule, finding.kind))))
            said = worded(one.sentence, finding.begin, finding.end, finding.kind, status)
            status = self.arbiter.decide_status(known, status, finding.assertion, said)
        return _with_status(finding, status), answer != NONE

    def _target(self, mention: Mention, sentence: Sentence) -> Target:
        kind = self.lexicon.concepts[mention.concept].kind
        # Who asks for a history of hypertension means just that.
        chronic = not sentence.asked and is_chronic(mention.concept, sentence.text, mention.begin, mention.end)
        passing = mention.concept in passing_ones()
        return Target(mention.begin, mention.end, kind, chronic, mention.denial, passing)

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


def _is_childs(text: str, one: Judged) -> bool:
    """Whether the sentence speaks of a child and, up to the mention, of nobody's kin: the child is the patient, "Child
    with fever"."""
    sentence = text[one.sentence.begin : one.sentence.end]
    return bool(_CHILD.match(sentence)) and not _KIN.search(text[one.before[0] : one.finding.end])


def _is_patients(text: str, one: Judged) -> bool:
    """Whether the last one whom its sentence names before the mention is the patient, or it tells of a death
    where nobody else is named: "Died of pneumonia"."""
    before = text[one.sentence.begin : one.finding.begin]
    if _DEATH.match(before):
        return not _RELATIVE.search(text[max(0, one.sentence.begin - KIN_BEFORE) : one.sentence.end])
    last = max((k.end() for k in _RELATIVE.finditer(before)), default=0)
    return _AGAIN.search(before, last) is not None


def rule_status(one: Judged, assertion: str) -> str:
    """The status that the rules give it beside ``assertion``: of drugs, procedures and devices, and of what the family
    is said not to have."""
    found = one.finding
    if assertion == "family":
        return UNAFFECTED if one.judgement.denied != one.denies else ""
    return status_of(one.sentence, found.begin, found.end, found.kind, assertion)


def _stands(one: Judged, answer: str) -> bool:
    """Whether its status says that it is present, whatever ``answer`` says."""
    return stands(one.sentence, one.finding.begin, one.finding.end, one.finding.kind, answer)


def _with_status(finding: Finding, status: str) -> Finding:
    return replace(finding, status=status) if status else finding


def _changed(one: Judged, answer: str) -> Finding:
    """The finding with another answer than the rules': words that say it are its trigger."""
    past = one.judgement.temporality == "historical"
    temporality = answer if answer in ("historical", "hypothetical") else "historical" if past else "recent"
    return replace(
        one.finding,
        assertion=answer,
        trigger_begin=None,
        trigger_end=None,
        temporality=temporality,
        experiencer="family" if answer == "family" else "patient",
    )


def _headed_by(section: Section) -> str:
    """The aspect that decides where nothing else does: a guess from the text must not."""
    return section.aspect if section.heading else ""


def _leads(text: str, section: Section, stretches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """For each stretch the words before it that hold for it too, (0, 0) for none.

    They are a heading that begins with a denial, a doubt or a condition, or the sentence with a colon before a list of
    items.
    """
    heading = (section.heading_begin, section.heading_begin + len(section.heading.rstrip(": ")))
    over_all = heading if _HOLDS_BELOW.match(text[slice(*heading)]) else (0, 0)
    out: list[tuple[int, int]] = []
    opened = over_all
    for n, (begin, end) in enumerate(stretches):
        inside = begin >= section.heading_end
        before = stretches[n - 1][1] if n else begin
        apart = _PARAGRAPH.search(text[before:begin]) and text[before - 1] != ":"
        item = n > 0 and is_item(text, begin) and not apart
        own = n > 1 and _LABELLED.match(text, begin, end)  # "Resolved problems: thrush. Ongoing: constipation".
        out.append((opened if item else over_all) if inside and not own else (0, 0))
        if inside and text[end - 1] == ":":
            opened = (begin, end - 1)
        elif not item:
            opened = over_all
    return out


def _answer(text: str, stretches: Sequence[tuple[int, int]], n: int) -> Answer | None:
    """What the stretch behind the ``n``-th answers to it."""
    return answer_to(text, stretches[n], stretches[n + 1]) if n + 1 < len(stretches) else None


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
    return labels_version(lexicon, own=_own_digest(arbiter_of(folder), reader_of(folder), pipeline_of(mentions)))


def labeller_of(lexicon: Lexicon, folder: Path | None, mentions: str = "") -> Labeller:
    """`load_labeller` with a lexicon that is loaded already."""
    return Labeller(lexicon, arbiter_of(folder), reader_of(folder), pipeline_of(mentions))


def _own_digest(arbiter: Arbiter | None, reader: Reader | None, pipeline: Pipeline | None) -> str:
    digests = (arbiter.own_digest if arbiter else "", reader.digest if reader else "")
    return "".join((*digests, pipeline.identity if pipeline else ""))
