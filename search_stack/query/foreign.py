"""What stands before a colon and is no field of ours."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from search_stack.query.fields import day_behind, day_of, short_day
from search_stack.query.tree import QueryError

_ELSEWHERE = frozenset(
    "title text date year gender mrn icd icd10 code drug lab author doctor provider dept department service specialty "  # noqa: SIM905
    "from to since until "
    "note_type notetype doctype doc_type document_type "
    "assertion concept heading name id intitle site filetype diagnosis procedure medication".split()
)
"""Fields that people know from elsewhere."""
_BY_TYPE = 'Notes are told apart by their type: type:"nursing note".'
_INSTEAD = {
    "year": "Write it as after:2019 before:2020.",
    "since": "Write it as after:2019.",
    "date": "Write it as after:2019-03.",
    "until": "Write it as before:2019.",
    **dict.fromkeys(("author", "provider", "dept", "department", "service", "specialty"), _BY_TYPE),
}
_CALLED = {
    **dict.fromkeys(("note_type", "notetype", "doctype", "doc_type", "document_type"), "type"),
    **dict.fromkeys(("title", "intitle"), "type"),
    **dict.fromkeys(("diagnosis", "dx", "condition", "problem", "procedure", "medication", "drug"), "finding"),
    "gender": "sex",
}
"""Fields of ours by the names that other systems give them."""
_OF_DAYS = frozenset(("date", "year", "note_date", "admission", "admitted", "discharged", "visit", "encounter"))
_FROM = frozenset(("since", "from"))
_TO = frozenset(("until", "to"))
_ONE = r"\d{4}(?:-\d{1,2}){0,2}"
_DAYS = re.compile(
    rf"(?P<sign><=|>=|<|>|=)?(?P<first>{_ONE})(?:(?:\.\.|:|\sto\s|(?<=^\d{{4}})-(?=\d{{4}}$))(?P<last>{_ONE}))?"
)
_RANGE = re.compile(r"\[(?P<first>\S+) TO (?P<last>\S+)\]", re.IGNORECASE)
_OF_ARTICLES = re.compile(
    r"""(?:\s*\b(?:AND|NOT)\s+|^\s*)\(?(?:"[^"]*"|(?:(?!\b(?:AND|OR|NOT)\b)[^()"\[\]])*?)
    (?:\[(?:pt|ptyp|publication\stype|la|lang|language|sb|subset|filter)\]
      |(?<=human)s?\[m[es]*h\w*\]|(?<=animal)s?\[m[es]*h\w*\])\)?""",
    re.IGNORECASE | re.VERBOSE,
)
"""What PubMed asks of an article, and no note can be: NOT review[pt], AND english[la], AND humans[mesh]."""


def of_articles(line: str) -> list[tuple[int, int]]:
    """Where ``line`` asks for a kind of article.

    >>> of_articles("asthma AND english[la] NOT review[pt]"), of_articles("asthma[mesh]")
    ([(6, 22), (22, 37)], [])
    """
    if "[" not in line:
        return []
    return [found.span() for found in _OF_ARTICLES.finditer(line)]


def plain_range(value: str) -> str:
    """A range in the words of other systems as ours.

    >>> plain_range("[18 TO 40]"), plain_range("18..40"), plain_range("18 to 40"), plain_range(">60")
    ('18-40', '18-40', '18-40', '>60')
    """
    return _RANGE.sub(r"\g<first>-\g<last>", value).replace("..", "-").replace(" to ", "-")


def as_ours(key: str, value: str) -> list[tuple[str, str]]:
    """The fields of ours that say what ``key:value`` says elsewhere; empty where there are none.

    >>> as_ours("note_type", "pathology"), as_ours("date", "2018-2022")
    ([('type', 'pathology')], [('after', '2018'), ('before', '2023')])
    >>> as_ours("year", ">2019"), as_ours("until", "2019"), as_ours("date", "yesterday"), as_ours("mrn", "7")
    ([('after', '2020')], [('before', '2020')], [], [])
    """
    if key in _CALLED:
        return [(_CALLED[key], value)]
    found = _DAYS.fullmatch(_RANGE.sub(r"\g<first>..\g<last>", value))
    if not found or key not in _OF_DAYS | _FROM | _TO:
        return []
    try:
        first, behind = short_day(day_of(found["first"])), short_day(day_behind(found["last"] or found["first"]))
    except ValueError:
        return []
    sign = found["sign"] or (">=" if key in _FROM else "<=" if key in _TO else "=")
    if found["last"] or sign == "=":
        return [("after", first), ("before", behind)]
    return [{">": ("after", behind), ">=": ("after", first), "<": ("before", first), "<=": ("before", behind)}[sign]]


def unknown_field(key: str, shown: str, examples: dict[str, str]) -> QueryError | None:
    """What to say of ``key``, which is not among ``examples``; nothing where it is but a word before a colon.

    ``shown`` is the key as an error may repeat it.
    """
    if key in _ELSEWHERE:
        return QueryError(f"There is no field {key}.", _INSTEAD.get(key, f"There are: {_listed(examples)}."))
    near = difflib.get_close_matches(key, examples, n=1, cutoff=0.75)
    return QueryError(f"There is no field {shown}.", f"Did you mean {examples[near[0]]}?") if near else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
