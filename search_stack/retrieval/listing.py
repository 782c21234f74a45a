"""The whole list of an answer, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from search_stack.cohorts.clauses import Clause
from search_stack.cohorts.cohort import FIELD, Members
from search_stack.cohorts.rows import UNDATED, Ints, Rows, Unit
from search_stack.index.engine import Engine
from search_stack.retrieval import dsl
from search_stack.retrieval.answer import Group, Key, Order, Scope
from search_stack.retrieval.grouping import HITS_IN_GROUP, group_of, grouped
from search_stack.retrieval.ranker import Ranking
from search_stack.retrieval.reading import best_of, fetch, passages_from
from search_stack.retrieval.stages import all_scores


class Listing:
    """The whole list of an answer: what was ranked of the counted ones, the rest of them, what comes close.

    Args:
        sort: of passages by their day, where nothing is ranked and all stand by date.
        units: of ``found`` in their order, where it is another one than theirs.
    """

    def __init__(
        self,
        engine: Engine,
        found: Members,
        scope: Scope,
        ranking: Ranking,
        counted: int,
        sort: dsl.Sort | None = None,
        units: Ints | None = None,
    ) -> None:
        self._engine = engine
        self._plan = found.plan
        self._scope = scope
        self._ranking = ranking
        self._units = (found.units if units is None else units).tolist()
        self._sort = sort
        self._counted = counted
        # What is counted comes first among the groups and within each: a group is listed for what it shows.
        order = sorted(ranking.order, key=lambda i: i not in ranking.matching)
        groups = grouped(order, ranking.first.groups, scope)
        self._groups = {key: [i for i in ids if i in ranking.matching] or ids for key, ids in groups.items()}
        self.ranked = [key for key, ids in self._groups.items() if ids[0] in ranking.matching]
        counted_units = set(self._units)
        self.close = [
            key
            for key, ids in self._groups.items()
            if ids[0] not in ranking.matching and (scope == "passage" or key not in counted_units)
        ]
        self._notes = self._notes_of(self.ranked) if scope == "passage" else {}

    @property
    def folded(self) -> int:
        """How many of the counted passages stand behind one that was ranked and has the same words."""
        return sum(notes - 1 for notes in self._notes.values())

    def _notes_of(self, wordings: Sequence[Key]) -> dict[Key, int]:
        """How many notes that are counted have each; at least the one that was ranked."""
        if not wordings:
            return {}
        told = self._told(dsl.notes_of(self._plan, list(map(str, wordings))))
        return {wording: told.get(wording, 1) for wording in wordings}

    def _passages_of(self, keys: Sequence[Key]) -> dict[Key, int]:
        """How many passages that are counted each of these notes or patients has."""
        if self._scope == "passage" or not keys:
            return {}
        return self._told(dsl.passages_of(self._plan, FIELD[self._scope], list(map(int, keys))))

    def _told(self, body: Clause) -> dict[Key, int]:
        buckets = self._engine([body])[0]["aggregations"]["numbers"]["buckets"]
        return {bucket["key"]: bucket["doc_count"] for bucket in buckets}

    def page(self, page: int, size: int) -> tuple[Group, ...]:
        """The groups of a page; a passage deleted meanwhile is left out, and a group with none left."""
        begin = (page - 1) * size
        end = begin + size
        ranked = self.ranked[begin:end]
        behind = [max(0, at - len(self.ranked)) for at in (begin, end)]
        left = max(0, self._counted - self.folded - len(self.ranked))
        rest = self._rest(min(behind[0], left), min(behind[1], left))
        close = self.close[max(0, behind[0] - left) : max(0, behind[1] - left)]
        behind_all = (replace(group, counted=False) for group in self._ranked_groups(close, {}))
        return (*self._ranked_groups(ranked, self._passages_of(ranked)), *rest, *behind_all)

    def _ranked_groups(self, wanted: Sequence[Key], passages: Mapping[Key, int]) -> list[Group]:
        """``passages``: how many a note or patient has, where more may count than were ranked."""
        ranking = self._ranking
        best = {key: self._groups[key][: HITS_IN_GROUP[self._scope]] for key in wanted}
        ids = [i for own in best.values() for i in own if i not in ranking.hits]
        hits = {**ranking.hits, **fetch(self._engine, self._plan, ids)}
        scores = all_scores(ranking.first, ranking.reranked)
        tiers = ranking.first.tiers
        hits = {i: replace(h, tier=tiers.get(i, 0)) for i, h in hits.items()}
        more = {key: self._all_of(key, passages) - len(own) for key, own in best.items()}
        groups = [group_of(self._scope, own, more[key], hits, scores) for key, own in best.items()]
        return [g for g in groups if g]

    def _all_of(self, key: Key, passages: Mapping[Key, int]) -> int:
        """How many passages there are of what is listed under ``key``; at least those that were ranked."""
        if self._scope == "passage":
            return self._notes.get(key, 1)
        ranked = len(self._groups[key])
        return max(ranked, passages.get(key, ranked))

    def _rest(self, begin: int, end: int) -> list[Group]:
        """Those of the counted ones from ``begin`` to ``end`` that were not ranked."""
        if begin >= end:
            return []
        if self._scope == "passage":
            without = [str(key) for key in self.ranked]
            return passages_from(self._engine, self._plan, begin, end - begin, without, self._sort or dsl.IN_ORDER)
        ranked = set(self.ranked)
        left = [number for number in self._units if number not in ranked][begin:end]
        return best_of(self._engine, self._plan, self._scope, left, HITS_IN_GROUP[self._scope], self._sort)


SORTS: Mapping[Order, dsl.Sort] = {"newest": dsl.NEWEST, "oldest": dsl.OLDEST}


def in_time(rows: Rows, units: Ints, unit: Unit, order: Order) -> Ints:
    """``units``, which are sorted, by the newest, or oldest, day of their rows; those without one last.

    >>> rows = Rows.of([1, 1, 2, 3], [5, 9, 7, UNDATED], [10, 11, 12, 13])
    >>> [in_time(rows, np.array([1, 2, 3, 4]), "patient", order).tolist() for order in ("newest", "oldest")]
    [[1, 2, 3, 4], [1, 2, 3, 4]]
    >>> [in_time(rows, np.array([10, 11, 12, 13]), "note", order).tolist() for order in ("newest", "oldest")]
    [[11, 12, 10, 13], [10, 12, 11, 13]]
    """
    dated = rows.where(rows.day != UNDATED)
    days = np.full(len(units), np.iinfo(np.int64).max)
    of = np.searchsorted(units, dated.patient if unit == "patient" else dated.note)
    np.minimum.at(days, of, dated.day if order == "oldest" else -dated.day)
    return units[np.argsort(days, kind="stable")]
