"""What is said of a mention in the end: by the rules, the arbiter above them, and the reader that it asks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from search_stack.core.schema import UNAFFECTED, Finding
from search_stack.language.arbiter import Arbiter, Judged, Reader, features, status_features
from search_stack.language.arbiter.features import Overview
from search_stack.language.arbiter.model import NONE, buckets
from search_stack.language.arbiter.window import window
from search_stack.language.lexicon.concepts import VITAL_SIGN
from search_stack.language.overruling import Case, overruled
from search_stack.language.status import stands, status_of, worded

STANDING = ("present", "historical")
"""What the rules say of what its status may say to be present."""


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
        answer = overruled(Case(text, one, note, rule, one.finding.concept in self.operations), answer)
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
