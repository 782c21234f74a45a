"""Numbers as sentences."""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import date
from textwrap import shorten

from search_stack.query.nodes import Fact, FieldIs, Finding, Node, Not, Phrase, Topic, Words
from search_stack.query.tree import criteria, is_filter, wanted
from search_stack.query.write import called, readable, said_of
from search_stack.retrieval.answer import Answer, Counts, Order, Scope

UNITS = {"passage": "passage", "note": "note", "patient": "patient"}
INSTEAD = 60
"""Characters that `instead` says, at most."""


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "note"), counted(1204, "note"), counted(0, "match"), counted(2, "copy"), counted(2, "day")
    ('1 note', '1,204 notes', '0 matches', '2 copies', '2 days')
    """
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        plural = f"{noun[:-1]}ies"
    return f"{number:,} {noun if number == 1 else plural}"


def instead(other: str, line: str) -> str:
    """What ``other`` says where ``line`` says something else, with a word on each side, so that a link to it tells
    where it leads.

    >>> instead("cough on the same day or after pneumonia since 2019", "cough after pneumonia since 2019")
    'cough on the same day or after …'
    >>> instead("women with cough", "women with bad cough"), instead("no cough", "cough")
    ('… with cough', 'no cough')
    >>> instead("sweats at night " * 5, "y")
    'sweats at night sweats at night sweats at night sweats at …'
    """
    words, others = line.split(), other.split()
    shorter = min(len(words), len(others))
    begin = next((n for n in range(shorter) if words[n] != others[n]), shorter)
    behind = next((n for n in range(shorter - begin) if words[-1 - n] != others[-1 - n]), shorter - begin)
    first, last = max(0, begin - 1), min(len(others), len(others) - behind + 1)
    said = shorten(" ".join(others[first:last]), INSTEAD, placeholder=" …")
    more = last < len(others) and not said.endswith(" …")
    return ("… " if first else "") + said + (" …" if more else "")


def who(sex: str, born: date | None) -> str:
    """
    >>> who("female", date(1958, 3, 1)), who("", date(1958, 3, 1)), who("male", None), who("", None)
    ('female, born 1958', 'born 1958', 'male', '')
    """
    return ", ".join(filter(None, (sex, f"born {born.year}" if born else "")))


SAYS = {
    "present": "say that {} is present",
    "absent": "say that {} is absent",
    "possible": "say that {} is possible",
    "historical": "tell of {} in the past",
    "hypothetical": "speak of {} as a condition or risk",
    "family": "tell of {} in the family",
    "unaffected": "say that there is no {} in the family",
    "done": "say that {} was done",
    "planned": "say that {} is planned",
    "past": "tell of an earlier {}",
    "not done": "say that {} was not done",
    "taking": "say that {} is taken",
    "given": "say that {} was given",
    "started": "say that {} was started",
    "stopped": "say that {} was stopped",
    "held": "say that {} is held",
    "allergy": "tell of an allergy to {}",
    "not taken": "say that {} is not taken",
    "normal": "say that {} was normal",
    "abnormal": "say that {} was abnormal",
    "any": "mention {}, whatever they say of it",
}
"""What passages do with a finding of which that is asked."""
QUOTED = 80
"""Characters of a criterion that a headline repeats, at most."""
TIME_WORDS = frozenset(("before", "after", "since", "until", "then", "within", "following", "preceding"))
SINGULAR = {"match": "matches", "are": "is", "satisfy": "satisfies", "have": "has"}


def headline(query: Node, counts: Counts, scope: Scope = "passage", acts: Container[str] = ()) -> str:
    """What was counted, in the scope's unit: exact numbers, nothing that merely comes close.

    Args:
        acts: names of what is done, whose presence is that it was.
    """
    number = counts.of(scope)
    unit = UNITS[scope]
    verb = _verb(query, acts)
    said = verb if scope == "passage" else f"have a passage that {_singular(verb)}"
    if scope != "passage" and (len(_asked(query)) > 1 or not isinstance(_asked(query)[0], Leaves)):
        said = "satisfy every criterion" if sum(_counts(c) for c in criteria(query)) > 1 else _quoted(_asked(query)[0])
    if number < 2:
        said = _singular(said)
    said += _without(query)
    if not number:
        return f"No {unit} {said}."
    if scope == "passage":
        where = f"in {counted(counts.notes, 'note')} of {counted(counts.patients, 'patient')}"
        return f"{counted(number, unit)} {said}, {where}."
    where = (
        f" in {counted(counts.notes, 'note')}" if scope == "patient" else f" of {counted(counts.patients, 'patient')}"
    )
    shows = "shows" if counts.passages == 1 else "show"
    return f"{counted(number, unit)} {said}; {counted(counts.passages, 'passage')}{where} {shows} it."


def _counts(criterion: Node) -> bool:
    """Whether it is one of those that all must be met: what is excluded is told by itself."""
    return is_filter(criterion) or not isinstance(criterion, Not)


def _quoted(criterion: Node) -> str:
    """Of one criterion that is more than a finding or words; a long one stands above, in full."""
    said = readable(criterion)
    return f"satisfy “{said}”" if len(said) <= QUOTED else "satisfy the criterion"


def time_aside(aside: Sequence[str]) -> str:
    """How to ask for time, where words of it were left aside for want of a second finding."""
    if TIME_WORDS.isdisjoint(word for words in aside for word in words.lower().split()):
        return ""
    return "Time stands between two findings, as in"


Leaves = (Finding, Topic, Words, Phrase, FieldIs)


def _singular(said: str) -> str:
    first, _, rest = said.partition(" ")
    return " ".join(filter(None, (SINGULAR.get(first, first + "s"), rest)))


def _asked(query: Node) -> list[Node]:
    """The criteria that are wanted, without filters and exclusions; the filters where there is nothing else."""
    asked: list[Node] = [c for c in criteria(query) if not is_filter(c) and not isinstance(c, Not)]
    return asked or list(criteria(query))


def _verb(query: Node, acts: Container[str]) -> str:
    asked = _asked(query)
    if all(is_filter(c) or isinstance(c, Not) for c in asked):
        return "fit the filters" if all(is_filter(c) for c in asked) else "remain"
    first = asked[0]
    if len(asked) > 1:
        if all(isinstance(c, Words) for c in asked):
            return "hold every word"
        return "satisfy every criterion"
    if isinstance(first, Finding) and first.amount and first.assertion == "present":
        return f"tell of {called(first)}"
    if isinstance(first, Finding):
        done = first.assertion == "present" and first.name in acts
        return SAYS["done" if done else first.assertion].format(called(first))
    if isinstance(first, Topic):
        return f"are about {said_of(first)}" if first.aspect else f"are about {first.entity}"
    if isinstance(first, Phrase):
        return "hold the phrase"
    if isinstance(first, Words):
        return "hold every word" if " " in first.text else "hold the word"
    return "match"


def _without(query: Node) -> str:
    """What is excluded: a count that leaves it out must say so."""
    out = [c.child for c in criteria(query) if isinstance(c, Not) and not is_filter(c)]
    named_ = [
        f"any mention of {called(c)}" if isinstance(c, Finding) and c.assertion == "any" else named(c) for c in out
    ]
    return f", without {' or '.join(named_)}" if out else ""


def named(node: Node) -> str:
    """A criterion in a sentence or on a button."""
    if isinstance(node, Finding):
        return called(node) if node.assertion == "present" else f"{called(node)} ({node.assertion})"
    return node.text if isinstance(node, Words | Phrase) else readable(node)


def what_counts(query: Node, order: Order = "best") -> str:
    """What the counts stand on, in a sentence."""
    asked = [leaf for leaf in wanted(query) if not isinstance(leaf, FieldIs)]
    first = "." if order == "oldest" else ": the newest notes come first."
    if not asked:
        return f"No words to rank by{first}"
    if all(isinstance(leaf, Fact) for leaf in asked):
        return f"Patients count by their structured facts; no passage is ranked by them{first}"
    words = any(isinstance(leaf, Words | Phrase) for leaf in asked)
    if not any(isinstance(leaf, Finding | Topic | Fact) for leaf in asked):
        return "The lexicon knows none of the words: counts are of passages that mention them, denied or not."
    if words:
        return "Findings count by what is said of them; the other words where they are mentioned, denied or not."
    return "Findings count by what is said of them, in whatever words."


def ranking(answer: Answer) -> str:
    """How the list relates to the counts; empty where it is exactly what was counted, best first."""
    found = answer.counts.of(answer.scope)
    if 0 < answer.ranked < found - answer.folded and not is_newest_first(answer.query):
        come = "comes" if answer.ranked == 1 else "come"
        best = counted(answer.ranked, UNITS[answer.scope])
        return f"The best {best} {come} first, then the others in the order of their notes."
    return ""


def by_date(scope: Scope, order: Order) -> str:
    """What an order by date is; empty of the one by rank.

    >>> by_date("note", "oldest"), by_date("note", "best")
    ('The oldest first, by their day; those without one are last. What only comes close is not listed.', '')
    """
    if order == "best":
        return ""
    day = f"the day of the {order} note that shows it" if scope == "patient" else "their day"
    return f"The {order} first, by {day}; those without one are last. What only comes close is not listed."


def close(scope: Scope) -> str:
    """What stands in the list before those that are not counted."""
    if scope == "patient":
        return (
            "Who follows is not counted: the notes come close, by words or meaning, but do not say all that was asked."
        )
    return "What follows is not counted: it comes close, by words or meaning, but does not say all that was asked."


def again(scope: Scope, more: int) -> str:
    """What a group has besides what is shown of it; empty where it has nothing."""
    if not more:
        return ""
    return f"and in {counted(more, 'other note')}" if scope == "passage" else f"and {counted(more, 'more passage')}"


def is_newest_first(query: Node) -> bool:
    """Whether there is nothing to rank by."""
    return all(isinstance(leaf, FieldIs | Fact) for leaf in wanted(query))


def emptied(query: Node, alone: Sequence[int], scope: Scope) -> list[tuple[str, int]]:
    """Of a search that found nothing, the criteria that have none by themselves, or within the filters: in words, and
    their number."""
    said = []
    filtered = any(map(is_filter, criteria(query)))
    for n, (c, number) in enumerate(zip(criteria(query), alone, strict=True)):
        if not number and not isinstance(c, Not):
            verb = "is" if is_filter(c) or (isinstance(c, Topic) and not c.aspect) else "has"
            within = " within the filters" if filtered and not is_filter(c) else ""
            said.append((f"No {UNITS[scope]} {verb} {readable(c)}{within}.", n))
    return said


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
    """A warning where passages were labelled before what is asked for was read as it is now."""
    if not answer.older.names:
        return ""
    names = " and ".join(f'"{name}"' for name in answer.older.names)
    were = "was" if answer.older.passages == 1 else "were"
    is_read, of_it = ("was read", "it") if len(answer.older.names) == 1 else ("were read", "them")
    return (
        f"{counted(answer.older.passages, 'passage')} {were} labelled before {names} {is_read} as now: what they say "
        f"of {of_it} may be missing from the counts, or counted otherwise."
    )


def timing(answer: Answer) -> str:
    total = f"{sum(answer.milliseconds.values()):,.0f} ms"
    return f"{answer.reranked} read closely · {total}" if answer.reranked else total
