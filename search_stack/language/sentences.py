"""Sentences of clinical text, where list items and lines end without a full stop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from search_stack.language.layout import letters
from search_stack.language.statements import Statements, counted, shipped_statements

Span = tuple[int, int]

_NEVER_LAST = "dr drs mr mrs ms prof st vs v e.g i.e eg ie approx cf prev poss prob susp"
_SOMETIMES_LAST = """
    a.m p.m a.c p.c b.i.d t.i.d q.i.d q.d q.h q.h.s q.o.d q.a.m q.p.m q.4h q.6h q.8h q.12h h.s p.o i.v i.m s.c s.q p.r p.r.n
    prn bid tid qid qd qhs po o.d o.s o.u n.p.o u.s m.d d.o ph.d r.n p.a n.p jr sr inc co etc dept temp wt ht hr hrs min mins
    sec mg mcg ml cc cm mm kg lb lbs oz in ft yr yrs y.o wk wks mo mos tab tabs cap caps jan feb mar apr jun jul aug sep sept
    oct nov dec no nos fig figs al resp pt pts
"""
_SHORTENED_SMALL = "abd abdo ext neuro bilat hosp cont diff derm cardio pulm psych vit"
_LETTER_FOLLOWS = "vitamin hepatitis type class grade group factor stage category plan influenza"
_TITLES = frozenset(_NEVER_LAST.split())
_SHORT_FORMS = frozenset(_SOMETIMES_LAST.split())  # such a sentence ends where a capital follows
_SHORTENED = frozenset(_SHORTENED_SMALL.split())
_SHORTEST = 3
"""Letters of a word that ends a sentence in a note without capitals, at least."""
NAMED_BY_LETTER = frozenset(_LETTER_FOLLOWS.split())
"""Words that a letter follows: "vitamin D"."""

# A question mark that opens a statement does not end one: "? pneumonia".
_END = re.compile(
    r"(?:[.!…]|(?<!^)(?<!\n)(?<![.,;:!]\s)\?)[.!?…]{0,7}[\"'”’)\]]{0,3}(?=\s)|(?<=[a-z]{2})[.!?],?(?=[A-Z][a-z])|[。！？।]"
)
# What a form or a question asked stands with its answer: "Pain? no", "Angina? Yes ☐ No ☑", "Murmur ....... N".
_ANSWER = re.compile(
    r"\s{1,3}(?:[☐☒☑✓✔]|[\[(]\s?[xX+✓✔]?\s?[\])]|(?i:yes|no|y|n|none|nil|never)\s{0,3}(?:[.,;:!/|☐☒☑✓✔\[(\n\r]|\Z))"
)
LEADERS = 3
"""Dots that lead to an answer, at least."""
_LINE_BREAK = re.compile(r"\r\n|[\n\r\f\v\x85\u2028\u2029]")
_ITEM = re.compile(
    r"\s*(?:[-*+•·●○◦▪■–—>#]|\(?(?:\d{1,2}|[IVX]{1,5}|[A-Za-z])[.)](?!\d)|"
    rf"{counted(shipped_statements().said)})"
)
_LABEL = re.compile(r"\s*[A-Z][\w /&()-]{0,40}:")
_MARKER = re.compile(r"\(?(?:\d{1,2}|[IVX]{1,5}|[A-Za-z])[.)]?")
_GOES_ON = re.compile(
    r"(?:[,;(/&]|\b(?:and|or|of|the|a|an|with|to|in|for|on|at|by|from|was|is|were|are|no|not))$", re.IGNORECASE
)
_SAYS_NO = re.compile(
    r"\b(?!(?:is|was|are|were|has|had|have|with|and|but|show|shows|showed|reveals?)\b)\w+[ \t]{0,3}[-–|:,=\t ][ \t]{0,3}no$",
    re.IGNORECASE,
)
_WRAPPED = range(50, 121)
"""Lengths of a line that a typist or printer broke at the margin, not at the end of an item."""
_MARGIN = 12
"""Characters by which lines that are broken at one margin differ, at most."""
_ROOM = 4
"""Characters that were left behind the next line's first word, at least, where the line was not broken for want of room."""
_LOOK_BACK = 160
_MAX_TOKEN = 24
_LOOK_AHEAD = 60


def sentences(text: str, begin: int, end: int, statements: Statements | None = None) -> list[Span]:
    """Spans of the sentences of ``text[begin:end]``, in order, without white space at the edges.

    Every character of the stretch that is not white space is in exactly one of them.

    Args:
        statements: where one line holds several, instead of the shipped rules.
    """
    rules = statements or shipped_statements()
    parts = (
        part
        for left, right in _blocks(text, begin, end)
        for part in pairwise((left, *rules.cuts(text, left, right), right))
    )
    return [span for part in parts for span in _split(text, *part)]


def is_item(text: str, begin: int) -> bool:
    """Whether a list item begins there, by its bullet or number."""
    return _ITEM.match(text, begin) is not None


def flowing(text: str, stretches: Sequence[Span]) -> str:
    """The text with blanks for the line breaks inside the sentences of ``stretches``; offsets stay.

    >>> flowing("The patient was seen in clinic today for a history of\\nchest pain.", [(0, 65)])
    'The patient was seen in clinic today for a history of chest pain.'
    """
    at, parts = 0, list[str]()
    for left, right in stretches:
        for line_end, following, wrapped in _lines(text, left, right):
            if wrapped:
                parts += (text[at:line_end], " " * (following - line_end))
                at = following
    return "".join((*parts, text[at:])) if parts else text


