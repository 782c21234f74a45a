"""Train what decides on assertions above the rules: the arbiter, and the reader that it asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from aspectra.console import need_torch, say, settings
from aspectra.note_texts import note_texts
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import gold
from search_stack.evaluation.label_examples import LabelExample, examples, of_sentences, unjudged
from search_stack.inference.bundle import MODEL, Manifest, is_bundle, load_bundle
from search_stack.language.arbiter.model import BUCKETS, FILE, STATUS, buckets
from search_stack.language.arbiter.reader import FOLDER, SHIPPED
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.load import load_lexicon

if TYPE_CHECKING:
    from encoders.training.mentions import ReaderConfig

WRITTEN_COUNT = 3.0
"""How often a mention in a written sentence counts where one in a note counts once, chosen in five folds of them."""
_MEASURE = "Measure it: aspectra evaluate gold --data FOLDER --model OUT. To use it, put it into the lexicon's folder."


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
    found = _judged(data, note_texts(data), more, _rules())
    target = out / FILE
    counts = [WRITTEN_COUNT if e.mention.drawn == gold.WRITTEN else 1.0 for e in found]
    learnt = labels.train([buckets(e.features) for e in found], [e.answer for e in found], BUCKETS, counts)
    stated = [e for e in found if e.status_features]
    if len({e.mention.status for e in stated}) > 1:
        status = labels.train([buckets(e.status_features) for e in stated], [e.mention.status for e in stated], BUCKETS)
        learnt |= {f"{STATUS}{name}": array for name, array in status.items()}
    save(learnt, target)
    say(f"{target}: {len(found):,} mentions, {len(stated):,} with a status, {target.stat().st_size / 1e6:.1f} MB.")
    say(_MEASURE)


def train_reader(data: Path, more: Sequence[Path], out: Path, options: Sequence[str], **changes: Any) -> None:
    """Fine-tune a transformer on the mentions that `train_labels` learns from, have a smaller one learn from it on
    others of the same notes, and export that as a bundle to ``out/reader``; a run cut short goes on. Where the base
    is a reader's bundle it is that which learns on: what people judged, and of the rest what it said before.

    Args:
        options: of `encoders.training.mentions.ReaderConfig` as name=value; ``changes`` likewise, None for its own.

    Raises:
        AspectraError: as `train_labels`; there is no such option or base, or ``out`` holds another run.
    """
    need_torch("Training")
    from encoders.export.bundle import Card, export_reader
    from encoders.export.restore import restored_reader
    from encoders.training.mentions import Lesson, ReaderConfig, distil, go_on, mended, shares, train
    from encoders.training.options import read_options

    config = ReaderConfig(**read_options(options, get_type_hints(ReaderConfig), **changes))
    texts, rules = note_texts(data), _rules()
    found = [e for e in _judged(data, texts, more, rules) if not e.denies]
    free = [t for n, t in sorted(texts.items()) if data.is_file() or gold.part_of(n) == "train"]
    drawn = unjudged(free, rules, config.silver, config.seed) if config.silver else []
    say(f"{len(found):,} judged mentions, {len(drawn):,} others.")
    known = [(e.window, e.answer) for e in found] + [(w, "") for w in drawn]
    windows, judged = [w for w, _ in known], [answer for _, answer in known]
    before = load_bundle(config.base, "mention") if is_bundle(config.base) else None
    if before:
        large = restored_reader(before)
        given = mended(shares(large, windows, config), judged, large.answers)
    else:
        large = train([Lesson(e.window, e.answer) for e in found], config, out / "large")
        given = shares(large, windows, config)
    lessons = [Lesson(*one) for one in zip(windows, judged, given, strict=True)]
    small = (go_on if before else distil)(large, lessons, config, out / "small")
    card = Card(SHIPPED, **_card(config, found, drawn, before.manifest if before else None))
    manifest = export_reader(small, out / FOLDER, card)
    say(f"{out / FOLDER}: {manifest.name}, {small.bert.config.num_hidden_layers} layers.")
    say(_MEASURE)


def _rules() -> Labeller:
    return Labeller(load_lexicon(settings().lexicon_folder), None)


def _judged(data: Path, texts: Mapping[str, str], more: Sequence[Path], rules: Labeller) -> list[LabelExample]:
    """What people judged of the notes in ``data``, whose ``texts`` are by id, and of the sentences.

    Raises:
        AspectraError: a file cannot be read, or a note that was judged is not there.
    """
    found = list(of_sentences(*gold.sentences(), rules))
    if not data.is_file():
        found += examples([m for m in gold.load() if gold.part_of(m.note) == "train"], texts, rules)
    own = [m for file in more for m in gold.load(file)]
    if missing := {m.note for m in own} - texts.keys():
        raise AspectraError(
            f"{data}: {len(missing)} of the judged notes are not there.", "Name the file that has them."
        )
    return [*found, *examples(own, texts, rules)]


def _card(
    config: ReaderConfig, found: Sequence[LabelExample], drawn: Sequence[object], before: Manifest | None
) -> dict[str, Any]:
    """What the bundle says of itself: ``before`` is of the reader that learnt on, its training stands behind."""
    told: dict[str, Any] = {
        "script": "aspectra train reader",
        "judged_mentions": len(found),
        "other_mentions": len(drawn),
        "batch": config.batch,
        "seed": config.seed,
        "precision": config.precision,
    }
    if before:
        told |= {"epochs": config.small_epochs, "learning_rate": config.small_learning_rate, "kept": config.kept}
        told |= {"goes_on_from": before.sha256[MODEL][:16], "before": before.training}
        return {"base": before.base, "licence": before.licence, "training": told}
    told |= {"layers": list(config.layers), "epochs": [config.epochs, config.small_epochs]}
    told["learning_rate"] = [config.learning_rate, config.small_learning_rate]
    return {"base": config.base, "training": told}
