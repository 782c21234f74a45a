"""From a tree to what the engine is asked: pure functions over a tree with its concepts' ids."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from search_stack.cohorts.clauses import EVERYTHING, Clause, all_clauses, any_clause
from search_stack.cohorts.named import Counted, Named, amount_in, less_of, name_of, site_in, told
from search_stack.core.amounts import Amount, ranges
from search_stack.core.codes import code_name, system_name, unit_name
from search_stack.core.schema import DENIED, MARKS, STATED, amount_key, answering, at_site, site_key
from search_stack.index.passage import UNDATED, day_number
from search_stack.language.amounts import told_as
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.sites import denying
from search_stack.query.fields import BY_KEY
from search_stack.query.nodes import (
    ANY,
    AllOf,
    AnyOf,
    Fact,
    FieldIs,
    Finding,
    Leaf,
    Node,
    Not,
    Phrase,
    Timed,
    Together,
    Topic,
    Words,
)
from search_stack.query.tree import (
    QueryError,
    concepts,
    fields_of,
    is_filter,
    leaves,
    mapped,
    parts,
    rank_text,
    wanted,
)

LABELS = ("present", "historical", "possible")
"""Assertions under which a passage is listed for a finding, the strongest first."""
MOST_WORDS = 64
"""Words of a query that are looked up one by one where nothing was found."""
LAST = "\x7f"
"""Stands behind every key of an amount."""
Filters = tuple[Node, ...]
Counts = tuple[str, tuple[str, ...], Amount | None, str]
"""A name, what does not count with it, what a number must tell of it, and where it must be."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A tree whose concepts are looked up."""

    node: Node
    ids: Mapping[str, str] = field(default_factory=dict)
    """By the names in the tree, the lexicon's ids."""
    within: Clause | None = None
    """Passages of the notes or patients that satisfy the tree; each then shows one of its criteria."""
    standing: Mapping[object, Clause] = field(default_factory=dict)
    """Passages of what no passage says itself, by bitmap: sex, age and structured facts by their nodes; criteria in
    time by their nodes and the filters around them."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """By the names in the tree, the kinds of the concepts."""
    counting: Mapping[Counts, Counted] = field(default_factory=dict)
    """The mentions that count with each finding or topic."""
    cohorts: Mapping[str, str] = field(default_factory=dict)
    """By the names of kept cohorts in the tree, the versions that they stand for: NAME@3."""
    stays: Mapping[str, str] = field(default_factory=dict)
    """By the ids of patients in the tree, those of the patients as whom they count."""
    named: Named = field(default_factory=Named)
    """The mentions that count with what is asked for, whatever they say."""
    typed: str = ""
    """The line's own words to rank by, where it came from a line."""

    @classmethod
    def of(cls, node: Node, lexicon: Lexicon | None) -> Plan:
        """
        Raises:
            QueryError: the tree names a concept that ``lexicon`` does not hold.
        """
        ids: dict[str, str] = {}
        kinds: dict[str, str] = {}
        for name in {name_of(leaf) for leaf in leaves(node) if isinstance(leaf, Finding | Topic)}:
            concept = lexicon.find(name) if lexicon else None
            if concept is None:
                raise QueryError(f'There is no concept called "{name}" in the lexicon.', "Search for words instead.")
            ids[name], kinds[name] = concept.id, concept.kind
        if lexicon is None:
            return cls(node)
        counting = {_key(leaf): Counted.of(leaf, lexicon) for leaf in leaves(node) if isinstance(leaf, Finding | Topic)}
        named = Named(tuple(counting[key] for key in dict.fromkeys(map(_key, concepts(node)))))
        return cls(node, ids, kinds=kinds, counting=counting, named=named)

    @classmethod
    def words(cls, text: str) -> Plan:
        """The plain words of ``text``, without marks that stand alone: what the evaluation asks."""
        return cls(Words(" ".join(w for w in text.split() if any(c.isalnum() for c in w))))

    @property
    def text(self) -> str:
        """What models read the query as: as typed, for a name says less ("uses cocaine" asks for drug use)."""
        return self.typed or rank_text(self.node)

    @property
    def terms(self) -> str:
        """What BM25 looks for: `text`, and the names of what it asks for."""
        held = set(self.text.lower().split())
        return " ".join([self.text, *(w for w in rank_text(self.node).split() if w.lower() not in held)])

    @property
    def ranks(self) -> bool:
        """Whether there is anything to rank by; filters and facts alone bring the newest first, also where plain words
        say them ("since 2019"), and so do exclusions of a tree that was never typed."""
        asked = leaves(self.node) if self.typed else wanted(self.node)
        return any(not isinstance(leaf, FieldIs | Fact) for leaf in asked)

    @property
    def labelled(self) -> bool:
        """Whether the labels alone answer it: one finding is asked for, or one of several, and no words besides. Of
        two together, as in "rash from penicillin", no label says what they have to do with each other."""
        asked = [leaf for leaf in wanted(self.node) if not isinstance(leaf, FieldIs)]
        return _together(self.node) == 1 and all(
            isinstance(leaf, Finding) or (isinstance(leaf, Topic) and not leaf.aspect) for leaf in asked
        )

    @property
    def by_name(self) -> bool:
        """Whether something is asked for of which not all names count."""
        return any(one.names for one in self.named.each)

    @property
    def by_amount(self) -> bool:
        """Whether a number must be told of something that is asked for."""
        return any(one.amount for one in self.named.each)

    @property
    def by_site(self) -> bool:
        """Whether something that is asked for must be at a place of the body."""
        return any(one.site for one in self.named.each)

    @property
    def concepts(self) -> tuple[Finding | Topic, ...]:
        return concepts(self.node)

    def id_of(self, leaf: Finding | Topic) -> str:
        return self.ids[name_of(leaf)]

    # --- passages ---

    def passages(self, node: Node | None = None, wanted: bool = True, outer: Filters = ()) -> Clause:
        """Passages that satisfy ``node`` each by itself; without it, the whole tree. ``outer``: filters around it."""
        node = self.node if node is None else node
        if isinstance(node, AllOf):
            inner = within_filters(node, outer)
            return all_clauses([self.passages(c, wanted, outer if is_filter(c) else inner) for c in node.children])
        if isinstance(node, AnyOf):
            return any_clause([self.passages(c, wanted, outer) for c in node.children])
        if isinstance(node, Not):
            return {"bool": {"must_not": [self.passages(node.child, not wanted, outer)]}}
        if isinstance(node, Timed):
            return self._in_time(node, (), True, outer)
        return self.holds(self.among_days(node, outer), wanted)

    def among_days(self, leaf: Leaf, filters: Filters) -> Leaf:
        """``leaf`` as it is asked for inside of ``filters``: see `on_its_day` where one of them is of a day."""
        days = any(BY_KEY[name].is_day for f in filters for name in fields_of(f))
        return self.on_its_day(leaf) if days else leaf

    def on_its_day(self, leaf: Leaf) -> Leaf:
        """``leaf`` where the day of a note is compared: that tells when something was done, but not when it had been
        done before, which counts else."""
        if isinstance(leaf, Finding) and leaf.assertion == "present" and self.kinds.get(leaf.name) == "procedure":
            return replace(leaf, assertion="done")
        return leaf

    def holds(self, leaf: Leaf, wanted: bool = True) -> Clause:
        """Passages in which ``leaf`` holds; where it is not ``wanted``, function words alone are in none of them."""
        if isinstance(leaf, Finding):
            return any_clause(self._said(leaf, *answering(leaf.assertion, self.kinds.get(leaf.name, ""))))
        if isinstance(leaf, Topic):
            about: Clause = {"term": {"entities": self.id_of(leaf)}}
            return all_clauses([about, _aspect(leaf.aspect)]) if leaf.aspect else about
        if isinstance(leaf, Words):
            return _words(leaf.text, "all" if wanted else "none")
        if isinstance(leaf, Phrase):
            return {"match_phrase": {"text.exact": leaf.text}}
        if isinstance(leaf, Fact) or BY_KEY[leaf.field].of_person:
            return self.standing[leaf]
        return self._of_patient(leaf) if leaf.field == "patient" else _field(leaf)

    def _of_patient(self, leaf: FieldIs) -> Clause:
        """Passages, or structured facts."""
        return {"term": {"patient_id": self.stays.get(leaf.value, leaf.value)}}

    def _said(self, finding: Finding, *assertions: str) -> list[Clause]:
        """Passages that say ``finding`` with one of ``assertions``."""
        if finding.amount:
            told = self._measured(finding, finding.amount, assertions)
            return [_between(low, high) for low, high in told]
        if finding.site:
            return [{"terms": {"placed": [*self._placed(finding, assertions)]}}]
        if finding.less or finding.assertion in (*MARKS, *DENIED):
            return [{"terms": {name: [*keys]}} for name, keys in self._told(finding, assertions).items() if keys]
        concept = self.id_of(finding)
        return [{"term": {"mentioned" if a == ANY else a: concept}} for a in assertions]

    def _mentioned(self, finding: Finding) -> list[Clause]:
        """Passages that mention it. Where an amount is asked for, one that tells another does not come close; nor does
        one at another place, where one is."""
        whole = self._said(replace(finding, assertion=ANY, amount=None, site=""), ANY)
        others = [*told_as(self.id_of(finding))] if finding.amount else []
        return [*whole, {"terms": {"mentioned": others}}] if others else whole

    def _close(self, finding: Finding) -> list[Clause]:
        """Passages that say it, or as good as: as past or possible, without a number, of a narrower finding denied."""
        if finding.assertion == "present":
            untold = self._unmeasured if finding.amount else self._unplaced if finding.site else None
            return [*self._said(finding, *LABELS), *([untold(finding)] if untold else [])]
        whole = finding.assertion == "absent" and not finding.less and finding.is_whole
        return [{"term": {"absent": self.id_of(finding)}} if whole else self.passages(finding)]

    def _unmeasured(self, finding: Finding) -> Clause:
        """Passages that say it, and no amount of it, which would be another than is asked for."""
        concept = self.id_of(finding)
        said = [{"terms": {label: [concept, *told_as(concept)]}} for label in LABELS]
        told = [_between(amount_key(s, concept, ""), amount_key(s, concept, LAST)) for s in STATED]
        return {"bool": {"filter": [any_clause(said)], "must_not": told}}

    def _unplaced(self, finding: Finding) -> Clause:
        """Passages that say it, and of a mention not where."""
        keys = [site_key(s, concept) for s in LABELS for concept in sorted(self.counted(finding).concepts)]
        return {"terms": {"placed": keys}}

    def _placed(self, finding: Finding, assertions: tuple[str, ...]) -> Iterator[str]:
        """What tells ``finding`` with one of ``assertions`` where it is asked for."""
        says = (finding.assertion,) if finding.assertion in MARKS else _each(assertions)
        for said in says:
            sites = sorted(denying(finding.site)) if said in DENIED else [finding.site]
            for concept in sorted(self.counted(finding).concepts):
                yield from (site_key(said, concept, site) for site in sites)

    def _measured(self, finding: Finding, amount: Amount, assertions: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The first and the last key of amounts that count, where one of ``assertions`` is said."""
        concept = at_site(self.id_of(finding), finding.site)
        for said in assertions:
            for low, high in ranges(amount):
                yield amount_key(said, concept, low), amount_key(said, concept, high)

    def _told(self, finding: Finding, assertions: tuple[str, ...]) -> dict[str, KeysView[str]]:
        """By the fields of single mentions, what tells ``finding`` with one of ``assertions``."""
        marked = finding.assertion in MARKS
        says = (finding.assertion,) if marked else _each(assertions)
        by_concept, by_name = told(self.counted(finding), says)
        return {"status" if marked else "own": by_concept, "named": by_name}

    def counted(self, leaf: Leaf) -> Counted:
        """The mentions that count with ``leaf``; none where it is neither a finding nor a topic. A narrower finding is
        one of the kind, but who lacks it may well have another of that kind."""
        if not isinstance(leaf, Finding | Topic):
            return Counted()
        found = self.counting[_key(leaf)]
        return found.alone if isinstance(leaf, Finding) and leaf.assertion in DENIED else found

    def fact(self, leaf: Fact) -> Clause:
        """Structured facts that ``leaf`` names."""
        code: Clause = {"terms": {"under": [code_key(leaf)]}}
        bounds = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
        if not leaf.compare:
            return code
        value: Clause = {"term": {"value": leaf.value}}
        if leaf.compare != "=":
            value = {"range": {"value": {bounds[leaf.compare]: leaf.value}}}
        unit: list[Clause] = [{"term": {"unit": unit_name(leaf.unit)}}] if leaf.unit else []
        return all_clauses([code, value, *unit])

    def of_facts(self, leaf: FieldIs) -> Clause | None:
        """Structured facts for which the field has that value; None where it is about what only a note has (type,
        section, …), or an age, which facts are told by their day."""
        if BY_KEY[leaf.field].is_day:
            day = day_number(date.fromisoformat(leaf.value))
            # What is undated is not before.
            return {"range": {"day": {"gte": day} if BY_KEY[leaf.field].bound == "gte" else {"gt": UNDATED, "lt": day}}}
        if leaf.field == "patient":
            return self._of_patient(leaf)
        return self.standing[leaf] if leaf.field in ("sex", "cohort") else None

    @property
    def widens(self) -> bool:
        """Whether there may be passages of `unsaid`."""
        return not self.within and self.least() != self.least(wide=True)

    def least(self, node: Node | None = None, outer: Filters = (), wide: bool = False) -> Clause | None:
        """What a passage must satisfy to be listed; None where nothing.

        One that only denies a finding, or tells of somebody else's, is never listed for it; one that says it is past or
        possible, or that does not mention it and only comes close, is. Where its absence is asked for, one that denies
        a narrower finding is; where an amount is, one that tells none. Of a finding that is asked for otherwise than as
        present, or with an amount, one that does not mention it is only where it is ``wide``. Words may be missing, and
        the aspect of a topic.
        """
        node = self.node if node is None else node
        if isinstance(node, AllOf):
            inner = within_filters(node, outer)
            each = [self.least(c, outer if is_filter(c) else inner, wide) for c in node.children]
            known = [c for c in each if c is not None]
            return all_clauses(known) if known else None
        if isinstance(node, AnyOf):
            each = [self.least(c, outer, wide) for c in node.children]
            found = [c for c in each if c is not None]
            return any_clause(found) if len(found) == len(each) else None
        if isinstance(node, Words):
            return None
        if isinstance(node, Topic) and node.aspect:
            return {"term": {"mentioned": self.id_of(node)}}
        if isinstance(node, Timed | Fact):
            return self.passages(node, outer=outer)
        if isinstance(node, Finding):
            unmentioned: Clause = {"bool": {"must_not": self._mentioned(node)}}
            plain = node.assertion == "present" and node.is_whole
            further = plain or (wide and node.assertion != ANY)
            return any_clause([*self._close(node), *([unmentioned] if further else [])])
        return self.passages(node, outer=outer)

    def says(self, source: Mapping[str, Any], finding: Finding, assertion: str) -> bool:
        """Whether the passage says ``finding`` with ``assertion``, by its labels as they are stored."""
        if finding.less or not finding.is_whole:
            return self.tells(source, finding, assertion)
        return self.id_of(finding) in source.get(assertion, ())

    def tells(self, source: Mapping[str, Any], finding: Finding, assertion: str) -> bool:
        """Whether a mention of the passage tells it so that it counts."""
        if finding.amount:
            told = source.get("measured", ())
            return any(
                low <= key <= high
                for low, high in self._measured(finding, finding.amount, (assertion,))
                for key in told
            )
        if finding.site:
            return not set(self._placed(finding, (assertion,))).isdisjoint(source.get("placed", ()))
        keys = self._told(finding, (assertion,))
        return any(not own.isdisjoint(source.get(name, ())) for name, own in keys.items())

    # --- notes and patients ---

    @property
    def needs_keys(self) -> bool:
        """Whether criteria that may stand in different passages meet, so that notes or patients must be compared."""
        return _meets(self.node)

    def shown(
        self, node: Node | None = None, inside: Sequence[Clause] = (), wanted: bool = True, outer: Filters = ()
    ) -> Clause:
        """Passages that show a criterion of a note or patient: any of those asked for, in what filters leave. A
        structured fact is shown by none of them; where nothing else is asked for, by whatever its patients have."""
        node = self.node if node is None else node
        if is_filter(node):
            return all_clauses([*inside, self.passages(node)])
        if isinstance(node, AllOf):
            inner = [*inside, *(self.passages(c) for c in node.children if is_filter(c))]
            asked = [c for c in node.children if not is_filter(c) and not isinstance(c, Not)]
            asked = [c for c in asked if not isinstance(c, Fact)] or asked
            filters = within_filters(node, outer)
            shown = [self.shown(c, inner, wanted, filters) for c in asked]
            return any_clause(shown) if asked else all_clauses(inner)
        if isinstance(node, AnyOf):
            return any_clause([self.shown(c, inside, wanted, outer) for c in node.children])
        if isinstance(node, Not):
            return all_clauses(inside)
        if isinstance(node, Timed):
            return self._in_time(node, inside, wanted, outer)
        return all_clauses([*inside, self.holds(self.among_days(node, outer), wanted)])

    def _in_time(self, node: Timed, inside: Sequence[Clause], wanted: bool, outer: Filters) -> Clause:
        """Passages that show it, in the notes of its evidence."""
        narrowed = parts(node) if isinstance(node, Together) else parts(node)[:1]
        narrowed = tuple(c for c in narrowed if not isinstance(c, Not)) or narrowed
        narrowed = tuple(mapped(c, self.on_its_day) for c in narrowed)
        shown = any_clause([self.shown(c, inside, wanted, outer) for c in narrowed])
        return all_clauses([self.standing[node, outer], shown])

    def each_word(self) -> list[Clause]:
        """Passages that hold each single word that is asked for; function words are in all."""
        asked = [leaf.text for leaf in wanted(self.node) if isinstance(leaf, Words)]
        return [_words(word, "all") for word in dict.fromkeys(" ".join(asked).split())][:MOST_WORDS]

    def matching(self) -> Clause:
        """Passages of the set that is counted."""
        if self.within:
            return all_clauses([self.within, self.shown()])
        return self.passages()

    def listed(self) -> list[Clause]:
        """What every hit must satisfy, whichever stage brings it."""
        if self.within:
            return [self.matching()]
        least = self.least()
        return [] if least is None else [least]

    def unsaid(self) -> list[Clause]:
        """What hits satisfy that may follow those of `listed`: none of them mentions what is asked for as absent, past,
        stopped or with an amount."""
        return [{"bool": {"filter": [self.least(wide=True) or EVERYTHING], "must_not": self.listed()}}]


def code_key(fact: Fact) -> str:
    """What the index of facts has under ``under`` for the code, in its one spelling."""
    system = system_name(fact.system)
    return f"{system}:{code_name(system, fact.code)}"


def _between(low: str, high: str) -> Clause:
    """Passages that tell an amount whose key lies between the two."""
    return {"range": {"measured": {"gte": low, "lte": high}}}


def _key(leaf: Finding | Topic) -> Counts:
    return name_of(leaf), less_of(leaf), amount_in(leaf), site_in(leaf)


def _each(assertions: tuple[str, ...]) -> tuple[str, ...]:
    return STATED if ANY in assertions else assertions


def within_filters(node: AllOf, outer: Filters) -> Filters:
    """The filters around the criteria of a bracket."""
    return (*outer, *(c for c in node.children if is_filter(c)))


def _meets(node: Node) -> bool:
    """Whether it takes more than one passage's word: criteria side by side, or one that is excluded."""
    if is_filter(node):
        return False
    if isinstance(node, AllOf):
        rest = [c for c in node.children if not is_filter(c)]
        return len(rest) > 1 or any(map(_meets, rest))
    if isinstance(node, AnyOf):
        return any(map(_meets, node.children))
    return isinstance(node, Not | Timed | Fact)


def _words(text: str, zero: str) -> Clause:
    fields = ["text", "title", "section"]
    return {
        "multi_match": {
            "query": text,
            "type": "cross_fields",
            "fields": fields,
            "operator": "and",
            "zero_terms_query": zero,
        }
    }


def _aspect(aspect: str) -> Clause:
    """The passage stands under the aspect, or names it."""
    named = [{"term": {"aspect": aspect}}, {"term": {"section.name": aspect}}]
    return any_clause([*named, _words(aspect, "none")])


def _field(leaf: FieldIs) -> Clause:
    known = BY_KEY[leaf.field]
    if known.is_day:
        return {"range": {known.stored[0]: {known.bound: leaf.value}}}
    return any_clause([{"term": {name: leaf.value}} for name in known.stored])


def _together(node: Node) -> int:
    """How many findings or entities must hold at once."""
    if isinstance(node, AllOf):
        return sum(map(_together, node.children))
    if isinstance(node, AnyOf):
        return max(map(_together, node.children), default=0)
    return int(isinstance(node, Finding | Topic))
