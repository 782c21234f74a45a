"""What a person should know beside the numbers: whom a query leaves out, filters by a value that no note has, codes
that nobody has. Each comes with the line that asks otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from search_stack.index.engine import Engine
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.query.fields import BY_KEY
from search_stack.query.items import Notice
from search_stack.query.nodes import Fact, FieldIs, Node
from search_stack.query.tree import leaves, mapped
from search_stack.retrieval import dsl
from search_stack.retrieval.facts import fact_notices
from search_stack.retrieval.suggest import unknown_value
from search_stack.retrieval.wider import wherever, wider_notices, with_the_past


@dataclass(frozen=True, slots=True)
class Remarks:
    """Looked up for one query after the other."""

    lexicon: Lexicon | None
    facts: Engine | None
    """The structured facts."""
    values: Callable[[str], Sequence[str]]
    """The values that a field has, the commonest first."""
    patients: Callable[[Sequence[Node]], Sequence[int]]
    """How many patients each of several queries has, in one state of the index."""
    line: Callable[[Node], str]
    """A line that asks for a query; empty where none can."""

    def of(self, query: Node) -> tuple[Notice, ...]:
        return (*self._of_facts(query), *self._of_values(query), *self._of_the_wider(query))

    def _of_facts(self, query: Node) -> tuple[Notice, ...]:
        asked = tuple(dict.fromkeys(leaf for leaf in leaves(query) if isinstance(leaf, Fact)))
        return fact_notices(asked, self.facts) if asked and self.facts else ()

    def _of_values(self, query: Node) -> tuple[Notice, ...]:
        """Misspelt ones would bring, or leave out, nothing without a word."""
        told = []
        for leaf in dict.fromkeys(leaf for leaf in leaves(query) if isinstance(leaf, FieldIs)):
            if BY_KEY[leaf.field].open or len(known := self.values(leaf.field)) >= dsl.MOST_VALUES:
                continue
            if problem := unknown_value(leaf.field, leaf.value, known):
                line = self._asking_instead(query, leaf, problem.meant[-1]) if problem.meant else ""
                told.append(Notice("field", f"{problem.message} {problem.remedy}", leaf.value, line))
        return tuple(told)

    def _asking_instead(self, query: Node, leaf: FieldIs, meant: str) -> str:
        return self.line(mapped(query, lambda one: replace(leaf, value=meant) if one == leaf else one))

    def _of_the_wider(self, query: Node) -> tuple[Notice, ...]:
        """Who had in the past, or elsewhere, what is asked for as present, or at a place of the body."""
        wider = [*with_the_past(query, self._kind), *wherever(query)]
        if not wider:
            return ()
        return wider_notices(wider, self.patients([query, *(one.query for one in wider)]), self.line)

    def _kind(self, name: str) -> str:
        concept = self.lexicon.find(name) if self.lexicon else None
        return concept.kind if concept else ""
