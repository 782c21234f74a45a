"""What reviewers decided, as rows that are only ever added; what stands of it now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from search_stack.review.fields import Value

Verdict = Literal["include", "exclude", "doubt"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody says of a patient, before it is kept."""

    patient: int
    """By number."""
    version: int
    """Of the cohort, that was looked at."""
    evidence: str
    """Digest of the evidence that this version has of the patient."""
    verdict: Verdict
    reason: str = ""
    comment: str = ""
    values: Mapping[int, Value] = field(default_factory=dict)
    """By the id of the field."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A row as it is kept."""

    id: int
    reviewer: str
    made: datetime
    given: Given
    of: frozenset[int] = frozenset()
    """Numbers of all ids that counted as the patient when it was made."""
    words_gone: datetime | None = None
    """When its words were taken out, because a note went that they may quote."""

    @property
    def patient(self) -> int:
        return self.given.patient

    @property
    def verdict(self) -> Verdict:
        return self.given.verdict


@dataclass(frozen=True, slots=True)
class Undone:
    """A row that takes another back."""

    of: int


Event: TypeAlias = Decision | Undone
NOBODY: Mapping[int, int] = {}


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands, of whoever decided."""

    by: Mapping[str, Mapping[int, Decision]]
    """By reviewer, then patient."""
    last: Mapping[str, Decision]
    """By reviewer: what an undo takes back."""
    torn: Mapping[str, Mapping[int, Sequence[Decision]]] = field(default_factory=dict)
    """By reviewer, then patient: what they said of several ids that are one patient now, and that differs. It is no
    decision of that patient until they make one, or somebody settles it."""
    reopened: Mapping[int, Sequence[Decision]] = field(default_factory=dict)
    """By patient, what was adjudicated, of one of several ids that are one patient now, where of another something else
    holds: likewise."""

    def of(self, reviewer: str) -> Mapping[int, Decision]:
        return self.by.get(reviewer, {})

    @property
    def reviewers(self) -> tuple[str, ...]:
        return tuple(sorted(self.by.keys() | self.torn.keys()))

    def about(self, patient: int) -> tuple[Decision, ...]:
        """What stands of a patient, reviewer by reviewer; several of one reviewer where these differ."""
        said: list[Decision] = []
        for name in self.reviewers:
            own = self.of(name).get(patient)
            said += [own] if own else self.torn.get(name, {}).get(patient, ())
        return tuple(said)

    @property
    def patients(self) -> tuple[int, ...]:
        """Of whom anybody decided, sorted."""
        return tuple(sorted({p for several in (self.by, self.torn) for own in several.values() for p in own}))


def standing(events: Iterable[Event], heirs: Mapping[int, int] = NOBODY, final: Iterable[Event] = ()) -> Standing:
    """Of each reviewer and patient the last decision that was not taken back.

    Args:
        events: in the order in which they were kept.
        heirs: of patients who count as another one now, the number of that one.
        final: adjudications.
    """
    made = _by_reviewer(_kept(events, heirs))
    parted = {name: _agreed(_latest(own)) for name, own in made.items()}
    by = {name: own for name, (own, _) in parted.items() if own}
    torn = {name: own for name, (_, own) in parted.items() if own}
    _, reopened = _settled(_kept(final, heirs), made)
    return Standing(by, {name: own[-1] for name, own in made.items()}, torn, reopened)


def _by_reviewer(made: Iterable[Decision]) -> dict[str, list[Decision]]:
    out: dict[str, list[Decision]] = {}
    for one in made:
        out.setdefault(one.reviewer, []).append(one)
    return out


def _kept(events: Iterable[Event], heirs: Mapping[int, int]) -> list[Decision]:
    """Decisions that were not taken back, of the patients as they count now. What was decided of several ids together
    that count apart by now is left out: each has again what was decided of it before."""
    all_ = list(events)
    undone = {one.of for one in all_ if isinstance(one, Undone)}
    out = []
    for one in all_:
        if isinstance(one, Decision) and one.id not in undone:
            of = one.of or frozenset({one.patient})
            now = {heirs.get(no, no) for no in of}
            if len(now) == 1:
                out.append(replace(one, given=replace(one.given, patient=now.pop()), of=of))
    return out


def _latest(made: Iterable[Decision]) -> dict[int, list[Decision]]:
    """By patient; of the same ids the later one counts, and one of several ids takes the place of those of each."""
    out: dict[int, list[Decision]] = {}
    for one in made:
        before = out.get(one.patient, [])
        out[one.patient] = [*(d for d in before if not d.of <= one.of), one]
    return out


def _agreed(latest: Mapping[int, Sequence[Decision]]) -> tuple[dict[int, Decision], dict[int, Sequence[Decision]]]:
    """By patient, what stands; and what differs."""
    agreed = {patient: agreeing(own) for patient, own in latest.items()}
    torn = {patient: own for patient, own in latest.items() if agreed[patient] is None}
    return {patient: one for patient, one in agreed.items() if one}, torn


def _settled(
    final: Iterable[Decision], made: Mapping[str, Sequence[Decision]]
) -> tuple[dict[int, Decision], dict[int, Sequence[Decision]]]:
    """By patient, what was adjudicated; and what is open again, since of an id besides a reviewer says something else.

    Args:
        made: by reviewer.
    """
    stand, torn = _agreed(_latest(final))
    for own in made.values():
        for patient, said in _latest(own).items():
            one = stand.get(patient)
            if one and any(d.verdict != one.verdict and not d.of & one.of for d in said):
                torn[patient] = [stand.pop(patient)]
    return stand, torn


def agreeing(several: Sequence[Decision]) -> Decision | None:
    """What decisions say together: the last one, with what the others have besides. None where they differ in the
    verdict, or in what was filled in."""
    together = in_one(several)
    same = all(
        one.verdict == together.verdict and all(together.given.values[f].said == v.said for f, v in values.items())
        for one in several
        for values in [one.given.values]
    )
    return together if same else None


def in_one(several: Sequence[Decision]) -> Decision:
    """The last of ``several``, with all that was said of reasons and in comments, and filled in; of what differs, what
    was said last."""
    *_, last = several
    if len(several) == 1:
        return last
    given = replace(
        last.given,
        reason="; ".join(_once(one.given.reason for one in several)),
        comment="\n".join(_once(one.given.comment for one in several)),
        values={field: value for one in several for field, value in one.given.values.items()},
    )
    return replace(last, given=given, of=frozenset().union(*(one.of for one in several)))


def _once(said: Iterable[str]) -> Collection[str]:
    return dict.fromkeys(filter(None, said))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What holds of a patient after all."""

    verdict: Verdict | None
    """None where reviewers differ and nobody has settled it."""
    settled: bool
    """Whether it was adjudicated."""


