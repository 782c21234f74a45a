"""What is said of a mention in the end: by the rules, the arbiter above them, and the reader that it asks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from search_stack.core.schema import UNAFFECTED, Finding
from search_stack.language.arbiter import Arbiter, Judged, Reader, features, status_features
from search_stack.language.arbiter.features import Overview
from search_stack.language.arbiter.model import NONE, buckets
from search_stack.language.arbiter.window import window
from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.assertion.table import slot
from search_stack.language.lexicon.concepts import VITAL_SIGN
from search_stack.language.lexicon.initials import MARK
from search_stack.language.status import stands, status_of, worded

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
_LETTERS = re.compile(rf"\w(?:{MARK}\w)+")
"""What names things by their first letters, which can mean nothing else: "n/v"."""
_ORDER = re.compile(r"(?:transfuse|intubate|extubate|cardiovert|dialy[sz]e)\Z", re.IGNORECASE)
"""Acts by the form of their verb in which they are ordered; behind other words it is that of a purpose too."""
_OPENS = re.compile(r"(?:\A|[,;:•>–-]\s?|\b(?:please|and|or|will|would) )\Z", re.IGNORECASE)
"""What an order stands behind."""
SEEN = ("findings", "impression")
"""Aspects of sections of a report of imaging that tell what is seen, long after an operation or soon."""
_GONE = re.compile(r"\babsent\b", re.IGNORECASE)
"""In the name of an operation it says that the organ is out: "gallbladder: surgically absent"."""
STANDING = ("present", "historical")
"""What the rules say of what its status may say to be present."""
_SHOWN_ON = re.compile(
    r"\b(?:seen|identified|found|noted|detected|demonstrated|visible|visuali[sz]ed|evident|apparent|excluded|ruled out)"
    r" (?:(?:on|by|in) (?:[\w&-]+ (?:or|and|nor) )?|\()\Z",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[ \t]{0,2}[:=]?[ \t]{0,2}\d")
_ANSWERED = re.compile(r":\s*(?:denies|denied|no|none|nil|never|neg|negative|absent)\W*\Z", re.IGNORECASE)
"""A row of a form whose answer denies."""


@dataclass(frozen=True, slots=True)
class Decider:
    """The rules alone without an arbiter, the arbiter alone without a reader."""

    arbiter: Arbiter | None
    reader: Reader | None = None
    operations: frozenset[str] = frozenset()
    """Concepts that are operations."""

    def decided(self, text: str, one: Judged, note: Overview) -> tuple[Finding, bool]:
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
        if answer == NONE and _LETTERS.fullmatch(text, one.finding.begin, one.finding.end):
            answer = rule
        heard = {s.says for s in one.judgement.said}
        if answer == "family" != rule and ("own" in heard or _is_childs(text, one) or _is_patients(text, one)):
            answer = rule
        if answer == "historical" != rule and _HABIT.match(text, one.finding.begin):
            answer = rule
        if answer == "hypothetical" and "done" in heard:
            answer = rule  # "Scheduled MRI showed a tear".
        if answer == "absent" != rule and one.finding.kind in DONE_OR_TAKEN and _ANSWERED.search(text, *one.before):
            answer = rule  # A form's answer is of its own row: "LOC: denies. Tdap updated."
        if rule == "present" and answer != NONE and _is_of_an_organ_gone(text, one.finding):
            answer = "historical"
        if answer == "absent" != rule and one.finding.kind == "procedure" and _is_what_showed(text, one):
            answer = rule  # "Not seen on CT": it was done.
        if rule == "present" and _is_valued(text, one.finding):
            answer = rule
        if answer == "present" and _is_ordered(text, one):
            answer = "hypothetical"
        if answer == "present" and note.sees and one.section.aspect in SEEN and self._is_operation(one):
            answer = "historical"  # "Sternotomy. Lungs are clear": what is left of it is seen.
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

    def _is_operation(self, one: Judged) -> bool:
        return one.finding.concept in self.operations


def _is_what_showed(text: str, one: Judged) -> bool:
    """Whether it is the test by which something was looked for."""
    return _SHOWN_ON.search(text, one.sentence.begin, one.finding.begin) is not None


def _is_valued(text: str, found: Finding) -> bool:
    """Whether it is a measurement with its value right behind it: "Hb 84. Plan: scope"."""
    return found.kind == "procedure" and bool(found.amounts) and _VALUE.match(text, found.end) is not None


def _is_childs(text: str, one: Judged) -> bool:
    """Whether the sentence speaks of a child and, up to the mention, of nobody's kin: the child is the patient, "Child
    with fever"."""
    sentence = text[one.sentence.begin : one.sentence.end]
    return bool(_CHILD.match(sentence)) and not _KIN.search(text[one.before[0] : one.finding.end])


def _is_ordered(text: str, one: Judged) -> bool:
    """Whether it is an order, which nobody has followed yet: "Hgb 7.1, transfuse <7"."""
    found = one.finding
    ordered = found.kind == "procedure" and _ORDER.match(text[found.begin : found.end])
    return bool(ordered and _OPENS.search(text[one.sentence.begin : found.begin]))


def _is_of_an_organ_gone(text: str, found: Finding) -> bool:
    """Whether it names an operation by what is no longer there."""
    return found.kind == "procedure" and _GONE.search(text, found.begin, found.end) is not None


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
