"""Numbers as sentences."""

from __future__ import annotations

from search_stack.answer import Answer, Counts, Scope
from search_stack.criteria import AnyTerm, ConceptTerm, Query, Term

UNITS = {"passage": "passage", "note": "note", "patient": "patient"}


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "note"), counted(1204, "note"), counted(0, "match")
    ('1 note', '1,204 notes', '0 matches')
    """
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


SAYS = {
    "present": "say that {} is present",
    "absent": "say that {} is absent",
    "possible": "say that {} is possible",
    "historical": "tell of {} in the past",
    "hypothetical": "speak of {} as a condition or risk",
    "family": "tell of {} in the family",
    "any": "mention {}, whatever they say of it",
}
"""What passages do with a finding of each assertion."""


def headline(query: Query, counts: Counts, scope: Scope = "passage") -> str:
    """What was counted: exact numbers, nothing that merely comes close. ``query`` as it was understood."""
    if query.within:
        return _together(counts, scope)
    one = counts.passages < 2
    verb = _verb(query)
    if one:
        first, _, rest = verb.partition(" ")
        verb = " ".join(filter(None, (SINGULAR.get(first, first + "s"), rest)))
    verb += _without(query)
    if not counts.passages:
        return f"No passage {verb}."
    where = f"in {counted(counts.notes, 'note')} of {counted(counts.patients, 'patient')}"
    return f"{counted(counts.passages, 'passage')} {verb}, {where}."


SINGULAR = {"match": "matches", "are": "is", "satisfy": "satisfies"}


def _verb(query: Query) -> str:
    terms = [clause[0] for clause in query.clauses]
    if not terms:
        return "fit the filters"
    if any(len(clause) > 1 for clause in query.clauses):
        return "match"
    first = terms[0]
    if isinstance(first, ConceptTerm) and len(terms) == 1:
        return f"are about {first.name}" if first.role == "entity" else SAYS[first.assertion].format(first.name)
    if any(isinstance(t, ConceptTerm) for t in terms):
        return "satisfy every criterion"
    return f"hold {'every word' if len(terms) > 1 else 'the phrase' if first.phrase else 'the word'}"


def _without(query: Query) -> str:
    """What is excluded: a count that leaves it out must say so."""
    return f", without {' or '.join(map(named, query.excluded))}" if query.excluded else ""


def named(term: AnyTerm) -> str:
    """A term in a sentence or on a button."""
    if not isinstance(term, ConceptTerm):
        return term.text
    return term.name if term.assertion == "present" else f"{term.name} ({term.assertion})"


def _together(counts: Counts, scope: Scope) -> str:
    number = counts.notes if scope == "note" else counts.patients
    unit = UNITS[scope]
    if not number:
        return f"No {unit} satisfies every criterion."
    shown = f"{counted(counts.passages, 'passage')} {'shows' if counts.passages == 1 else 'show'} one of them"
    return f"{counted(number, unit)} {'satisfies' if number == 1 else 'satisfy'} every criterion; {shown}."


def what_counts(query: Query) -> str:
    """What the counts stand on, in a sentence; ``query`` as it was understood."""
    if not query.clauses:
        return "No words to rank by: the newest notes come first."
    words = any(isinstance(t, Term) for clause in query.clauses for t in clause)
    if not query.concepts:
        return "The lexicon knows none of the words: counts are of passages that mention them, denied or not."
    if words:
        return "Findings count by what is said of them; the other words where they are mentioned, denied or not."
    return "Findings count by what is said of them, in whatever words."


def ranking(query: Query, answer: Answer) -> str:
    """How the list relates to the counts; empty where it is exactly what was counted."""
    unit = UNITS[answer.scope]
    exact = {"passage": answer.counts.passages, "note": answer.counts.notes, "patient": answer.counts.patients}
    found = exact[answer.scope]
    if answer.ranked > found:
        close = counted(answer.ranked - found, unit)
        return f"Also ranked: {close} that {'comes' if answer.ranked - found == 1 else 'come'} close."
    if answer.ranked < found:
        return f"The list holds the {'best' if query.clauses else 'newest'} {counted(answer.ranked, unit)}."
    return ""


def undated(number: int) -> str:
    if number == 1:
        return "1 note that matches has no date and is left out."
    return f"{counted(number, 'note')} that match have no date and are left out." if number else ""


def without_vectors(answer: Answer) -> str:
    """A warning where meaning had no say; counts do not depend on it."""
    if answer.vectors:
        return ""
    return "Found by words only: the index holds another encoder's vectors. Counts are exact all the same."


def older_labels(answer: Answer) -> str:
    """A warning where passages were labelled before the lexicon knew what is asked for."""
    if not answer.older.names:
        return ""
    names = " and ".join(f'"{name}"' for name in answer.older.names)
    were = "was" if answer.older.passages == 1 else "were"
    return (
        f"{counted(answer.older.passages, 'passage')} {were} labelled before the lexicon knew {names} as it does now, "
        "and may be missing from the counts."
    )


def timing(answer: Answer) -> str:
    total = f"{sum(answer.milliseconds.values()):,.0f} ms"
    return f"reranked {answer.reranked} · {total}" if answer.reranked else total
