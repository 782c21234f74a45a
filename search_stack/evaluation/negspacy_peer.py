"""negspacy beside our rules, where it is installed (extra ``bench``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from search_stack.evaluation.datasets.marked_sentences import MarkedSentence


def peers() -> dict[str, Callable[[Sequence[MarkedSentence]], Iterator[bool]]]:
    """negspacy by its name; nothing where it is not installed."""
    return {"negspacy": negspacy} if find_spec("negspacy") else {}


def negspacy(sentences: Sequence[MarkedSentence]) -> Iterator[bool]:
    """Its own clinical term set over a blank English pipeline, the concept given as an entity."""
    import spacy
    from negspacy.negation import Negex  # noqa: F401 (registers the pipe)
    from negspacy.termsets import termset

    terms: Any = termset
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    pipe = nlp.add_pipe("negex", config={"neg_termset": terms("en_clinical").get_patterns(), "ent_types": []})
    for marked in sentences:
        doc = nlp.make_doc(marked.sentence)
        span = doc.char_span(marked.begin, marked.end, label="CONCEPT", alignment_mode="expand")
        if span is None or marked.begin == marked.end:
            yield False
            continue
        doc.ents = [span]
        nlp.get_pipe("sentencizer")(doc)
        yield bool(pipe(doc).ents[0]._.negex)
