"""What a test found, normal or abnormal, apart from whether it was done (docs/annotation.md)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from search_stack.core.schema import DENIED, Finding
from search_stack.language.assertion.judgement import Sentence
from search_stack.language.lexicon.concepts import CONDITIONS

TESTS = frozenset(("procedure",))
FOUND = ("present", "historical")
"""Only what was done has found something."""
REACH = 120
"""Characters on either side of a mention that are looked at."""
_TEST, _NAMED, _DENIED, _OTHER = "\ue000", "\ue001", "\ue002", "\ue003"
"""Each character of another mention is written so: whatever it names, a row asks for its like alone."""
_SHAPES = {"test": f"{_TEST}+", "named": f"{_NAMED}+", "denied": f"{_DENIED}+"}
_TREATS = re.compile(
    r"(?:ectomy|otomy|plasty|resection|incision|excision|closure|repair|ligation|surgery|therapy|\w{3}ed)\Z",
    re.IGNORECASE,
)
"""How acts end that change something and find nothing: "suctioned clean"."""
_HEADS = re.compile(r"\s*[:–—-]\s*")
"""Behind a test it is the heading of what stands below: "EKG: Normal."."""
_STATEMENT = re.compile(r"\s*[^.\n]*")
_SLOT = re.compile(r"\{([a-z]+)\}")
_GENERAL = re.compile(
    r"(?:abnormalit(?:y|ies)|findings?|process(?:es)?|changes|pathology|(?:acute|active) disease|contrast|growth"
    r"|sinus rhythm|clear lungs?|lungs?(?: are| were| is| was| appear)? clear)\Z",
    re.IGNORECASE,
)
"""How mentions end that rows know by their words: "no acute abnormality"."""


@dataclass(frozen=True)
class Row:
    result: str
    """One of `search_stack.core.schema.RESULTS`; empty where nothing is told."""
    before: re.Pattern[str] | None
    behind: re.Pattern[str] | None
    examples: tuple[str, ...]

    def fits(self, left: str, right: str) -> bool:
        """Whether it is said by the words before a mention, or behind it; of an empty side nothing is."""
        before = self.before and left and self.before.search(left)
        return bool(before or (self.behind and right and self.behind.match(right)))


def with_results(told: Iterable[tuple[Finding, Sentence]]) -> Iterator[Finding]:
    """Findings of a note, with their sentences and in their order, each test that was done with what it found."""
    groups = [(sentence, [f for f, _ in group]) for sentence, group in groupby(told, key=lambda one: one[1])]
    for n, (sentence, own) in enumerate(groups):
        text, around = sentence.text, own
        tell = [_may_tell(finding, text) for finding in own]
        if any(tell) and _HEADS.fullmatch(text, own[-1].end, sentence.end):
            below = _STATEMENT.match(text, sentence.end, sentence.end + REACH)
            sentence = replace(sentence, end=below.end() if below else sentence.end)
            around = [f for _, found in groups[n : n + 2] for f in found if f.begin < sentence.end]
        hinted = any(tell) and hint().search(text, sentence.begin, sentence.end)
        for finding, may in zip(own, tell, strict=True):
            result = result_of(finding, sentence, around) if hinted and may else ""
            yield replace(finding, result=result) if result else finding


def result_of(
    finding: Finding, sentence: Sentence, others: Sequence[Finding], table: Sequence[Row] | None = None
) -> str:
    """What the sentence says that the test found; empty where it says nothing.

    Args:
        others: all findings of the sentence.
        table: the shipped `rows` without.
    """
    left, right = (side if hint().search(side) else "" for side in _around(finding, sentence, others))
    return next((row.result for row in (rows() if table is None else table) if row.fits(left, right)), "")


def _may_tell(finding: Finding, text: str) -> bool:
    tells = finding.kind in TESTS and finding.assertion in FOUND and finding.status != "planned"
    return tells and not _TREATS.search(text, finding.begin, finding.end)


def _around(finding: Finding, sentence: Sentence, others: Sequence[Finding]) -> tuple[str, str]:
    """The sentence before the mention and behind it, other mentions masked."""
    begin, end = max(sentence.begin, finding.begin - REACH), min(sentence.end, finding.end + REACH)
    said = list(sentence.text[begin:end])
    for other in others:
        apart = other.end <= finding.begin or other.begin >= finding.end
        if apart and not _GENERAL.search(sentence.text, other.begin, other.end):
            shape = _shape(other)
            span = range(max(other.begin, begin), min(other.end, end))
            said[slice(span.start - begin, span.stop - begin)] = shape * len(span)
    text = "".join(said)
    return text[: finding.begin - begin], text[finding.end - begin :]


def _shape(other: Finding) -> str:
    if other.kind in TESTS:
        return _TEST
    if other.kind not in CONDITIONS:
        return _OTHER
    return _DENIED if other.says in DENIED else _NAMED


@cache
def rows() -> tuple[Row, ...]:
    """The table, in its order."""
    return tuple(
        Row(
            row["result"],
            _compiled(f"(?:{row['before']})\\Z") if "before" in row else None,
            _compiled(row["behind"]) if "behind" in row else None,
            tuple(row["examples"]),
        )
        for row in _written()["rows"]
    )


@cache
def hint() -> re.Pattern[str]:
    """Some word without which no row fits."""
    return _compiled(_written()["hint"])


@cache
def _written() -> dict[str, Any]:
    return tomllib.loads((files("search_stack.language") / "results.toml").read_text(encoding="utf-8"))


def _compiled(written: str) -> re.Pattern[str]:
    slots: dict[str, str] = {**_written()["slots"], **_SHAPES}
    while found := _SLOT.search(written):
        written = f"{written[: found.start()]}(?:{slots[found[1]]}){written[found.end() :]}"
    return re.compile(written.replace(" ?", r"\s*").replace(" ", r"\s+"), re.IGNORECASE)
