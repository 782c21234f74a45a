"""The query line, parsed into typed criteria. The engine never sees the line itself."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from datetime import date

from search_stack.errors import AspectraError
from search_stack.schema import ASSERTIONS

LONGEST = 2000
MOST_TERMS = 64
LONGEST_QUOTED = 40
"""Characters of the query line that an error repeats, at most."""
FIELDS = {
    "finding": "finding:pneumothorax absent",
    "entity": "entity:asthma",
    "aspect": "aspect:treatment",
    "section": "section:impression",
    "type": 'type:"radiology report"',
    "patient": "patient:P-00317",
    "note": "note:demo-0001",
    "collection": "collection:demo",
    "after": "after:2019-01-01",
    "before": "before:2024-01-01",
}
"""Fields of the query line, each with an example."""
CONCEPT_FIELDS = ("finding", "entity")
"""Fields whose value is a concept of the lexicon: they may be joined by OR and excluded."""
ANY = "any"
"""Stands for every assertion."""
OPERATORS_MEANT = "Write it as: effusion OR pneumothorax; effusion NOT pneumothorax."
OPERATOR_SIGNS = ("-", "--", "+", "|", "||", "&", "&&", "!", "NOT", "AND", "OR")


class QueryError(AspectraError):
    """The query line cannot be read; the message says where."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or the words of a quoted phrase that must stand side by side."""

    text: str
    phrase: bool = False


@dataclass(frozen=True, slots=True)
class ConceptTerm:
    """A concept of the lexicon: a finding with what the note says of it, or what a passage is about."""

    name: str
    """As it was asked for."""
    role: str = "finding"
    """One of `CONCEPT_FIELDS`."""
    assertion: str = "present"
    """One of `search_stack.schema.ASSERTIONS`, or `ANY`."""
    concept: str = ""
    """Its id, once `search_stack.understanding` has looked it up."""
    words: str = ""
    """A phrase that the passage must hold besides, where the concept was named in quotes."""
    strict: bool = True
    """Whether passages that only come close are left out, as for finding:; else they follow at the end."""

    @property
    def text(self) -> str:
        return f"no {self.name}" if self.assertion == "absent" else self.name

    @property
    def phrase(self) -> bool:
        return False


AnyTerm = Term | ConceptTerm


@dataclass(frozen=True, slots=True)
class Within:
    """Notes or patients, by key, that satisfy the criteria together; a passage then shows one of them."""

    field: str
    keys: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. ``clauses`` are joined by and; the terms inside one clause by or."""

    clauses: tuple[tuple[AnyTerm, ...], ...] = ()
    excluded: tuple[AnyTerm, ...] = ()
    aspects: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    patients: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    after: date | None = None
    """First day that counts."""
    before: date | None = None
    """First day that no longer counts."""
    within: Within | None = None

    @property
    def text(self) -> str:
        """The words to rank by, for BM25, the encoder and the reranker."""
        return " ".join(term.text for clause in self.clauses for term in clause)

    @property
    def concepts(self) -> tuple[ConceptTerm, ...]:
        """The concepts that are asked for, in their order; not those that are excluded."""
        return tuple(t for clause in self.clauses for t in clause if isinstance(t, ConceptTerm))

    @property
    def labelled(self) -> bool:
        """Whether the labels alone answer it: concepts are asked for, and no words besides."""
        terms = [t for clause in self.clauses for t in clause]
        return bool(terms) and all(isinstance(t, ConceptTerm) and not t.words for t in terms)

    def without_dates(self) -> Query:
        return replace(self, after=None, before=None)


_TOKEN = re.compile(
    r"""(?P<minus>-(?=[^\s-]))?
        (?:(?P<field>[A-Za-z]+):(?="|[^\s:"]))?
        (?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s"]+))""",
    re.VERBOSE,
)


_QUOTES = re.compile("[\u201c\u201d\u201e\u201f\u00ab\u00bb]")
_UNREADABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
"""Control characters, and halves of characters, which a terminal passes on for bytes that are no UTF-8."""


def _clean(line: str) -> str:
    """Control characters and kinds of quotes made plain."""
    return _UNREADABLE.sub(" ", _QUOTES.sub('"', line))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTED else text[: LONGEST_QUOTED - 1] + "…"


def _day(field: str, value: str) -> date:
    """2019, 2019-03 and 2019-03-01 are all days: the first of what they name."""
    parts = value.split("-")
    if re.fullmatch(r"\d{4}(-\d{2}){0,2}", value):
        try:
            return date(*map(int, [*parts, "1", "1"][:3]))
        except ValueError:
            pass
    raise QueryError(f"{field}:{_short(value)} is not a date.", f"Write it as {FIELDS[field]}.")


def _has_word(text: str) -> bool:
    return any(c.isalnum() for c in text)


