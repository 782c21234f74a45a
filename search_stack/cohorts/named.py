"""Which mentions count with what is asked for: by their concepts and, where not all names do, by names. Pure."""

from __future__ import annotations

from collections.abc import KeysView
from dataclasses import dataclass, replace
from functools import lru_cache

from search_stack.core import schema
from search_stack.core.amounts import Amount
from search_stack.core.schema import mention_key
from search_stack.language.amounts import told_as
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.names import common_form, other_names
from search_stack.language.sites import is_at
from search_stack.query.nodes import Finding, Topic

REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Counted:
    """The mentions that count with one finding or topic, whatever they say."""

    concepts: frozenset[str] = frozenset()
    """Ids of its concept, and of all below it but for those that are left out."""
    own: str = ""
    """Its concept's."""
    names: frozenset[str] = frozenset()
    """Names by which alone the concept itself counts, as `common_form` has them, and the empty one for where no name
    says it; none where all do."""
    amount: Amount | None = None
    """What a number beside it must tell."""
    site: str = ""
    """Where it must be."""

    @classmethod
    def of(cls, leaf: Finding | Topic, lexicon: Lexicon) -> Counted:
        concept = lexicon.find(name_of(leaf))
        if concept is None:
            return cls()
        if amount := amount_in(leaf):
            return cls(frozenset(_telling(concept.id, lexicon)), concept.id, amount=amount, site=site_in(leaf))
        below = {concept.id} | lexicon.descendants(concept.id)
        off = set[str]()
        for name in less_of(leaf):
            if other := lexicon.narrower(concept.id, name):
                below -= {other.id} | lexicon.descendants(other.id)
            else:
                off.add(common_form(name))
        if not off:
            return cls(frozenset(below), concept.id, site=site_in(leaf))
        names = {common_form(n) for n in (concept.name, *other_names(concept))}
        return cls(frozenset(below), concept.id, frozenset(names - off | {""}))

    def __contains__(self, mention: object) -> bool:
        if not isinstance(mention, schema.Finding) or mention.concept not in self.concepts:
            return False
        if self.amount and not any(self.amount.includes(told) for told in mention.amounts):
            return False
        if self.site and not is_at(mention.sites, self.site, not self.amount and mention.says in schema.DENIED):
            return False
        return not self.names or mention.concept != self.own or not self.names.isdisjoint(mention.names or ("",))

    @property
    def alone(self) -> Counted:
        """Without what is below its concept."""
        return replace(self, concepts=self.concepts & {self.own})


def _telling(concept: str, lexicon: Lexicon) -> set[str]:
    """It, all below it, and what tells amounts of one of them besides."""
    below = {concept} | lexicon.descendants(concept)
    others = {other for one in below for other in told_as(one)}
    return below | others | {id for other in others for id in lexicon.descendants(other)}


@lru_cache(maxsize=REMEMBERED)
def told(counted: Counted, says: tuple[str, ...]) -> tuple[KeysView[str], KeysView[str]]:
    """What the index has of mentions of ``counted`` that say one of ``says``: of concepts whose every name counts, and
    of the concept itself by names that count, where not all do. Each passage of a search is held against them."""
    whole = counted.concepts - {counted.own} if counted.names else counted.concepts
    by_concept = dict.fromkeys(mention_key(said, concept) for said in says for concept in sorted(whole))
    by_name = dict.fromkeys(mention_key(said, counted.own, name) for said in says for name in sorted(counted.names))
    return by_concept.keys(), by_name.keys()


@dataclass(frozen=True, slots=True)
class Named:
    """The mentions that count with any of what is asked for."""

    each: tuple[Counted, ...] = ()

    def __contains__(self, mention: object) -> bool:
        return any(mention in one for one in self.each)

    def __bool__(self) -> bool:
        return any(one.concepts for one in self.each)


def name_of(leaf: Finding | Topic) -> str:
    return leaf.name if isinstance(leaf, Finding) else leaf.entity


def amount_in(leaf: Finding | Topic) -> Amount | None:
    return leaf.amount if isinstance(leaf, Finding) else None


def site_in(leaf: Finding | Topic) -> str:
    return leaf.site if isinstance(leaf, Finding) else ""


def less_of(leaf: Finding | Topic) -> tuple[str, ...]:
    return leaf.less if isinstance(leaf, Finding) else ()
