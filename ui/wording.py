"""Numbers as sentences."""

from __future__ import annotations

from search_stack.answer import Answer, Counts
from search_stack.criteria import Query

UNITS = {"passage": "passage", "note": "note", "patient": "patient"}


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "note"), counted(1204, "note"), counted(0, "match")
    ('1 note', '1,204 notes', '0 matches')
    """
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def headline(query: Query, counts: Counts) -> str:
    """What was counted: exact numbers, nothing that merely comes close."""
    one = counts.passages < 2
    if not query.clauses:
        verb = "fits the filters" if one else "fit the filters"
    elif any(len(clause) > 1 for clause in query.clauses):
        verb = "matches" if one else "match"
    else:
        terms = [clause[0] for clause in query.clauses]
        what = "every word" if len(terms) > 1 else "the phrase" if terms[0].phrase else "the word"
        verb = f"{'holds' if one else 'hold'} {what}"
    if not counts.passages:
        return f"No passage {verb}."
    where = f"in {counted(counts.notes, 'note')} of {counted(counts.patients, 'patient')}"
    return f"{counted(counts.passages, 'passage')} {verb}, {where}."


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


def timing(answer: Answer) -> str:
    total = f"{sum(answer.milliseconds.values()):,.0f} ms"
    return f"reranked {answer.reranked} · {total}" if answer.reranked else total