class _Builder:
    """Collects the criteria of one line, token by token."""

    def __init__(self) -> None:
        self.clauses: list[list[AnyTerm]] = []
        self.excluded: list[AnyTerm] = []
        self.fields: dict[str, list[str]] = {name: [] for name in FIELDS if name not in CONCEPT_FIELDS}
        self.pending = ""
        """An operator that still waits for its right side."""
        self.last = ""
        """What was read last: a term, an exclusion, a field, or nothing yet."""
        self.takes_assertion = False
        """Whether the next word may be the assertion of the finding before it."""

    def operator(self, name: str) -> None:
        if name == "NOT" and self.pending in ("", "AND"):
            self.pending = name
            return
        self._need_nothing_pending()
        if not self.last or (name == "OR" and self.last != "term"):
            raise QueryError(f"The operator {name} lacks a word before it.", OPERATORS_MEANT)
        self.pending = name

    def _need_nothing_pending(self) -> None:
        if self.pending:
            raise QueryError(f"The operator {self.pending} lacks a word after it.", OPERATORS_MEANT)

    def term(self, term: Term, minus: bool) -> None:
        if not _has_word(term.text):
            if not minus and (term.phrase or term.text not in OPERATOR_SIGNS):
                return  # punctuation between words, as in "What is asthma ?"
            sign = "-" if minus else term.text
            raise QueryError(f"The operator {sign} stands alone.", "Put a word after it, as in -effusion.")
        self._place(term, minus)

    def concept(self, role: str, name: str, minus: bool) -> None:
        if not _has_word(name):
            raise QueryError(f"{role}: names nothing.", f"Write it as {FIELDS[role]}.")
        self._place(ConceptTerm(name.strip(), role, "present" if role == "finding" else ANY), minus)
        self.takes_assertion = role == "finding"

    def assertion(self, word: str) -> None:
        """Give the finding before it its assertion."""
        held = self.excluded if self.last == "exclusion" else self.clauses[-1]
        if isinstance(finding := held[-1], ConceptTerm):
            held[-1] = replace(finding, assertion=word)
        self.takes_assertion = False

    def _place(self, term: AnyTerm, minus: bool) -> None:
        if minus and self.pending != "AND":
            self._need_nothing_pending()
        if minus or self.pending == "NOT":
            self.excluded.append(term)
        elif self.pending == "OR":
            self.clauses[-1].append(term)
        else:
            self.clauses.append([term])
        self.last = "exclusion" if minus or self.pending == "NOT" else "term"
        self.pending = ""

    def field(self, name: str, value: str, minus: bool) -> None:
        if minus or self.pending in ("NOT", "OR"):
            raise QueryError(f"{name}: cannot be excluded or joined by OR.", f"Write it by itself: {FIELDS[name]}.")
        if not _has_word(value):
            raise QueryError(f"{name}: names nothing.", f"Write it as {FIELDS[name]}.")
        if name in ("after", "before") and self.fields[name]:
            raise QueryError(f"{name}: stands there twice.", "Keep one of them.")
        self.fields[name].append(value.strip())
        self.last, self.pending = "field", ""

    def query(self) -> Query:
        self._need_nothing_pending()
        f = self.fields
        after = _day("after", f["after"][0]) if f["after"] else None
        before = _day("before", f["before"][0]) if f["before"] else None
        if after and before and after >= before:
            raise QueryError(f"after:{after} and before:{before} leave no day.", "Swap them.")
        return Query(
            clauses=tuple(map(tuple, self.clauses)),
            excluded=tuple(self.excluded),
            aspects=tuple(f["aspect"]),
            sections=tuple(f["section"]),
            types=tuple(f["type"]),
            patients=tuple(f["patient"]),
            notes=tuple(f["note"]),
            collections=tuple(f["collection"]),
            after=after,
            before=before,
        )


def parse(line: str) -> Query:
    """Read a query line: words, "phrases", -word, NOT, OR, AND and the fields of `FIELDS`.

    What the words mean is not looked at here: `search_stack.understanding` does that.

    >>> parse('effusion -"pleural plaque" section:impression').sections
    ('impression',)

    Raises:
        QueryError: empty, too long, unbalanced quotes, an operator or field without its
            word, an impossible date.
    """
    if len(line) > LONGEST:
        raise QueryError(f"The query has {len(line):,} characters; at most {LONGEST:,} are read.", "Shorten it.")
    line = _clean(line).strip()
    if not line:
        raise QueryError("The query is empty.", "Type a finding, as in: pleural effusion.")
    if line.count('"') % 2:
        raise QueryError('A quote (") is not closed.', 'Close it, as in "chest pain", or leave it out.')
    build = _Builder()
    for number, token in enumerate(_TOKEN.finditer(line)):
        if number >= MOST_TERMS:
            raise QueryError(f"The query has more than {MOST_TERMS} terms.", "Shorten it.")
        _read(token, build)
    query = build.query()
    if query == Query():
        raise QueryError("The query holds no word.", "Type a finding, as in: pleural effusion.")
    if query == Query(excluded=query.excluded):
        raise QueryError("The query only excludes.", "Add what to look for, as in: effusion -pneumothorax.")
    return query


def plain(text: str) -> Query:
    """A query of the words in ``text``, none of them an operator or a field."""
    return Query(clauses=tuple((Term(word),) for word in _clean(text).split() if _has_word(word)))


def _read(token: re.Match[str], build: _Builder) -> None:
    minus, field = bool(token["minus"]), token["field"]
    quoted = token["quoted"] is not None
    value = token["quoted"] if quoted else token["bare"]
    if build.takes_assertion and field is None and not quoted and not minus and value.lower() in (*ASSERTIONS, ANY):
        build.assertion(value.lower())
        return
    build.takes_assertion = False
    if field is None and not quoted and not minus and value in ("AND", "OR", "NOT"):
        build.operator(value)
        return
    if field is None and not quoted and value.endswith(":") and value[:-1].lower() in FIELDS:
        name = value[:-1].lower()
        raise QueryError(f"{name}: names nothing.", f"Write it as {FIELDS[name]}, without a space.")
    if field and field.lower() in CONCEPT_FIELDS:
        build.concept(field.lower(), value, minus)
        return
    if field and field.lower() in FIELDS:
        build.field(field.lower(), value, minus)
        return
    if field:
        if near := difflib.get_close_matches(field.lower(), FIELDS, n=1, cutoff=0.75):
            raise QueryError(f"There is no field {_short(field)}.", f"Did you mean {FIELDS[near[0]]}?")
        value = f"{field} {value}"  # a colon between two words, as in BP:120
    build.term(Term(value.strip(), phrase=quoted), minus)
