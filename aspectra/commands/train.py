"""Train a model, export it as a bundle."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import wrap
from typing import cast

import click

from aspectra.bases import restored
from aspectra.console import command, need_torch, say, settings
from aspectra.qa_models import train_qa, train_qa_head
from aspectra.train_labels import train_labels, train_reader
from aspectra.train_own import train_own
from aspectra.train_sts import train_sts
from encoders.models import NAMES
from search_stack.core.context import read_parts
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import headed_sections
from search_stack.inference.bundle import Kind
from search_stack.language.sections.text_model import FEATURES, counts, weighted

KINDS = (*NAMES, "own", "aspects", "labels", "reader", "qa", "qa-head", "sts")
# Wrapped here: click would break names at their hyphens.
_LISTED = "\n".join(wrap(f"ARCH is one of {', '.join(KINDS)}.", 76, break_on_hyphens=False))


@click.command(epilog=f"\b\n{_LISTED}")
@click.argument("arch", type=click.Choice(KINDS), metavar="ARCH")
@click.option(
    "--data",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file in the entity/aspect format or of health topics as JSON lines; several are read as one. own: none. "
    "aspects: sections with their headers, as CSV. labels, reader: the folder of the shared data, or the site's notes "
    "as JSON lines of id and text. qa, qa-head: questions with judged answers, as XML of MEDIQA 2019, task 3. sts: "
    "pairs of sentences with a score from 0 to 5, as `aspectra evaluate sts` reads them.",
)
@click.option(
    "--more",
    multiple=True,
    type=click.Path(path_type=Path),
    help="aspects: notes with headings too, as JSON lines. labels, reader: the site's judged mentions, beside ours. "
    "qa-head: documents in the entity/aspect format. sts: notes, as for labels, whose sentences make triples with a "
    "known order, and pairs for a labeller to score.",
)
@click.option(
    "--dev",
    type=click.Path(path_type=Path),
    help="Measure R@1 on this file as it learns and keep the best; its passages are left out of the training data. "
    "qa, sts: told in the end.",
)
@click.option(
    "--base",
    help="minilm, a bundle to go on from, or a folder in Hugging Face's layout. Rankers from before transformers: word "
    "vectors, OUT/words of another run; else they are trained first.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Run folder; a run cut short goes on in it. own: in the data folder."
)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="own: of training, by the clock.")
@click.option(
    "--judgments",
    type=click.Path(path_type=Path),
    help="own: passages that were judged (aspectra judge), to decide by.",
)
@click.option("--epochs", type=click.FloatRange(min=0, min_open=True), help="Passes over the queries.")
@click.option("--seed", type=int)
@click.option("--set", "options", multiple=True, metavar="NAME=VALUE", help="Any other option: see docs/evaluation.md.")
@command
def train(
    arch: str,
    data: tuple[Path, ...],
    more: tuple[Path, ...],
    dev: Path | None,
    base: str | None,
    out: Path | None,
    minutes: float | None,
    judgments: Path | None,
    epochs: float | None,
    seed: int | None,
    options: tuple[str, ...],
) -> None:
    """Train ARCH on labelled queries: bi-, poly- or cross-encoder, contextual discourse vectors, a bi-encoder of
    long documents, or a ranker from before transformers (OUT/model holds the weights in the end); or the encoder that
    serves, on the notes that are here (own: a bundle where it is better on them); or the model that
    tells a section's aspect from its text (OUT/aspects.npz); or the arbiter of assertions (OUT/labels.npz), or the
    reader that it asks (OUT/reader): in the lexicon's folder they are used; or what tells right answers to a question
    from wrong ones (OUT/qa.json), or the published network that does so (qa-head: OUT/model); or what tells how alike
    two sentences are (sts: OUT/model)."""
    if arch == "own":
        if data or more or dev or base or epochs or not minutes:
            raise click.UsageError(
                "own has the serving encoder learn from the notes that are here, for as many --minutes as are given."
            )
        train_own(minutes, judgments, out, options, settings(), seed)
        return
    if minutes or judgments:
        raise click.UsageError("--minutes and --judgments are for own.")
    if not data or not out:
        raise click.UsageError(f"Missing option '{'--out' if data else '--data'}'.")
    if arch == "aspects":
        _train_aspects(data[0], more, out)
        return
    if arch == "qa":
        train_qa(data, dev, out, settings(), seed)
        return
    if arch == "qa-head":
        train_qa_head(
            data,
            more,
            dev,
            out,
            options,
            base=base and restored(base, out),
            epochs=epochs and round(epochs),
            seed=seed,
        )
        return
    if arch == "sts":
        train_sts(data, more, dev, out, options, base=base and restored(base, out), epochs=epochs, seed=seed)
        return
    if arch == "labels":
        train_labels(data[0], more, out)
        return
    if arch == "reader":
        train_reader(data[0], more, out, options, base=base, epochs=epochs and round(epochs), seed=seed)
        return
    need_torch("Training")
    from encoders.training import loop
    from encoders.training.near_duplicates import without
    from encoders.training.options import configured
    from encoders.training.sources import load_pairs, merged
    from search_stack.evaluation.datasets.entity_aspect import load

    config = configured(arch, options, base=base and restored(base, out), epochs=epochs, seed=seed)
    pairs = merged([load_pairs(file) for file in data])
    development = load(dev) if dev else None
    if development:
        pairs = without(pairs, development)
    if not pairs.queries:
        raise AspectraError("--data holds no query, or none that --dev has not too.", "Give other data to learn from.")
    say(f"{len(pairs.queries):,} queries, {len(pairs.passages):,} passages.")
    served = config.architecture.served
    if served and (found := served.unfit(config.shape)):
        served = None
        say(f"To be measured only: a bundle serves {found[0]} {found[2]}, not {found[1]}. No export will take it.")
    loop.train(pairs, config, out, development)
    if served:
        say(f"Trained. Export it: aspectra export BUNDLE --source {out / 'model'} --kind {served.kind}")
    else:
        asked = "" if config.queries == "asked" else f" --queries {config.queries}"
        say(f"Trained. Measure it: aspectra evaluate retrieval --data FILE --model {out / 'model'}{asked}")


def _train_aspects(data: Path, more: tuple[Path, ...], out: Path) -> None:
    try:
        from encoders.training import aspects
        from encoders.training.arrays import save
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs scikit-learn.", "Install it: pip install 'aspectra[train]'") from e
    further = [e for file in more for e in headed_sections.of_notes(file)]
    examples = [*headed_sections.load(data), *further]
    headers = [e.header for e in examples]
    target = out / "aspects.npz"
    save(aspects.train([counts(e.text) for e in examples], headers, weighted, FEATURES, len(further)), target)
    say(f"{target}: {len(examples):,} sections, {len(set(headers))} headers, {target.stat().st_size / 1e6:.1f} MB.")
    say(f"Measure it: aspectra evaluate aspects --data FILE --model {out}")


@click.command()
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option(
    "--source",
    "sources",
    required=True,
    multiple=True,
    help="Trained weights: OUT/model of a run, minilm, or a folder; of several runs from the same base, the mean.",
)
@click.option("--kind", required=True, type=click.Choice(["bi", "cross"]), help="Vectors of texts, or scores of pairs.")
@click.option("--precision", type=click.Choice(["fp32", "fp16", "int8", "int8-static"]), default="int8")
@click.option("--max-tokens", type=click.IntRange(8, 512), help="Longest input; more is cut off. As trained, else 256.")
@click.option(
    "--context", help="What is read of a passage's surroundings, such as title,lead. As trained, else nothing."
)
@click.option(
    "--dev",
    type=click.Path(path_type=Path),
    help="Entity/aspect file: int8 is refused where it lowers R@1 by more than 0.005; int8-static learns its scales.",
)
@click.option("--notes", type=click.Path(path_type=Path, exists=True), help="JSON: base, licence, training, figures.")
@command
def export(
    bundle: Path,
    sources: tuple[str, ...],
    kind: str,
    precision: str,
    max_tokens: int | None,
    context: str | None,
    dev: Path | None,
    notes: Path | None,
) -> None:
    """Write trained weights as the folder BUNDLE: ONNX model, tokenizer, bundle.json."""
    need_torch("Export")
    from encoders.export.bundle import Card, NumberFormat, export_bundle
    from search_stack.evaluation.datasets.entity_aspect import load

    said = json.loads(notes.read_text(encoding="utf-8")) if notes else {"base": sources[0]}
    manifest = export_bundle(
        sources[0],
        cast(Kind, kind),
        bundle,
        Card(name=bundle.name, **said),
        max_tokens,
        cast(NumberFormat, precision),
        None if context is None else read_parts(context),
        load(dev) if dev else None,
        sources[1:],
    )
    size = sum(f.stat().st_size for f in bundle.iterdir())
    say(f"{bundle}: {manifest.kind}, {manifest.precision}, {size / 1e6:.1f} MB.")


COMMANDS = (train, export)
