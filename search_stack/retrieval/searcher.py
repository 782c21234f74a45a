"""The one retrieval path: production search and offline evaluation both go through it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import date
from hashlib import sha256
from itertools import groupby
from typing import TypeVar

from opensearchpy import OpenSearch

from search_stack.cohorts.clauses import among
from search_stack.cohorts.cohort import (
    FIELD,
    Asking,
    Members,
    NobodyKnown,
    Step,
    each_alone,
    each_whole,
    members_step_by_step,
)
from search_stack.cohorts.facets import Counted, facets_of
from search_stack.cohorts.overview import Overview, Remembered, Told, overview_of, told_of
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.reading import Evidence, Kept
from search_stack.cohorts.rows import Ints, Rows, Unit
from search_stack.cohorts.standing import Known, needs_people_or_days, with_versions
from search_stack.cohorts.version import Found
from search_stack.core.client import EngineUnavailable, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.reach import Reach
from search_stack.core.schema import Finding, Hit
from search_stack.core.settings import Settings
from search_stack.index.engine import Engine
from search_stack.index.facts import FACTS_SCHEMA, facts_alias
from search_stack.index.mapping import alias
from search_stack.index.serving import Serving
from search_stack.inference.models import Encoder, Reranker
from search_stack.language.labeller import reader_in_use
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.current import Current
from search_stack.query.fields import BY_KEY
from search_stack.query.items import Notice, Sources
from search_stack.query.nodes import AllOf, Fact, FieldIs, Leaf, Node, Topic, Words
from search_stack.query.plainest import plainest
from search_stack.query.tree import QueryError, is_timed, leaves
from search_stack.query.understand import ALL, Understanding, Understood
from search_stack.query.write import write
from search_stack.retrieval import counting, dsl
from search_stack.retrieval.answer import Answer, Group, Order, Scope
from search_stack.retrieval.complete import Completion, candidates, field_typed
from search_stack.retrieval.evidence import Shown, ShownFact, Sought, Spot
from search_stack.retrieval.findings import findings as findings_of
from search_stack.retrieval.findings import mentions
from search_stack.retrieval.grouping import named
from search_stack.retrieval.hits import read_hit
from search_stack.retrieval.labels import LedgerFacts, OlderLabels, older_labels
from search_stack.retrieval.listing import SORTS, Listing, in_time
from search_stack.retrieval.nearness import PassageNear
from search_stack.retrieval.ranker import Ranker, Ranking
from search_stack.retrieval.reading import evidence, fact_evidence, fetch, in_order, spots
from search_stack.retrieval.record import Course, courses, said_of
from search_stack.retrieval.remarks import Remarks
from search_stack.retrieval.similar import Similar, similar
from search_stack.retrieval.suggest import unknown_value

_T = TypeVar("_T")
LARGEST_PAGE = 100
TRIES = 5
"""Times that a cohort is read anew where the index changes meanwhile."""
UNITS_AT_ONCE = 200
"""Notes or patients whose passages are read together where all are written out."""


class Searcher:
    """From a line or tree to its answer.

    Args:
        index: index or alias to search; the passages alias where not given.
        facts: index or alias of the structured facts; their alias where ``index`` is not given either.
        understanding: looks the words of a query up in the lexicon; without it they stay words.
        known: what is known of patients, where no ledger tells it.
        ledger: whose index it must be; without it, an index that no ledger stands behind.
    """

    def __init__(
        self,
        client: OpenSearch,
        settings: Settings,
        encoder: Encoder,
        reranker: Reranker | None,
        index: str | None = None,
        understanding: Callable[[], Understanding] | None = None,
        ledger: LedgerFacts | None = None,
        known: Known | None = None,
        facts: str | None = None,
    ) -> None:
        self._settings = settings
        self._understanding = understanding
        self._ledger = ledger
        self._engine = Engine(client, settings, index or alias(settings), ledger)
        facts = facts or (None if index else facts_alias(settings))
        self._facts = Engine(client, settings, facts, ledger, FACTS_SCHEMA) if facts else None
        self._evidence = Evidence(self._engine, self._facts, Kept(settings.evidence_bytes))
        self._told = Remembered()
        self._known: Known = known or (ledger.people if ledger else NobodyKnown())
        self.ranker = Ranker(self._engine, settings, encoder, reranker)

    @classmethod
    def from_settings(cls, settings: Settings, ledger: LedgerFacts | None) -> Searcher:
        return cls(
            connect(settings),
            settings,
            Encoder.from_settings(settings),
            Reranker.from_settings(settings),
            understanding=Current(settings.lexicon_folder, Understanding.of),
            ledger=ledger,
        )

    def within(self, reach: Reach, ledger: LedgerFacts | None) -> Searcher:
        """The same, as if nothing outside ``reach`` were there.

        Args:
            ledger: kept to it likewise; None where none stands behind the index.
        """
        other = copy(self)
        if ledger:
            other._ledger, other._known = ledger, ledger.people
        other._engine = self._engine.within(reach)
        other._facts = self._facts.within(reach) if self._facts else None
        other._evidence = self._evidence.over(other._engine, other._facts)
        other.ranker = self.ranker.over(other._engine)
        return other

    def warm(self) -> None:
        """Load what the first question would load, 1.7 s of the processor; no engine is asked.

        Raises:
            AspectraError: the first look at the lexicon finds a broken file.
        """
        self.ranker.warm()
        self.understand("no fever")

    @property
    def serving(self) -> Serving:
        """What the index says of itself."""
        return self._engine.serving

    def understand(self, line: str, day: date | None = None) -> Understood:
        """What ``line`` asks for; if it had been asked on another ``day``, where one is given.

        Raises:
            QueryError: it cannot be read, or names a finding or entity that no lexicon holds.
        """
        return self._understanding().understand(line, day=day) if self._understanding else Understood(line, Words(line))

    def looked_for(self, line: str) -> Understood:
        """`understand` for a search: what plain words ask of time, sex and age, where no source tells any, is left
        aside or looked for as words, and a notice says so. A cohort is refused for it instead.

        Raises:
            QueryError: as of `understand`.
        """
        understood = self.understand(line)
        if self._understanding and needs_people_or_days(understood.query):
            told = Sources(*self._known.said())
            if told != ALL:
                return self._understanding().understand(line, told)
        return understood

    def plainly(self, line: str) -> str:
        """A line that `search_stack.query.write.write` made in plain language, as far as that is read as the same, here
        and by `looked_for`; another one as it is.

        Raises:
            QueryError: as of `understand`.
        """
        query = self.understand(line).query
        return plainest(query, self.understand, self.looked_for) if write(query) == line else line

    def plan(self, node: Node, words: str = "") -> Plan:
        """``node`` with its concepts and kept cohorts looked up.

        Args:
            words: `Understood.words`, to rank by where it came from a line.

        Raises:
            QueryError: it names a finding or entity that no lexicon holds, or a cohort that is not kept.
        """
        return replace(with_versions(self._named(node), self._known), typed=words)

    def _named(self, node: Node) -> Plan:
        if not self._understanding:
            return Plan.of(node, None)
        understanding = self._understanding()
        return Plan.of(understanding.named(node), understanding.lexicon)

    def search(
        self,
        query: Node,
        scope: Scope = "passage",
        page: int = 1,
        size: int = 10,
        rerank: bool = True,
        words: str = "",
        order: Order = "best",
        findings: bool = False,
    ) -> Answer:
        """Page ``page`` of the answer, ``size`` passages, notes or patients long.

        Args:
            words: as of `plan`.
            order: by date all that is counted is listed, over all pages, and nothing else: passages and notes by their
                day, patients by that of the newest or oldest note that shows what was asked for.
            findings: whether to tell what else the notes say.

        In the scope of a passage every criterion must hold in the same passage. In that of a
        note or patient each may stand in another passage, and what is excluded must
        stand in none; neighbouring words that name no concept stay together.

        Raises:
            AspectraError: the engine is away or refuses; a filter names a value that no
                note has.
        """
        if not 1 <= size <= LARGEST_PAGE or page < 1:
            raise AspectraError(f"Pages start at 1 and hold 1 to {LARGEST_PAGE} entries.")
        memory = counting.Memory(self._engine)
        asking = self.asking()
        found = counting.counted(asking, self.plan(query, words), scope)
        plan = found.plan
        if order == "best":
            ahead = [*counting.ahead(found, scope), *([mentions(found, scope)] if findings else [])]
            ranking = self.ranker.rank(plan, self._settings.candidate_depth, rerank, ahead, len(found.rows))
            memory.tell(ahead, ranking.responses)
        else:
            ranking = Ranking.nothing()
        counts = counting.counts(asking, found, memory)
        criteria_counts = counting.each_criterion(asking, plan, scope, memory)
        units = None
        if order != "best" and scope != "passage":
            shown = asking.rows([plan.matching()])[0].of_units(found.units, scope)
            units = in_time(shown, found.units, scope, order)
        listing = Listing(self._engine, found, scope, ranking, counts.of(scope), SORTS.get(order), units)
        if not counts.of(scope) and not self._all_known(plan):
            listing.close = []
        groups = listing.page(page, size)
        facets = counting.facets(found, scope, counts.passages, self._known, memory)
        unit, lexicon = counting.facet_scope(scope, counts.passages), self.lexicon() if findings else None
        also = findings_of(found, scope, unit, lexicon, memory) if lexicon and counts.of(scope) else ()
        if choices := counting.by_assertion(asking, plan, scope, memory):
            facets["assertion"] = choices
        ranking.clock.lap("counts")
        if not counts.passages:
            self._check_index(plan)
            self._check_values(plan)
        return Answer(
            scope=scope,
            query=plan.node,
            groups=groups,
            page=page,
            pages=-(-(counts.of(scope) - listing.folded + len(listing.close)) // size),
            ranked=len(listing.ranked),
            close=len(listing.close),
            folded=listing.folded,
            counts=counts,
            criteria=criteria_counts,
            facets=facets,
            facets_in=unit,
            findings=also,
            milliseconds=ranking.clock.laps,
            reranked=len(ranking.reranked.order),
            vectors=ranking.first.vectors,
            older=self._older(plan),
            notices=self.remarks(plan.node),
            cohorts=tuple(plan.cohorts.values()),
        )

    def ask(self, line: str, scope: Scope = "passage", page: int = 1, size: int = 10, rerank: bool = True) -> Answer:
        """`search` for what ``line`` asks for."""
        asked = self.looked_for(line)
        return self.search(asked.query, scope, page, size, rerank, asked.words)

    def everything(self, query: Node, scope: Scope = "passage", size: int = 500) -> Iterator[Group]:
        """Every passage, note or patient that is counted, in a stable order, each with all its passages that match.

        Args:
            size: passages that the engine gives at a time.
        """
        found = counting.counted(self.asking(), self.plan(query), scope)
        if scope == "passage":
            yield from (Group(h.passage_id, (h,), 0) for h in in_order(self._engine, found.plan, size))
            return
        field = FIELD[scope]
        for start in range(0, len(found.units), UNITS_AT_ONCE):
            within = among(field, found.units[start : start + UNITS_AT_ONCE])
            hits = in_order(self._engine, replace(found.plan, within=within), size, field)
            for _, own in groupby(hits, lambda h: named(scope, h)):
                together = tuple(own)
                yield Group(named(scope, together[0]), together, 0)

    def sought(self, query: Node) -> Sought:
        """What shows ``query`` in notes that satisfy it.

        Raises:
            QueryError: it names a finding or entity that no lexicon holds.
        """
        return Sought.of(self._named(query))

    def evidence(self, sought: Sought, notes: Ints, size: int = 500) -> Iterator[Shown]:
        """The passages of ``notes``, by key, that show what is sought, ``size`` of them read at a time."""
        return evidence(self._engine, sought, notes, size)

    def spots(self, sought: Sought, notes: Ints) -> Iterator[Spot]:
        """Where the passages of `evidence` stand, none of their text."""
        return spots(self._engine, sought, notes)

    def fact_evidence(self, sought: Sought, patients: Ints, size: int = 500) -> Iterator[ShownFact]:
        """The structured facts of ``patients``, by number, that show what is sought."""
        return fact_evidence(self._facts, sought, patients, size) if self._facts and sought.facts else iter(())

    def cohort(self, query: Node, unit: Unit) -> tuple[Members, tuple[Step, ...]]:
        """The patients or notes of ``query``, and what each of its criteria leaves.

        Raises:
            AspectraError: the engine is away; the index changed all the while.
        """
        plan = self.plan(query)
        return self.settled(lambda asking: members_step_by_step(asking, asking.resolved(plan), unit))

    def each(self, nodes: Sequence[Node]) -> tuple[int, ...]:
        """How many patients each of ``nodes``, which all differ, has by itself.

        Raises:
            AspectraError: the engine is away; the index changed all the while.
        """
        plan = self.plan(AllOf(tuple(nodes)))
        return self.settled(lambda asking: each_alone(asking, asking.resolved(plan), "patient"))

    def described(self, query: Node, unit: Unit) -> tuple[Members, tuple[Step, ...], Mapping[str, tuple[Counted, ...]]]:
        """`cohort`, and how many of its patients have each value of each facet.

        Raises:
            AspectraError: the engine is away; the index changed all the while.
        """
        plan, lexicon = self.plan(query), self.lexicon()

        def work(asking: Asking) -> tuple[Members, tuple[Step, ...], Mapping[str, tuple[Counted, ...]]]:
            found, steps = members_step_by_step(asking, asking.resolved(plan), unit)
            return found, steps, facets_of(found, self._engine, self._known, lexicon)

        return self.settled(work)

    def overview(self, found: Found) -> Overview:
        """Who the patients of ``found`` are and what the notes of its evidence say, as ledger and index hold them now;
        of a list, which has no evidence, what all their notes say.

        Raises:
            AspectraError: the engine is away; the index changed all the while.
        """
        lexicon, patients = self.lexicon(), found.numbers

        def work(asking: Asking) -> tuple[Rows, Told, Hashable]:
            rows = found.rows if len(found.rows) else asking.rows([among("patient_no", patients.tolist())])[0]
            notes = rows.notes()
            key = (asking.generation, self._engine.reach.collections, sha256(notes.tobytes()).digest())
            return rows, self._told.get(key) or told_of(notes, self._engine), key

        rows, told, key = self.settled(work)
        self._told.put(key, told)  # only what is of one state of the index; sex and age are the ledger's, asked anew
        return overview_of(patients, rows, told, self._known, lexicon)

    def settled(self, work: Callable[[Asking], _T]) -> _T:
        """What ``work`` makes of one state of the index.

        Raises:
            AspectraError: the engine is away; the index changed all the while.
        """
        for _ in range(TRIES):
            asking = self.asking()
            done = work(asking)
            if self._evidence.generation() == asking.generation:
                return done
        raise EngineUnavailable(
            "The index changes faster than it can be read.", "Try again when less is being ingested."
        )

    def remarks(self, query: Node) -> tuple[Notice, ...]:
        """What a person should know beside the numbers of ``query``."""
        return Remarks(self.lexicon(), self._facts, self._values, self._patients_of, self._line_of).of(query)

    def _patients_of(self, nodes: Sequence[Node]) -> tuple[int, ...]:
        plan = self.plan(AllOf(tuple(nodes)))
        return self.settled(lambda asking: each_whole(asking, asking.resolved(plan), "patient", nodes))

    def _line_of(self, query: Node) -> str:
        """A line that asks for ``query``; empty where no line can."""
        try:
            return self.plainly(write(query))
        except QueryError:
            return ""

    def refresh(self) -> None:
        """Have everything found that was written up to now."""
        self._engine.refresh()

    def asking(self) -> Asking:
        """The index as it stands now, to be asked who satisfies a tree."""
        return Asking(self._evidence, self._known, self._evidence.generation())

    def _all_known(self, plan: Plan) -> bool:
        """Whether each of the words that are asked for is in some passage: where one is in none, what the vectors bring
        is no answer."""
        words = plan.each_word()
        return all(counting.passages_of(words, self._engine)) if words else True

    def lexicon(self) -> Lexicon | None:
        """What queries are understood by, as it stands now."""
        return self._understanding().lexicon if self._understanding else None

    def _older(self, plan: Plan) -> OlderLabels:
        if not plan.concepts or not self._understanding or not self._ledger:
            return OlderLabels()
        asked = [(c.entity if isinstance(c, Topic) else c.name, plan.id_of(c)) for c in plan.concepts]
        reader = reader_in_use(self._settings.lexicon_folder, self._settings.mentions)
        return older_labels(asked, self._understanding().lexicon, reader, self.serving.labels(), self._ledger)

    def fetch(self, plan: Plan, ids: Sequence[str]) -> dict[str, Hit]:
        """The passages ``ids`` with highlights, by id; one deleted meanwhile is left out."""
        return fetch(self._engine, self._by_passages([plan])[0], ids) if ids else {}

    def lit(self, plan: Plan, note_key: int) -> tuple[Hit, ...]:
        """Passages of one note that a search would list and that hold words of ``plan``, in the order of the text: one
        request for that note, where a search ranks and counts."""
        told = self._by_passages([plan])[0]
        found = [read_hit(h, told.named) for h in self._engine([dsl.in_note(told, note_key)])[0]["hits"]["hits"]]
        if not any(hit.matched for hit in found) and not self._all_known(told):
            return ()
        return tuple(hit for hit in found if hit.highlights)

    def similar(self, passage_id: str, size: int = 20) -> Similar | None:
        """What is near to a passage, ``size`` of its own patient and of others at most; None where there is no such
        passage."""
        return similar(self._engine, passage_id, size)

    def nearness(self, plan: Plan, notes: Ints) -> list[PassageNear]:
        """How near each passage of ``notes``, by key, is to the words of ``plan``, in the order of the text; nothing
        where it has none."""
        return self.ranker.nearness(plan, notes)

    def _by_passages(self, plans: Sequence[Plan]) -> list[Plan]:
        """``plans`` with all that a passage alone cannot tell; without a look at the index where it tells all."""
        if not any(is_timed(p.node) or any(map(_untold, leaves(p.node))) for p in plans):
            return list(plans)
        asking = self.asking()
        return [counting.by_passages(asking, p) for p in plans]

    def note_findings(self, note_key: int) -> tuple[Finding, ...]:
        """The labelled findings of a note, in the order of its text."""
        found = self._engine([dsl.findings_of(note_key)])[0]["hits"]["hits"]
        return tuple(Finding.stored(f) for h in found for f in h["_source"].get("findings") or ())

    def courses(self, patient_no: int) -> list[Course]:
        """What a patient's notes say of each concept over time, what was said last first."""
        return courses(said_of(self._engine, patient_no))

    def complete(self, start: str, size: int = 8) -> list[Completion]:
        """Lines that go on from ``start``, each with how many passages it would count."""
        if not self._understanding:
            return []
        understanding = self._understanding()
        typed = field_typed(start)
        values = self._values(typed[1]) if typed and typed[1] in BY_KEY else []
        found = list(candidates(start, understanding, values, size))
        plans = [Plan.of(c.query, understanding.lexicon) for c in found if c.query is not None]
        try:
            clauses = [plan.passages() for plan in self._by_passages(plans)]
        except QueryError:  # It asks for what no source tells: said when it is searched for.
            return []
        counted = iter(counting.passages_of(clauses, self._engine) if clauses else ())
        return [Completion(c.line, c.kind, 0 if c.query is None else next(counted)) for c in found]

    def _values(self, key: str) -> list[str]:
        """The values that a field has, the commonest first; none of a field that says whose the notes are."""
        if BY_KEY[key].choices:
            return list(BY_KEY[key].choices)
        if BY_KEY[key].open:
            return []
        bodies = [dsl.values(stored) for stored in BY_KEY[key].stored]
        found = (b["key"] for r in self._engine(bodies) for b in r["aggregations"]["values"]["buckets"])
        return list(dict.fromkeys(found))

    def _check_index(self, plan: Plan) -> None:
        """Nothing was found: an index without labels must not pass for notes without findings."""
        if not plan.concepts:
            return
        with engine_errors(self._settings):
            labelled = self._engine.client.indices.get_field_mapping(fields="mentioned", index=self._engine.index)
        if not labelled:
            raise AspectraError("The index holds no labels.", "Build it anew: aspectra reindex")

    def _check_values(self, plan: Plan) -> None:
        """Nothing was found: say so where a filter's value exists in no note."""
        for leaf in leaves(plan.node):
            if not isinstance(leaf, FieldIs) or BY_KEY[leaf.field].open:
                continue
            if problem := unknown_value(leaf.field, leaf.value, self._values(leaf.field)):
                raise problem


def _untold(leaf: Leaf) -> bool:
    """Whether no passage says it."""
    return isinstance(leaf, Fact) or (isinstance(leaf, FieldIs) and BY_KEY[leaf.field].of_person)
