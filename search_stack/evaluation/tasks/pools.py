"""Encoders beside each other on lists of passages: nothing is indexed, so a model is measured before it serves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search_stack.core.context import Surroundings, surroundings
from search_stack.core.schema import Note
from search_stack.evaluation.datasets.asked import heading_at
from search_stack.evaluation.datasets.judgments import Judgment, Place
from search_stack.evaluation.measures import Measure
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.evaluation.temporary_index import Progress, in_slices
from search_stack.inference.models import Encoder
from search_stack.language.sections import sections

AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Pools:
    """Of each query, as it is worded, the passages to be ordered."""

    passages: Mapping[str, tuple[str, Surroundings]]
    """By id, the words and what stands around them."""
    grades: Mapping[str, Mapping[str, int]]
    """By query, then by passage of its list: the relevance, 0 for none."""


def of_judgments(judged: Iterable[Judgment], notes: Mapping[str, Note]) -> Pools:
    """What the first reader graded of ``notes``, by id, of each query that has an answer there; a place beyond the end
    of its note is left out."""
    passages: dict[str, tuple[str, Surroundings]] = {}
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    headed = {name: sections(note.text) for name, note in notes.items()}
    for j in judged:
        note = notes.get(j.note)
        if note is None or j.reading != 1 or j.end > len(note.text):
            continue
        name = str(Place(j.note, j.begin, j.end))
        around = surroundings(note.text, j.begin, note.title, heading_at(headed[j.note], j.begin))
        passages[name] = (note.text[j.begin : j.end], around)
        grades[j.query][name] = j.grade
    return Pools(passages, {query: own for query, own in grades.items() if any(own.values())})


def compared(
    pools: Pools, encoders: Mapping[str, Encoder], measures: Sequence[Measure], progress: Progress, what: str
) -> RetrievalReport:
    """Each list ordered by the cosines of each of ``encoders``, which read passages as they were trained to; the first
    is the baseline. ``progress`` hears of ``what`` they read."""
    rankings = {name: _ranked(pools, encoder, f"{name} reads {what}", progress) for name, encoder in encoders.items()}
    return retrieval_report(rankings, pools.grades, measures, baseline=next(iter(encoders)))


def _ranked(pools: Pools, encoder: Encoder, what: str, progress: Progress) -> dict[str, list[tuple[str, float]]]:
    names = [*dict.fromkeys(name for own in pools.grades.values() for name in own)]
    vectors: dict[str, npt.NDArray[np.float32]] = {}
    for part in in_slices(names, AT_ONCE, what, progress):
        vectors.update(zip(part, encoder.encode_passages([pools.passages[name] for name in part]), strict=True))
    asked = encoder.encode([*pools.grades])
    return {
        query: [(name, float(vector @ vectors[name])) for name in own]
        for (query, own), vector in zip(pools.grades.items(), asked, strict=True)
    }
