"""What somebody was offered and turned down, was prescribed and does not take, or is to begin with."""

from __future__ import annotations

import re

from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_MAY_BE_OFFERED = ("procedure", "drug", "device")
_THEN = r"\s*,?\s+(?:(?:and|but|who|then|later|they|he|she|has|have|had|was|were|is|are)\s+)*"
_SAID_NO = (
    r"(?:declined|refused|rejected|said\s+no(?:\s+to)?|turned\s+(?:it|this|that)\s+down|did(?:\s+not|n['’]?t)\s+(?:want|accept|take)"
    r"|never\s+(?:received|had|took|got|started|accepted)|not\s+(?:keen|interested|given|received))"
)
_OBJECT = r"(?:\s+(?:it|this|that|them|one|any))?(?:\s+(?:yet|so\s+far|at\s+all))?"
_ENDS = r"(?=\s*(?:$|[,;.?)]|(?:due|because|for|in|after|even)\s))"
_OFFERED = re.compile(
    rf"(?<!\w)(?:(?:was|were|been|being|is|are)\s+)*(?:offered|recommended|advised(?:\s+to\s+have)?|proposed|considered(?:\s+for)?)\s+"
    rf"(?:an?\s+|the\s+|any\s+)?(?P<what>[^,;.()]{{2,60}}?){_THEN}{_SAID_NO}{_OBJECT}{_ENDS}",
    re.IGNORECASE,
)
"""Before what it was: "offered a statin and said no"."""
_OFFERED_BEHIND = re.compile(
    rf"\s+(?:(?:was|were|is|are)\s+)?(?:offered|recommended|advised|proposed|considered){_THEN}{_SAID_NO}{_OBJECT}{_ENDS}",
    re.IGNORECASE,
)
"""Behind it: "bevacizumab considered but not given"."""
_NOT_TAKEN = re.compile(
    rf"\s+(?:(?:was|were|is|are)\s+)?(?:prescribed|dispensed|started\s+by\s+\w+){_THEN}"
    r"(?:(?:never|not)(?:\s+(?:being|actually|really))?\s+(?:taken|taking|took|collected|filled|used|using)"
    rf"|(?:does|do|did)(?:\s+not|n['’]?t)\s+(?:take|collect|fill|use)|isn['’]?t\s+taking|aren['’]?t\s+taking){_OBJECT}{_ENDS}",
    re.IGNORECASE,
)
"""Behind a drug: "statin prescribed but never taken"."""
_TO_BEGIN = re.compile(
    r"(?:(?<!\w)(?:wants?|wanting|keen|hop(?:es|ing)|due|about|going|ready|waiting|agree[sd]?|would\s+like|wish(?:es|ing)?)\s+|^\s*)"
    r"to\s+(?:start|begin|commence|go\s+on(?:to)?|be\s+started\s+on|be\s+put\s+on)\s+(?:on\s+)?(?:an?\s+|the\s+|their\s+|his\s+|her\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before what somebody is to begin with: "wants to start semaglutide"."""


def turned_down(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Offered a statin and said no", "statin prescribed but never taken" as refused: notes say so of who has none."""
    for found in reversed(list(_OFFERED.finditer(shadow.text))):
        what = found["what"]
        named = [m for m in s.known.beginning(what, 0, *_MAY_BE_OFFERED) if m.end == len(what)]
        if named:
            shadow = shadow.rewritten(*found.span(), f"refused {what}")
    for pattern in (_OFFERED_BEHIND, _NOT_TAKEN):
        for found in reversed(list(pattern.finditer(shadow.text))):
            named = s.known.ending(shadow.text, found.start(), *_MAY_BE_OFFERED)
            if first := min(named, key=lambda m: m.begin, default=None):
                name = shadow.text[first.begin : first.end]
                shadow = shadow.rewritten(first.begin, found.end(), f"refused {name}")
    return shadow


def intended(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Wants to start semaglutide", "to start methotrexate" as planned."""
    for found in reversed(list(_TO_BEGIN.finditer(shadow.text))):
        if s.known.beginning(shadow.text, found.end(), "drug", "procedure"):
            shadow = shadow.rewritten(*found.span(), "planned ")
    return shadow
