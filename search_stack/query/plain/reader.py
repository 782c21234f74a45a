"""The steps by which a stretch becomes criteria and signs."""

from __future__ import annotations

from datetime import date

from search_stack.language.labeller import Labeller
from search_stack.query.items import Item, Reading
from search_stack.query.plain.afterthought import afterthoughts
from search_stack.query.plain.alternatives import grades
from search_stack.query.plain.bare import bare
from search_stack.query.plain.bounds import bounds
from search_stack.query.plain.bracketed import kinds_before, kinds_of
from search_stack.query.plain.comparing import amounts, compared
from search_stack.query.plain.contrasting import contrasted
from search_stack.query.plain.correcting import correct
from search_stack.query.plain.examples import given_in_brackets
from search_stack.query.plain.findings import findings
from search_stack.query.plain.in_brackets import denied_in_brackets, excepted_in_brackets
from search_stack.query.plain.in_time import in_time
from search_stack.query.plain.in_words import fields, people
from search_stack.query.plain.kin import histories_behind, whose
from search_stack.query.plain.known import Known
from search_stack.query.plain.lasting import lasting
from search_stack.query.plain.rewriting import write_out
from search_stack.query.plain.scoping import part_scopes
from search_stack.query.plain.sharing import share
from search_stack.query.plain.stretch import Stretch
from search_stack.query.plain.topics import aspects
from search_stack.query.plain.trouble import trouble
from search_stack.query.plain.truncated import truncated
from search_stack.query.plain.walking import items

_STEPS = (
    truncated,
    write_out,
    afterthoughts,
    histories_behind,
    share,
    bounds,
    amounts,
    bare,
    in_time,
    fields,
    people,
    grades,
    lasting,
    compared,
    correct,
    trouble,
    aspects,
    part_scopes,
)


class PlainReader:
    """Reads stretches by one lexicon."""

    def __init__(self, labeller: Labeller, today: date) -> None:
        self.known = Known(labeller, today)

    def has_kinds_of(self, line: str, begin: int, end: int) -> bool:
        """Whether ``line[begin:end]`` begins with a bracket that holds kinds of the name behind it."""
        return any(not found.begin for found in kinds_before(self.known, line[begin:end]))

    def has_kinds(self, line: str, begin: int, end: int) -> bool:
        """Whether ``line[begin:end]`` ends in a bracket that holds kinds of the name before it, examples, what
        the words before it mean, or what is denied."""
        text = line[begin:end]
        others = (denied_in_brackets(self.known, text), excepted_in_brackets(text))
        ends = {found.end for found in kinds_of(self.known, text)}
        ends |= {found.end for found in given_in_brackets(self.known, text)}
        ends |= {found.end() for found in others if found}
        return len(text) in ends

    def read(self, line: str, begin: int, end: int, reading: Reading) -> list[Item]:
        """The items of ``line[begin:end]``; what is left aside and noticed goes to ``reading``."""
        stretch = Stretch.of(self.known, line, begin, end, reading)
        for step in _STEPS:
            step(stretch)
        read = items(stretch, findings(stretch))
        whose(stretch, read)
        return contrasted(read, line)
