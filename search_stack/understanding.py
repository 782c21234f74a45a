"""What a query means: its words looked up in the lexicon, its findings given their assertions.

A word that names a concept becomes a criterion on labelled findings, "present" where nothing
else is said, so that "no pneumothorax" in a note never answers "pneumothorax". What the
lexicon does not know stays a word.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_stack.criteria import ANY, AnyTerm, ConceptTerm, Query, QueryError, Term
from search_stack.lexicon.concepts import Concept, Lexicon
from search_stack.lexicon.matcher import Matcher
from search_stack.lexicon.mention import Mention
from search_stack.schema import ASSERTIONS

CUES: dict[tuple[str, ...], str] = {
    ("no",): "absent",
    ("not",): "absent",
    ("denies",): "absent",
    ("denied",): "absent",
    ("no", "evidence", "of"): "absent",
    ("absence", "of"): "absent",
    ("negative", "for"): "absent",
    ("free", "of"): "absent",
    ("possible",): "possible",
    ("probable",): "possible",
    ("suspected",): "possible",
    ("family", "history", "of"): "family",
}
"""Words before a concept, in lower case, that ask for one of its assertions."""
LONGEST_CUE = max(map(len, CUES))
EXCLUDING = ("without",)
"""Words before a concept that exclude it."""
AFTER = {**{a: a for a in ASSERTIONS}, ANY: ANY}
LINKS = ("and", "with", "or", "but")
"""Words between concepts that say nothing besides."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """A lexicon and its matcher, which belong together."""

    lexicon: Lexicon
    matcher: Matcher

    @classmethod
    def of(cls, lexicon: Lexicon) -> Understanding:
        return cls(lexicon, Matcher(lexicon))

    def understand(self, query: Query) -> Query:
        """``query`` with every concept that it names looked up.

        Raises:
            QueryError: finding: or entity: names what no lexicon holds.
        """
        clauses: list[tuple[AnyTerm, ...]] = []
        excluded = [self._excluded(t) for t in query.excluded]
        run: list[Term] = []
        for clause in query.clauses:
            first = clause[0]
            if len(clause) == 1 and isinstance(first, Term) and not first.phrase:
                run.append(first)
                continue
            clauses += self._words(run, excluded)
            run = []
            clauses.append(tuple(self._term(t) for t in clause))
        clauses += self._words(run, excluded)
        return replace(query, clauses=tuple(clauses), excluded=tuple(excluded))

    def _words(self, run: Sequence[Term], excluded: list[AnyTerm]) -> list[tuple[AnyTerm, ...]]:
        """Neighbouring words, those that name concepts made criteria; what they exclude is added to ``excluded``."""
        words = [t.text for t in run]
        found = {m[0]: m for m in self._mentions(words)}
        out: list[AnyTerm] = []
        at = 0
        while at < len(words):
            if at not in found:
                out.append(run[at])
                at += 1
                continue
            _, end, concept = found[at]
            term = ConceptTerm(" ".join(words[at:end]), concept=concept.id, strict=False)
            at = end
            if at < len(words) and words[at].lower() in AFTER:
                term = replace(term, assertion=AFTER[words[at].lower()])
                at += 1
                out.append(term)
            elif out and isinstance(out[-1], Term) and out[-1].text.lower() in EXCLUDING:
                out.pop()
                excluded.append(term)
            else:
                out.append(_with_cue(out, term))
        if any(isinstance(t, ConceptTerm) for t in out):
            out = [t for t in out if isinstance(t, ConceptTerm) or t.text.lower() not in LINKS]
        return [(t,) for t in out]

    def _mentions(self, words: Sequence[str]) -> list[tuple[int, int, Concept]]:
        """Concepts named by neighbouring words: first word, word after the last, concept; not overlapping."""
        line = " ".join(words)
        starts, at = {}, 0
        ends = {}
        for n, word in enumerate(words):
            starts[at] = n
            at += len(word)
            ends[at] = n + 1
            at += 1
        out: list[tuple[int, int, Concept]] = []
        for m in sorted(self.matcher.mentions(line, 0, len(line)), key=lambda m: (m.begin - m.end, m.begin)):
            begin, end = m.begin, m.end
            while end < len(line) and end not in ends and not line[end].isalnum():
                end += 1  # punctuation after the name
            while begin and begin not in starts and not line[begin - 1].isalnum():
                begin -= 1
            if len(m.parts) != 1 or m.denial or begin not in starts or end not in ends:
                continue
            one = (starts[begin], ends[end], self.lexicon.concepts[m.concept])
            if one[2].kind != "anatomy" and all(one[1] <= o[0] or o[1] <= one[0] for o in out):
                out.append(one)
        return out

    def _term(self, term: AnyTerm) -> AnyTerm:
        """A term of a clause of its own: a named concept, a phrase, or one side of an OR."""
        if isinstance(term, ConceptTerm):
            return replace(term, concept=self._named(term).id)
        concept = self._whole(term.text)
        if concept is None or concept.kind == "anatomy":
            return term
        return ConceptTerm(term.text, concept=concept.id, words=term.text if term.phrase else "", strict=False)

    def _excluded(self, term: AnyTerm) -> AnyTerm:
        """What is excluded by a concept's name is the concept where it is present, quoted or not."""
        found = self._term(term)
        return replace(found, words="") if isinstance(found, ConceptTerm) else found

    def _named(self, term: ConceptTerm) -> Concept:
        found = self._whole(term.name)
        if found is None:
            near = difflib.get_close_matches(term.name.lower(), self.lexicon.names, n=1, cutoff=0.6)
            remedy = f'Did you mean {term.role}:"{near[0]}"?' if near else "Search for the words themselves instead."
            raise QueryError(f'There is no {term.role} called "{term.name[:40]}" in the lexicon.', remedy)
        return found

    def _whole(self, name: str) -> Concept | None:
        """The concept that ``name`` as a whole names, in any inflection."""
        exact = self.lexicon.find(name)
        if exact:
            return exact
        covering = [m for m in self.matcher.mentions(name, 0, len(name)) if _covers(m, name)]
        return self.lexicon.concepts[covering[0].concept] if covering else None


def _covers(mention: Mention, name: str) -> bool:
    around = name[: mention.begin] + name[mention.end :]
    return len(mention.parts) == 1 and not mention.denial and not any(c.isalnum() for c in around)


def _with_cue(out: list[AnyTerm], term: ConceptTerm) -> ConceptTerm:
    """``term`` with the assertion that the words before it ask for; those words are taken off ``out``."""
    for length in range(min(LONGEST_CUE, len(out)), 0, -1):
        cue = tuple(t.text.lower() for t in out[-length:] if isinstance(t, Term))
        if len(cue) == length and cue in CUES:
            del out[-length:]
            return replace(term, assertion=CUES[cue])
    return term