def outcomes(standing: Standing, final: Mapping[int, Decision]) -> dict[int, Outcome]:
    """By patient, of whom anybody decided: what was adjudicated, else what all reviewers say alike."""
    out, torn = {}, _torn(standing)
    for patient in sorted({*standing.patients, *final, *standing.reopened}):
        said = {one.verdict for one in standing.about(patient)}
        if patient in final:
            out[patient] = Outcome(final[patient].verdict, True)
        else:
            agreed = len(said) == 1 and patient not in torn
            out[patient] = Outcome(said.pop() if agreed else None, False)
    return out


def disagreements(standing: Standing) -> tuple[int, ...]:
    """Patients of whom two reviewers say two things, or one of two ids that are one patient now, sorted."""
    differ = {p for p in standing.patients if len({d.verdict for d in standing.about(p)}) > 1}
    return tuple(sorted(differ | _torn(standing)))


def _torn(standing: Standing) -> set[int]:
    return {patient for own in standing.torn.values() for patient in own} | set(standing.reopened)


def final_of(
    events: Iterable[Event], heirs: Mapping[int, int] = NOBODY, said: Iterable[Event] = ()
) -> dict[int, Decision]:
    """By patient, the last adjudication that was not taken back, whoever made it; none where it is open again, as
    `Standing.reopened` has it.

    Args:
        heirs: as of `standing`.
        said: by reviewers.
    """
    stand, _ = _settled(_kept(events, heirs), _by_reviewer(_kept(said, heirs)))
    return stand
