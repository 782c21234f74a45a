"""Train the arbiter of assertions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aspectra.console import say, settings
from aspectra.note_texts import note_texts
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import gold
from search_stack.evaluation.label_examples import LabelExample, examples, of_sentences
from search_stack.language.arbiter.model import BUCKETS, FILE, NONE, buckets
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.load import load_lexicon


def train_labels(data: Path, more: Sequence[Path], out: Path) -> None:
    """Fit the arbiter to the train part of the judged mentions, to the written sentences, and to a site's own mentions.

    Args:
        data: folder of the shared data, or a site's notes as JSON lines of id and text.
        more: a site's judged mentions, in the form of `search_stack/evaluation/gold/mentions.tsv`; all are learnt from.
        out: folder that ``labels.npz`` is written to.

    Raises:
        AspectraError: a file cannot be read, or a note that was judged is not there.
    """
    try:
        from encoders.training import labels
        from encoders.training.arrays import save
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs scikit-learn.", "Install it: pip install 'aspectra[train]'") from e
    rules = Labeller(load_lexicon(settings().lexicon_folder), None)
    found = list(of_sentences(*gold.sentences(), rules))
    texts = note_texts(data)
    if not data.is_file():
        found += examples([m for m in gold.load() if gold.part_of(m.note) == "train"], texts, rules)
    own = [m for file in more for m in gold.load(file)]
    if missing := {m.note for m in own} - texts.keys():
        raise AspectraError(
            f"{data}: {len(missing)} of the judged notes are not there.", "Name the file that has them."
        )
    found += examples(own, texts, rules)
    target = out / FILE
    save(labels.train([buckets(e.features) for e in found], [answer(e) for e in found], BUCKETS), target)
    say(f"{target}: {len(found):,} mentions, {target.stat().st_size / 1e6:.1f} MB.")
    say("Measure it: aspectra evaluate gold --data FOLDER --model OUT. To use it, put it into the lexicon's folder.")


def answer(example: LabelExample) -> str:
    """What the arbiter shall say: of a normal statement that it is absent."""
    return "absent" if example.is_normal and example.mention.answer == NONE else example.mention.answer
