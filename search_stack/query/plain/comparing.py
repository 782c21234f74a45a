"""Numbers that are compared, which a count does not do: told, with what the line asks for without them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from search_stack.query.amount import Amount, asked_amount
from search_stack.query.items import Notice
from search_stack.query.plain.in_words import is_test
from search_stack.query.plain.stretch import Stretch

_OR_MORE = re.compile(
    r"(?<=[\w%])(?<!\bno)(?:\s*\+(?!\w)|\s+or\s+(?:higher|above|more|greater|over|less|lower|below|under|worse|better|later|beyond)"
    r"(?:\s+than)?(?!\s+(?:\w+\s+)?(?:\d|notes?|times?|visits?)))(?!\w)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:\d[\d.,]*\s*%?|\b[ivx]{1,4})$", re.IGNORECASE)
_COMPARED = re.compile(
    r"(?:(?<!\w)(?P<than>over|above|below|under|(?:more|less|greater|lower|higher)\s+than|at\s+least|at\s+most)\s+|[<>≤≥]=?\s*)"
    r"\d(?:[\d.,/]*\d)?(?:\s*%)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_RANGE = re.compile(r"(?<![\w.-])\d[\d.]*\s*%?\s*(?:-|–|to)\s*\d[\d.]*\s*%?(?![\w/-])", re.IGNORECASE)
_UNIT = re.compile(
    r"\s*(?:%|(?:m|mc|u|µ|n|p)?g/(?:d|m)?l|(?:m|u|µ|n)?mol/l|mm\s?hg|i?u/m?l|m?eq/l|k/u?l|x\s?10\S*|mg|mcg|ml|mm|cm|kg|l|h(?:rs?|ours?)?"
    r"|days?|weeks?|months?|years?|yrs?)(?!\w)",
    re.IGNORECASE,
)


def compared(s: Stretch) -> None:
    """Each comparison told; words that only compare left aside."""
    if not any(c.isdigit() for c in s.shadow.text):
        return
    names = {m.end: m.concept for m in s.mentions()}
    amount = asked_amount(s.line, s.known.lexicon)
    for found in list(_OR_MORE.finditer(s.shadow.text)):
        if number := _NUMBERED.search(s.shadow.text[: found.start()]):
            _tell(s, number.start(), found.end(), names, amount)
            s.reading.aside.append(s.shadow.span(*found.span()))
            s.shadow = s.shadow.blank(*found.span())
    for found in list(_COMPARED.finditer(s.shadow.text)):
        _tell(s, *found.span(), names, amount)
        if found["than"]:  # No note has to say "over" beside the number.
            s.reading.aside.append(s.shadow.span(*found.span("than")))
            s.shadow = s.shadow.blank(*found.span("than"))
    for found in _RANGE.finditer(s.shadow.text):
        if (named := _ending(s, found.start(), names)) and is_test(s, named):
            _tell(s, *found.span(), names, amount)


def _tell(s: Stretch, begin: int, end: int, names: Mapping[int, str], amount: Amount | None) -> None:
    """What a number that is compared does: a count asks for it as it is written, and some are put in order by it."""
    place = s.shadow.span(begin, end)
    typed = " ".join(s.line[slice(*place)].split())
    numbers = {float(n.replace(",", "")) for n in _NUMBER.findall(typed)}
    ordered = amount is not None and amount.number in numbers
    message = (
        f'"{typed}" compares nothing{" in the count" if ordered else ""}: a number is looked for as it is written.'
    )
    if ordered:
        message += " Passages whose numbers say so stand first."
    message += " Facts compare: fact:loinc:718-7<8."
    line = ""
    if named := _ending(s, begin, names):
        unit = _UNIT.match(s.line, place[1])
        line = f"{s.line[: place[0]].rstrip()}{s.line[unit.end() if unit else place[1] :]}"
        message += f" Without it, all that tells of {s.known.name_of(named)} counts."
    s.reading.notices.append(Notice("field", message, typed, line))


def _ending(s: Stretch, begin: int, names: Mapping[int, str]) -> str:
    """The concept whose name ends right before; empty where none does."""
    return names.get(len(s.shadow.text[:begin].rstrip()), "")
