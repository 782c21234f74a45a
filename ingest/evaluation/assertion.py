"""How often an assertion is right, on sentences with a marked concept (the format of the NegEx test kit)."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.assertion import Judgement, assess
from ingest.evaluation.classes import Scores, scores
from ingest.labelling import find_mention
from search_stack.errors import AspectraError
from search_stack.evaluation.compare import Interval, paired_bootstrap

COLUMNS = ("concept", "sentence", "assertion", "temporality", "experiencer")
NEGATED = {"Affirmed": False, "Negated": True}
TEMPORALITIES = {"Recent": "recent", "Historical": "historical", "Not particular": "hypothetical"}
EXPERIENCERS = ("Patient", "Family member", "Other")
WINDOW = 5
"""Words that a negation reaches in the baseline."""
_DENIAL = re.compile(r"\b(?:no|not|without|denies|denied|never|negative for|ruled out|absence of)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, the concept in it, and what people say of it. The span is empty where it is not there."""

    sentence: str
    begin: int
    end: int
    negated: bool
    temporality: str
    patient: bool


def load_cases(file: Path, limit: int | None = None) -> list[Case]:
    """The cases of a tab-separated file with the columns `COLUMNS`.

    Raises:
        AspectraError: the file cannot be read, lacks a column, or a value is unknown; the
            message names the line and the field.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if missing := [c for c in COLUMNS if c not in (rows.fieldnames or ())]:
                raise AspectraError(
                    f"{file}:1: there is no column {missing[0]}.", f"It needs the columns {', '.join(COLUMNS)}."
                )
            out = []
            for row in rows:
                out.append(_case(row, f"{file}:{rows.line_num}"))
                if limit and len(out) == limit:
                    break
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read ({e.strerror}).", "Name a file of sentences.") from e
    except UnicodeDecodeError as e:
        raise AspectraError(f"{file}: not UTF-8.", "Save it as tab-separated text in UTF-8.") from e
    if not out:
        raise AspectraError(f"{file}: holds no sentence.", "Name a file of sentences.")
    return out


def _case(row: dict[str, str | None], where: str) -> Case:
    cells = {name: row[name] or "" for name in COLUMNS}
    for name, known in (("assertion", NEGATED), ("temporality", TEMPORALITIES), ("experiencer", EXPERIENCERS)):
        if cells[name] not in known:
            raise AspectraError(f"{where}: {name}: unknown value.", f"It is one of: {', '.join(known)}.")
    sentence, concept = cells["sentence"], cells["concept"]
    span = find_mention(sentence, concept.upper()) or find_mention(sentence, concept) or (0, 0)
    return Case(
        sentence,
        *span,
        NEGATED[cells["assertion"]],
        TEMPORALITIES[cells["temporality"]],
        cells["experiencer"] == "Patient",
    )


def judge(case: Case) -> Judgement:
    """What the rules say; "present" of a concept that is not in the sentence."""
    if case.begin == case.end:
        return Judgement()
    return assess(case.sentence, 0, len(case.sentence), [(case.begin, case.end)])[0]


def window_rule(case: Case) -> bool:
    """The baseline: a denying word among the `WINDOW` words before the concept (NegEx's first idea)."""
    before = case.sentence[: case.begin].split()[-WINDOW:]
    return bool(_DENIAL.search(" ".join(before)))


@dataclass(frozen=True, slots=True)
class AssertionReport:
    """Figures of the rules and of each system beside them, by name."""

    absent: dict[str, Scores]
    accuracy: dict[str, float]
    intervals: dict[str, Interval]
    """Accuracy of the rules minus that of each other system."""
    temporality: float
    experiencer: float
    sentences_per_second: float
    cases: int


Rule = Callable[[Sequence[Case]], Iterator[bool]]


def evaluate(cases: Sequence[Case], others: Mapping[str, Rule]) -> AssertionReport:
    """Judge ``cases`` by our rules, by the window rule, and by ``others``."""
    judge(cases[0])  # the table is read once, and not while the clock runs
    began = time.perf_counter()
    judged = [judge(c) for c in cases]
    seconds = time.perf_counter() - began
    said = {"aspectra": [j.assertion == "absent" for j in judged], "window": [window_rule(c) for c in cases]}
    said |= {name: list(rule(cases)) for name, rule in others.items()}
    gold = [c.negated for c in cases]
    right = {name: [float(a == b) for a, b in zip(found, gold, strict=True)] for name, found in said.items()}
    return AssertionReport(
        absent={name: scores(found, gold) for name, found in said.items()},
        accuracy={name: _mean(hits) for name, hits in right.items()},
        intervals={n: paired_bootstrap(right["aspectra"], hits) for n, hits in right.items() if n != "aspectra"},
        temporality=_mean([j.temporality == c.temporality for j, c in zip(judged, cases, strict=True)]),
        experiencer=_mean([(j.experiencer == "patient") == c.patient for j, c in zip(judged, cases, strict=True)]),
        sentences_per_second=len(cases) / seconds,
        cases=len(cases),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
