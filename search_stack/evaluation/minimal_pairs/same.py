"""The same thing in other words."""

from __future__ import annotations

import random

from search_stack.evaluation.minimal_pairs.reading import Reading, Said, meant
from search_stack.evaluation.minimal_pairs.wordings import Changed, wordings
from search_stack.language.lexicon.mention import Mention

MOST = 3
"""Changes of one sentence."""
NAMED = frozenset(("finding", "disorder", "symptom", "drug"))
"""Kinds of concepts whose names mean the same. Those of procedures and devices are often narrower: a long arm cast, a
short leg cast."""
TRIED = 3
"""Names of a concept."""
RENAMED = 0.5
"""Share of the sentences in which a concept is called by another name, where it has one and other changes there are."""


class Same:
    """Rewords sentences so that the labels find them to say the same.

    Args:
        apart: whether wordings that nothing is trained with may be used.
    """

    def __init__(self, reading: Reading, apart: bool) -> None:
        self.reading = reading
        self.apart = apart

    def reworded(self, words: str, rng: random.Random) -> Changed | None:
        """``words`` changed in one to `MOST` places; None where nothing can be."""
        said = self.reading.said(words)
        wanted, out = meant(said), Changed(words)
        left = rng.randint(1, MOST)
        renamed = self.renamed(words, said, rng)
        if renamed and rng.random() < RENAMED:
            out, left = renamed[0], left - 1
        ways = wordings("kept")
        for way in rng.sample(ways, len(ways)):
            if not left:
                break
            for one in way.changes(out.text, rng, self.apart):
                if meant(self.reading.said(one.text)) == wanted:
                    out, left = Changed(one.text, out.apart or one.apart), left - 1
                    break
        if out.text == words:
            return renamed[0] if renamed else None
        return out

    def renamed(self, words: str, said: Said, rng: random.Random) -> tuple[Changed, Mention] | None:
        """``words`` with another name of one of its concepts, in which other words are, and where the concept stood."""
        wanted = meant(said)
        for mention, finding in rng.sample(said, len(said)):
            if finding.kind not in NAMED or mention.denial or len(mention.parts) > 1 or _shared(mention, said):
                continue
            concept = self.reading.labeller.lexicon.concepts[finding.concept]
            here = words[mention.begin : mention.end]
            names = [n for n in (concept.name, *concept.synonyms) if new_words(n, here)]
            for name in rng.sample(names, len(names))[:TRIED]:
                changed = put(words, mention, name)
                if meant(self.reading.said(changed)) == wanted:
                    return Changed(changed), mention
        return None


def put(words: str, mention: Mention, name: str) -> str:
    """``words`` with ``name`` in the place of ``mention``."""
    return words[: mention.begin] + (name if mention.begin else name[:1].upper() + name[1:]) + words[mention.end :]


def _shared(mention: Mention, said: Said) -> bool:
    """Whether another mention has some of its words."""
    return any(m is not mention and m.begin < mention.end and mention.begin < m.end for m, _ in said)


def new_words(name: str, than: str) -> bool:
    """Whether ``name`` has a word that begins otherwise than all of the other's.

    >>> new_words("pleural effusions", "Pleural effusion"), new_words("pleural fluid", "Pleural effusion")
    (False, True)
    """
    known = {w[:4] for w in than.casefold().split()}
    return any(w[:4] not in known for w in name.casefold().split())