def _blocks(text: str, begin: int, end: int) -> Iterator[Span]:
    """Lines, joined where a line was only wrapped at the margin."""
    open_at = begin
    for line_end, following, wrapped in _lines(text, begin, end):
        if not wrapped:
            yield open_at, line_end
            open_at = following


def _lines(text: str, begin: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Where each line ends, where the next one begins, and whether it was only wrapped."""
    at = begin
    while at < end:
        stop = _LINE_BREAK.search(text, at, end)
        line_end, following = stop.span() if stop else (end, end)
        yield line_end, following, _is_wrapped(text, at, line_end, following, end)
        at = following


def _is_wrapped(text: str, begin: int, line_end: int, following: int, end: int) -> bool:
    """Whether the line's sentence may go on in the next line, which begins at ``following``."""
    begin = _line_begin(text, begin)
    line = text[begin:line_end].strip()
    ahead = _LINE_BREAK.split(text[following : min(end, following + _LOOK_AHEAD)], maxsplit=1)[0]
    if not line or not ahead.strip() or _ITEM.match(ahead) or _LABEL.match(ahead):
        return False
    goes_on = _GOES_ON.search(line[-10:]) is not None
    if len(line) in _WRAPPED and (goes_on or not _is_item_line(text, begin, line, ahead, following, end)):
        return True
    # What a short line says at its end is an answer, unless the next one goes on in small letters: "Latex no".
    return goes_on and not (_SAYS_NO.search(line) and ahead.lstrip()[0].isupper())


def _line_begin(text: str, at: int) -> int:
    """Where the line begins that ``at`` is in, behind its heading perhaps."""
    low = max(0, at - _LOOK_BACK)
    while at > low and not _LINE_BREAK.match(text, at - 1):
        at -= 1
    return at


def _is_item_line(text: str, begin: int, line: str, ahead: str, following: int, end: int) -> bool:
    """Whether the line is an item of its own and the next one another: it begins with a capital, and no margin is kept
    that a typist or printer breaks at, or its first word would have had room before the margin."""
    if line[-1] in ".!?:" or not ahead.lstrip()[0].isupper():
        return False
    before = _LINE_BREAK.split(text[max(0, begin - _LOOK_BACK) : begin].rstrip("\r\n"))[-1].strip()
    behind = _LINE_BREAK.split(text[following : min(end, following + _LOOK_BACK)], maxsplit=1)[0].strip()
    room = max(len(before), len(behind)) - len(line) - len(ahead.split()[0]) - 1
    return room >= _ROOM or all(abs(len(other) - len(line)) > _MARGIN for other in (before, behind))


def _split(text: str, begin: int, end: int) -> Iterator[Span]:
    """Sentences of one block, cut where one ends or where the next item of a list begins."""
    start, stop = _trim(text, begin, end)
    for mark in _END.finditer(text, start, stop):
        cut = _cut(text, start, *mark.span())
        if cut > start:
            yield _trim(text, start, cut)
            start, _ = _trim(text, cut, stop)
    if start < stop:
        yield start, stop


def _cut(text: str, start: int, mark: int, after: int) -> int:
    """Where the sentence that began at ``start`` is cut because of a mark, or ``start`` if it is not."""
    asks = text[mark] == "?" or after - mark >= LEADERS
    if asks and _ANSWER.match(text, after):
        return start
    if text[mark] == "?" and text[mark - 1].isspace() and text[after : after + 8].lstrip()[:1].islower():
        return start  # It asks of what follows: "fall ? syncope".
    if text[mark] not in ".…":
        return after
    if _begins_item(text, start, mark):
        return start
    token_at = _token_begin(text, start, mark)
    token = text[token_at:mark].lstrip("(\"'“‘")
    if _is_next_item(text, start, token):
        return token_at
    following = text[after : after + 8].lstrip()[:1]
    if following.islower() and letters(text) == "small" and len(token) >= _SHORTEST:
        return start if token in _TITLES or token in _SHORT_FORMS or token in _SHORTENED else after
    if following.islower() or token.lower() in _TITLES or _is_initial(text, start, token_at, token):
        return start
    if token.lower() in _SHORT_FORMS and not following.isupper():
        return start
    return after


def _token_begin(text: str, start: int, mark: int) -> int:
    low = max(start, mark - _MAX_TOKEN)
    at = mark
    while at > low and not text[at - 1].isspace():
        at -= 1
    return at


def _is_initial(text: str, start: int, token_at: int, token: str) -> bool:
    """Whether the token is a letter of a name ("John F. Smith") rather than a word ("vitamin D.")."""
    if len(token) != 1 or not token.isupper():
        return False
    _, name_end = _trim(text, max(start, token_at - _MAX_TOKEN), token_at)
    name = text[_token_begin(text, start, name_end) : name_end]
    return not name or (name[0].isupper() and name.lower() not in NAMED_BY_LETTER)


def _begins_item(text: str, start: int, mark: int) -> bool:
    """Whether the mark belongs to the number before a list item: "1. Aspirin"."""
    return mark - start <= 6 and _MARKER.fullmatch(text[start:mark].strip()) is not None


def _is_next_item(text: str, start: int, token: str) -> bool:
    """Whether the token numbers the item after the one at ``start``: "1. Pain 2. Fever"."""
    item = re.match(r"\(?(\d{1,2})[.)]", text[start : start + 6].lstrip())
    return item is not None and token.isdecimal() and int(token) == int(item[1]) + 1


def _trim(text: str, begin: int, end: int) -> Span:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return begin, end
