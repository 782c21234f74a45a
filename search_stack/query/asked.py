"""The line as typed: brackets, quotes, operators and fields told from plain language.

What words mean is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from search_stack.core.codes import is_known
from search_stack.core.sites import GRADES
from search_stack.language.sites import site_of
from search_stack.query.amount import amount_of
from search_stack.query.fact import fact_of
from search_stack.query.fields import FIELDS, checked_value
from search_stack.query.foreign import as_ours, of_articles, plain_range, unknown_field
from search_stack.query.items import Item, Mark, Notice, Part, Plain, Reading
from search_stack.query.nodes import SAYS, FieldIs, Finding, Leaf, Phrase, Topic, Words
from search_stack.query.number_words import TWO_TO_FIVE
from search_stack.query.protocol import Layout, consent
from search_stack.query.timing import PATTERN, timing_of
from search_stack.query.tree import DEEPEST, MOST, QueryError, WildcardError, all_of
from search_stack.query.wording import wording

LONGEST = 2000
LONGEST_QUOTED = 40
"""Characters of the query line that an error repeats, at most."""
NAMES = {
    "finding": (
        "finding:pneumothorax absent",
        "by name, and what is said of it, or how far it has come (stopped); any for all",
    ),
    "entity": ("entity:asthma", "what the passage is about, and which side of it"),
    "words": ('words:"left lower lobe"', "words that are not to be taken for a finding"),
    "fact": ("fact:icd10:I48", "a structured fact of the patient: a code, or fact:loinc:718-7<8g/dL"),
    **{f.key: (f.example, f.help) for f in FIELDS},
}
"""Everything that may stand before a colon, each with an example and what it is."""
EXAMPLES = {name: example for name, (example, _) in NAMES.items()}
_QUOTES = re.compile("[\u201c\u201d\u201e\u201f\u00ab\u00bb]")
_PAIR = re.compile('"[^"]*"')
_UNFINISHED = re.compile(
    r"""(?<![\w:])"(?:[^"]*\s)?(?:of|for|out|with)"(?=\s+(?!(?:AND|OR|NOT)\b)[^\W\d])|(?<![\w:])"[^"]*"(?=\s*(?:(?:[<>]=?|≤|≥)\s*\d|\[(?:mesh|mh|majr)\b))""",
    re.IGNORECASE,
)
"""In quotes what goes on behind them, "no evidence of" metastasis, or is compared, "a1c" > 9,
or is a heading, "heart failure"[MeSH]: no phrase by itself."""
_DASH = re.compile(r"\s*[-–—*·]\s")
_UNREADABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
"""Control characters, and halves of characters, which a terminal passes on for bytes that are no UTF-8."""
_DASHES = re.compile(r"(?<=\s)[\u2010-\u2012\u2212](?=\w)|^[\u2010-\u2012\u2212](?=\w)|(?<=\w)[\u2010\u2011](?=\w)")
"""Before a word, and the hyphens that word processors put inside one."""
_BLANKS = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_APOSTROPHES = re.compile("(?<=[^\\W\\d_])[\u2018\u2019](?=[^\\W\\d_])")
"""Quotes inside a word; not what is a letter of some languages (U+02BC), which a tree's words may hold."""
_SPACED = re.compile(
    r'"[^"]*"|(?P<before>(?<=\w) +(?=,\s))|(?P<run> {2,})|(?P<comma>(?<![\w:])[^\W\d_]{2,}(?:,[^\W\d_]{2,})+(?!\w))'
)
_NEGATIVE = (
    r"(?:(?<=[<>=≤≥]\s)|(?<=(?:below|above|under)\s)|(?<=(?:than|most|over)\s)|(?<=least\s)|(?<=score\s)"
    r"|(?<=(?i:rass)\s)|(?<=(?i:excess)\s)|(?<=(?i:deficit)\s))-\d+(?!\w)"
)
"""Behind what compares or counts, a number below zero: "T-score below -2.5"."""
_PLAIN_AND = r"(?!(?<=prevention\s)&\s+control\b|(?<=signs\s)&\s+symptoms\b)"
"""Where "&" belongs to a name of an aspect."""
_TOKEN = re.compile(
    rf"""(?P<timing>(?:(?<=[\s()"])|^)(?:{PATTERN})(?=[\s()"]|$))
      | (?P<bullet>(?:(?<=\s)|^)(?:[•◦▪‣●○■·*✔✓✘✗➢►]|[-–—](?=\s))\s+)
      | (?P<split>\n|;)
      | (?P<tag>(?<=[\w"*$)])\s?\[(?!exclu|not\s|no\s|without|but\s)[A-Za-z/: -]{{2,30}}\])
      | (?P<ages>(?<=[a-z]\s)\((?:aged?\s+)?\d{{1,3}}\s?(?:-|–|to)\s?\d{{1,3}}(?:\s?(?:y(?:ea)?rs?|yo|y))?(?:\sold)?\))
      | (?P<attached>(?<=\w)\(\w{{1,3}}\)|(?<=[\w\s])\([+-]\))
      | (?P<open>\()
      | (?P<close>\))
      | (?P<minus>(?:(?<=[\s(])|^)(?!{_NEGATIVE})[-!+](?=[\w("'])(?!ve\b))
      | (?P<field>(?:(?<=[\s(\-!+])|^)(?P<key>[A-Za-z_]+[0-9]{{0,2}}):
          (?P<value>"[^"]*"|\[\S+\ TO\ [^\s\]]+\]|(?<=(?i:age):)\d{{1,3}}\ (?:to|-)\ \d{{1,3}}(?!\w)|[^\s()"]+))
      | (?P<quoted>"[^"]*")
      | (?P<operator>(?:(?<=[\s()"])|^){_PLAIN_AND}(?:AND|OR|NOT|&&?|\|\|?)(?=[\s()"]|$))
      | (?P<word>[^\s()";\[]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_SECTION = re.compile(r"(?:^|[\n;(])\s*(?:the\s+)?(?P<heading>[^\W\d_][\w &/-]*?)\s+section:$", re.IGNORECASE)
_WHO = re.compile(
    r"\b(?:adults?|patients?|pts|subjects?|participants?|children|women|men|people|aged?|individuals)\s*$",
    re.IGNORECASE,
)
"""Whose ages may stand in brackets behind: "adults (18-65)"."""
_BRACKET = re.compile(r"\(")
HOW_MUCH = re.compile(
    r"\((?P<told>\s*(?:[<>]=?|=[<>]|[≤≥]|(?:at\s+least|at\s+most|over|under|above|below|(?:more|less|fewer|greater)\s+than)\s)\s*"
    rf"\d[\d.,]*(?:\s?%|\s?[^\W\d]\S*)?(?:\s+(?:in|within)\s+[\w\s-]{{1,20}})?|\s*(?:[2-9]|{TWO_TO_FIVE})\s+or\s+more(?:\s+in\s+[\w\s-]{{1,20}})?)\s*\)",
    re.IGNORECASE,
)
"""Nothing but a number that is compared, of what stands beside the bracket: "UTIs (3 or more)", "EF (< 40%)"."""
SEXES = r"(?:wom[ae]n|m[ae]n|(?:fe)?males?|girls?|boys?)"
_HOW_SEVERE = re.compile(
    rf"\(\s*(?:{'|'.join(GRADES)})(?:\s*(?:-|–|/|to|or|and)\s*(?:{'|'.join(GRADES)}))?\s*\)", re.IGNORECASE
)
"""Nothing but how severe what stands before the bracket must be: "aortic stenosis (severe)"."""
_OF_WHOM = re.compile(rf"\(\s*(?:(?:in|for|if)\s+)?{SEXES}\s*\)", re.IGNORECASE)
"""Whose bound stands before the bracket: "QTc > 450 ms (men)"."""
_SAYS = re.compile(rf"\s+(?P<says>{'|'.join(SAYS)})\b", re.IGNORECASE)
_COMPARED = re.compile(
    r"""\s*(?:<=|>=|<|>|=|≤|≥)\s*-?\d+(?:\.\d+)?"""
    r"""(?:[^\s\d.,;()"<>=](?:[^\s,;()"<>=]*[^\s.,;()"<>=])?)?(?=[\s),;]|\.(?:\s|$)|$)"""
)
"""Behind a fact: what its value is compared with, a unit at once behind the number."""
_WILDCARD = re.compile(r"\w\*|\*\w|\w\.\*|\w\?\w|\w~\d?(?=\s|$)|[^\W\d]\$(?=[\s),;]|$)")
CUT_SHORT = re.compile(r"(?<![\w*?$.~'’-])(?P<stem>[^\W\d_]{4,})[*$](?![\w*?$~'’-])")
"""The one wildcard that may be read: a word of some letters, cut short, "epilep*"."""
_UNSAID = re.compile(rf"""\"[^\"]*\" | (?<!\w)(?:AND|OR|NOT|{PATTERN})(?!\w)""", re.VERBOSE)
"""Of a line that may be shouted, what says nothing of it: quotes, and operators themselves."""


@cache
def _typed() -> re.Pattern[str]:
    """A type of note in words, no field: "operation note: hemiarthroplasty". Made when a line is read: the table of
    wordings takes a fifth of a second, and many commands read none."""
    return re.compile(rf"(?<!\w)(?:{wording().named_types.pattern}):$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the line that stands by itself: a bullet, a sentence. ``excluded``: under "Exclusion criteria:"."""

    items: tuple[Item, ...]
    excluded: bool
    either: int = 0
    """Segments with the same number are alternatives: bullets under "any of the following"; 0 for none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A line as typed. Offsets of the items count in ``line``, which is what was typed with single blanks."""

    line: str
    segments: tuple[Segment, ...]
    reading: Reading


def cleaned(line: str) -> str:
    """Control characters, kinds of quotes, blanks and hyphens made plain; every character stays where it is."""
    plain = _BLANKS.sub(" ", _UNREADABLE.sub(" ", _QUOTES.sub('"', line)))
    return _DASHES.sub("-", _APOSTROPHES.sub("'", plain))


def _single_spaced(line: str) -> str:
    """With one blank where there are several, none before a comma and one behind it, but for what stands in quotes:
    names and ways of asking are known so."""

    def spaced(found: re.Match[str]) -> str:
        if found["comma"]:
            return found[0].replace(",", ", ")
        return "" if found["before"] else " " if found["run"] else found[0]

    return _SPACED.sub(spaced, line)


def short(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTED else text[: LONGEST_QUOTED - 1] + "…"


def no_wildcards(word: str, sign: str) -> WildcardError:
    """What is told of a ``word`` whose ``sign`` stands for letters, and of which no name can be made."""
    way = "Write the word out: names count in every inflection, and with one slip."
    return WildcardError(short(word.strip(",.;:")), sign, way)


def asked(line: str) -> Asked:
    """Tell the parts of a line.

    Raises:
        QueryError: it is empty or too long, a quote or bracket is not closed, a field is unknown or has no value,
            there is a wildcard.
    """
    if len(line) > LONGEST:
        raise QueryError(f"The query has {len(line):,} characters; at most {LONGEST:,} are read.", "Shorten it.")
    line = cleaned(line)
    if not line.strip():
        raise QueryError("The query is empty.", "Type a finding, as in: pleural effusion.")
    if line.count('"') % 2:
        raise QueryError('A quote (") is not closed.', 'Close it, as in "chest pain", or leave it out.')
    line = _PAIR.sub(lambda m: m[0].replace('"', " ") if _UNFINISHED.match(line, m.start()) else m[0], line)
    line = _single_spaced(line)
    aside = [*consent(line), *of_articles(line)]
    read = line
    for begin, end in aside:
        read = read[:begin] + " " * (end - begin) + read[end:]
    lexer = _Lexer(read)
    lexer.reading.aside += aside
    return replace(lexer.run(), line=line)


def instead(line: str, key: str, value: str, meant: str) -> str:
    """The line with ``meant`` in the place of ``value``, which it asks once of the field ``key``; else empty.

    >>> instead("cough section:impresion", "section", "impresion", "impression")
    'cough section:"impression"'
    >>> instead("impresion", "section", "impresion", "impression")
    ''
    """
    asked_so = re.compile(
        rf'(?<!\w){re.escape(key)}:(?:"\s*{re.escape(value)}\s*"|{re.escape(value)}(?!\w))', re.IGNORECASE
    )
    changed, times = asked_so.subn(lambda _: f'{key}:"{meant}"', line)
    return changed if times == 1 else ""


class _Lexer:
    def __init__(self, line: str) -> None:
        self.line = line
        self.reading = Reading()
        self.segments: list[Segment] = []
        self.items: list[Item] = []
        self.plain: int | None = None
        """Where the stretch in plain language began that is being read."""
        self.depth = 0
        self.excluded = False
        self.in_either = False
        self.in_numbers = False
        """Whether the alternatives are numbered, so that what bears no number is none of them."""
        bare = _UNSAID.sub(" ", line)
        self.shouted = bare.upper() == bare and bare.lower() != bare
        """Without any small letter AND and OR are no more operators than other words."""
        self.layout = Layout.of(line)
        lists = (0, *(end for end, _ in self.layout.headings.values()))
        self.dashed = any(_DASH.match(line, at) for at in lists)
        """Whether dashes are bullets within a line too: the line, or what follows a heading, begins with one."""
        self.either = 0
        """Which list of alternatives is being read; 0 for none."""

    def run(self) -> Asked:
        at = 0
        while at < len(self.line):
            if not self.depth and (end := self.layout.opener(at)):
                self.end_segment(at)
                self.begin_part(at)
                self.reading.aside.append((at, end))
                at = end
                continue
            if at in self.layout.stops:
                self.end_segment(at)
                at += 1
                continue
            # Any one character matches.
            at = self.token(cast(re.Match[str], _TOKEN.match(self.line, at)))
        if self.depth:
            raise QueryError("A bracket is not closed.", "Close it, as in (fever or chills) cough, or leave it out.")
        self.end_segment(len(self.line))
        if sum(len(s.items) for s in self.segments) > MOST:
            raise QueryError(f"The query has more than {MOST} parts.", "Shorten it.")
        return Asked(self.line, tuple(self.segments), self.reading)

    def begin_part(self, at: int) -> None:
        """What stands at ``at`` says how the segments after it are meant."""
        if at in self.layout.eithers:
            self.either += 1
            self.in_either = True
            self.in_numbers = self.layout.eithers[at] in self.layout.numbers
        elif at in self.layout.headings:
            _, self.excluded = self.layout.headings[at]
            self.in_either = False

    def token(self, token: re.Match[str]) -> int:
        kind = str(token.lastgroup if token.lastgroup not in ("key", "value") else "field")
        begin, end = token.span()
        if kind == "word" and token[0].isspace():
            return end
        if kind == "word":
            return self.word(token)
        if self.shouted and (kind == "timing" or (kind == "operator" and token[0] in ("AND", "OR", "NOT"))):
            return self.plainly(begin, end)
        if kind == "operator" and token[0] == "OR" and self.plain is not None and self.plain_follows(end):
            return end  # Inside a stretch it is read there: "no fever OR cough" is neither.
        if kind == "open" and self.plain is not None:
            for pattern in (wording().remark, HOW_MUCH, _HOW_SEVERE, _OF_WHOM):
                if remark := pattern.match(self.line, begin):
                    return self.plainly(begin, remark.end())
        if kind in ("bullet", "split") and self.depth:
            return self.mark(",", begin, end)
        if kind == "attached" or (kind == "ages" and _WHO.search(self.line, 0, begin)):
            return self.plainly(begin, end)
        if kind == "ages":
            self._open(cast(re.Match[str], _BRACKET.match(self.line, begin)))
            return begin + 1
        getattr(self, f"_{kind}")(token)
        if kind == "field":
            return self.after_field
        return end

    def word(self, token: re.Match[str]) -> int:
        begin, end = token.span()
        # A field, heading or sentence end inside what the pattern took for one word.
        for cut in range(begin + 1, end):
            if self.layout.breaks(cut):
                end = cut
                break
        text = self.line[begin:end]
        if wild := _WILDCARD.search(CUT_SHORT.sub(lambda m: m["stem"], text)):
            raise no_wildcards(text, wild[0])
        opens = text.endswith(":") and text[:-1].lower() in EXAMPLES and self.line[end : end + 1] in ("", " ")
        if opens and not _typed().search(self.line, 0, end) and not _names_section(self.line, end):
            name = text[:-1].lower()
            raise QueryError(f"{name}: names nothing.", f"Write it as {EXAMPLES[name]}, without a space.")
        return self.plainly(begin, end)

    def plainly(self, begin: int, end: int) -> int:
        if self.plain is None:
            self.plain = begin
        return end

    def plain_follows(self, at: int) -> bool:
        token = _TOKEN.match(self.line, len(self.line) - len(self.line[at:].lstrip()))
        return token is not None and token.lastgroup == "word"

    def end_plain(self, at: int) -> None:
        if self.plain is not None:
            stretch = self.line[self.plain : at]
            self.items.append(Plain(self.plain, self.plain + len(stretch.rstrip())))
            self.plain = None

    def open_operator(self) -> Mark | None:
        """An operator that nothing has followed yet."""
        last = self.items[-1] if self.items and self.plain is None else None
        return last if isinstance(last, Mark) and last.typed and last.sign in ("and", "or") else None

    def goes_on(self, at: int) -> bool:
        """Whether an OR at the end of a line, which ends before ``at``, joins it to the next."""
        mark = self.open_operator()
        if self.plain is not None:
            return self.line[self.plain : at].rstrip().endswith(" OR")
        return mark is not None and mark.sign == "or"

    def end_segment(self, at: int) -> None:
        self.end_plain(at)
        mark = self.open_operator()
        if mark and mark.sign == "and" and not self.depth and at < len(self.line):
            self.items.pop()  # An AND at the end of a line: parts of their own are all meant.
            self.reading.aside.append((mark.begin, mark.end))
        if self.items and not self.depth:
            self.segments.append(Segment(tuple(self.items), self.excluded, self.either if self.in_either else 0))
            self.items = []

    def mark(self, sign: str, begin: int, end: int, typed: bool = False) -> int:
        self.end_plain(begin)
        self.items.append(Mark(sign, begin, end, typed))  # type: ignore[arg-type]  # one of the signs
        return end

    def _bullet(self, token: re.Match[str]) -> None:
        dash = token[0].strip() in "-–—*·"
        starts = not self.line[: token.start()].strip() or self.line[: token.start()].rstrip(" ").endswith("\n")
        if dash and not starts and not self.dashed:
            self.plainly(token.start(), token.end())
        elif not self.goes_on(token.start()):
            self.end_segment(token.start())

    def _split(self, token: re.Match[str]) -> None:
        if self.goes_on(token.start()):
            return
        self.end_segment(token.start())
        behind = self.line[token.end() :].lstrip()
        if self.in_numbers and token[0] == ";" and not self.layout.opener(len(self.line) - len(behind)):
            self.in_either = False

    def _tag(self, token: re.Match[str]) -> None:
        self.end_plain(token.start())
        self.reading.aside.append((token.start() + len(token[0]) - len(token[0].lstrip()), token.end()))

    def _open(self, token: re.Match[str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise QueryError(f"More than {DEEPEST} brackets inside each other.", "Write it flatter.")
        self.mark("(", *token.span())

    def _close(self, token: re.Match[str]) -> None:
        if not self.depth:
            raise QueryError("A bracket is closed that was not opened.", "Open it, as in (fever or chills) cough.")
        self.depth -= 1
        self.mark(")", *token.span())

    def _minus(self, token: re.Match[str]) -> None:
        self.mark("and" if token[0] == "+" else "not", *token.span(), typed=token[0] != "+")

    def _operator(self, token: re.Match[str]) -> None:
        sign = {"&": "and", "|": "or"}.get(token[0][0], token[0].lower())
        self.mark(sign, *token.span(), typed=True)

    def _timing(self, token: re.Match[str]) -> None:
        self.end_plain(token.start())
        self.items.append(timing_of(token[0], *token.span()))

    def _quoted(self, token: re.Match[str]) -> None:
        text = " ".join(token[0][1:-1].split())
        if not any(c.isalnum() for c in text):
            raise QueryError("The quotes hold no word.", 'Put words into them, as in "chest pain".')
        self.end_plain(token.start())
        self.items.append(Part(Phrase(text), *token.span()))

    def _field(self, token: re.Match[str]) -> None:
        self.after_field = token.end()
        key, value = token["key"].lower(), token["value"].strip('"').strip()
        if key not in EXAMPLES and is_known(key) and any(c.isdigit() for c in value):
            key, value = "fact", f"{key}:{value}"
        quoted = token["value"].startswith('"')
        if key not in EXAMPLES:
            self.foreign(token, key, value if quoted else value.rstrip(",.;"))
            return
        if key == "note" and wording().named_types.fullmatch(f"{value} notes"):
            self.other_words(token, [("type", value)])  # an id is no kind of note: "note:radiology"
            return
        value = plain_range(value) if key == "age" else value
        trailing = "" if quoted else value[len(value.rstrip(",.;")) :]
        value = value.rstrip(",.;") if trailing else value
        longer = "" if quoted or trailing else self.longer(key, token.start("value"))
        value = longer or value
        if not any(c.isalnum() for c in value):
            raise QueryError(f"{key}: names nothing.", f"Write it as {EXAMPLES[key]}.")
        self.end_plain(token.start())
        end = token.start("value") + len(longer) if longer else token.end() - len(trailing)
        node: Leaf
        if key == "finding":
            says = _SAYS.match(self.line, end)
            node = _finding(value, says["says"].lower() if says else "present")
            end = says.end() if says else end
        elif key == "fact" and (compared := _COMPARED.match(self.line, end)):
            node, end = _leaf(key, value + compared[0]), compared.end()
        else:
            node = _leaf(key, value)
        self.items.append(Part(node, token.start(), end))
        self.after_field = end

    def longer(self, key: str, begin: int) -> str:
        """The value of several words that begins at ``begin`` unquoted, where the table of ``key`` knows it whole."""
        found = _NAMED[key]().match(self.line, begin) if key in _NAMED else None
        return found[0] if found and " " in found[0] else ""

    def foreign(self, token: re.Match[str], key: str, value: str) -> None:
        """A colon behind what is no field: one of ours by another name, known from elsewhere, a slip, or a colon
        between two words."""
        if fields := as_ours(key, value):
            self.other_words(token, fields)
            return
        if problem := unknown_field(key, short(key), EXAMPLES):
            raise problem
        self.reading.notices.append(
            Notice("field", f'"{short(key)}:" is no field here: read as words.', self.line[slice(*token.span())])
        )
        self.plainly(*token.span())

    def other_words(self, token: re.Match[str], fields: Sequence[tuple[str, str]]) -> None:
        """What was asked by another name of ``fields``, which is told."""
        self.end_plain(token.start())
        self.items.append(Part(all_of(_leaf(key, value) for key, value in fields), *token.span()))
        typed = self.line[slice(*token.span())]
        meant = " ".join(f'{key}:"{value}"' if " " in value else f"{key}:{value}" for key, value in fields)
        self.reading.notices.append(Notice("field", f'"{short(typed)}" was read as {meant}.', typed))


def _finding(value: str, assertion: str) -> Finding:
    """``value``: a name, and behind "; not" those that do not count with it, or behind semicolons an amount, how severe
    it must be, and behind "at" a place of the body."""
    name, *rest = (p.strip() for p in value.split(";"))
    less = [p for p in rest if p[:4].lower() == "not " and p[4:].strip()]
    places = [p for p in rest if p.lower() in GRADES or p[:3].lower() == "at "]
    site = site_of(" ".join(re.sub(r"^at\s", "", p, flags=re.IGNORECASE) for p in places))
    others = [p for p in rest if p not in (*less, *places)]
    try:
        amount = amount_of(others[0]) if len(others) == 1 and not less else None
    except ValueError:
        amount = None
    if not name or (others and not amount) or (places and (less or not site)):
        raise QueryError(
            f"finding:{short(value)} is not understood.",
            'Write it as finding:"edema; not anasarca", finding:"creatinine; > 3", or finding:"edema; severe; at leg".',
        )
    return Finding(name, assertion, tuple(sorted({p[4:].strip() for p in less})), amount, site or "")


def _names_section(line: str, end: int) -> bool:
    """Whether a heading that is called a section ends there: "impression section:"."""
    found = _SECTION.search(line, 0, end)
    return found is not None and wording().sections.knows(" ".join(found["heading"].split()))


_NAMED = {"type": lambda: wording().named_types, "section": lambda: wording().headings}
"""By field, the values that are known to have several words."""


def _leaf(key: str, value: str) -> Leaf:
    if key == "entity":
        entity, _, aspect = (p.strip() for p in value.partition(";"))
        return Topic(entity, aspect)
    if key == "finding":
        return _finding(value, "present")
    if key == "words":
        return Words(" ".join(value.split()))
    try:
        return fact_of(value) if key == "fact" else FieldIs(key, checked_value(key, value))
    except ValueError as e:
        remedy = f"Write it as {EXAMPLES[key]}."
        raise QueryError(f"{key}:{e}", remedy) from None
