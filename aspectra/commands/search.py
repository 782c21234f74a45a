"""Search from the command line."""

from __future__ import annotations

from typing import cast

import click
from rich.text import Text

from aspectra.console import command, out, say, settings
from aspectra.terminal import json_line, line, plain
from ingest.ledger import Ledger
from search_stack.answer import SCOPES, Answer, Scope
from search_stack.criteria import parse
from search_stack.schema import Hit
from search_stack.searcher import Searcher
from ui.highlight import because
from ui.wording import headline, older_labels, what_counts, without_vectors


@click.command(context_settings={"ignore_unknown_options": True})  # -effusion is a word to exclude
@click.argument("query", nargs=-1, type=click.UNPROCESSED)
@click.option("--scope", type=click.Choice(SCOPES), default="passage", help="What one entry of the answer is.")
@click.option("--page", type=int, default=1)
@click.option("--size", type=int, default=10, help="Entries on a page.")
@click.option("--rerank/--no-rerank", default=True, help="Reorder the first passages with the cross-encoder.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@command
def search(query: tuple[str, ...], scope: str, page: int, size: int, rerank: bool, as_json: bool) -> None:
    """Search for QUERY: findings ("pneumothorax", "no pneumothorax", finding:pneumothorax possible), words, "phrases",
    -word, OR, entity:…, aspect:…, section:…, type:…, after:…, before:…"""
    asked = parse(" ".join(query))
    config = settings()
    answer = Searcher.from_settings(config, Ledger.from_settings(config)).search(
        asked, cast(Scope, scope), page, size, rerank
    )
    if as_json:
        click.echo(json_line(answer.json()))
        return
    _print(answer)


def _print(answer: Answer) -> None:
    c = answer.counts
    say(headline(answer.query, c, answer.scope))
    say(what_counts(answer.query))
    if c.undated_notes:
        say(f"{c.undated_notes:,} notes that match have no date and are left out.")
    if problem := without_vectors(answer):
        say(f"{problem} Mend it: aspectra reindex")
    if problem := older_labels(answer):
        say(f"{problem} Mend it: aspectra reindex --labels-only")
    for group in answer.groups:
        if answer.scope != "passage":
            first = group.hits[0]
            name = first.patient_id if answer.scope == "patient" else first.note_id
            out.print(Text(f"\n{answer.scope} {line(name)}", style="bold"))
        for hit in group.hits:
            out.print(_text(hit))
        if group.more:
            say(f"  and {group.more} more passages")
    if answer.pages > 1:
        say(f"\nPage {answer.page} of {answer.pages}.")


def _text(hit: Hit) -> Text:
    head = " · ".join(filter(None, (hit.patient_id, hit.date or "no date", hit.note_type, hit.section, hit.note_id)))
    shown = Text(f"\n{line(head)}\n", style="bold cyan")
    body = Text(plain(hit.text), style="not bold default")
    for begin, end in hit.highlights:
        body.stylize("bold underline", begin, end)
    shown.append(body)
    asked = {h for h in hit.findings if any(b + hit.begin == h.begin for b, _ in hit.highlights)}
    for finding in sorted(asked, key=lambda f: f.begin):
        shown.append(f"\n[{line(because(finding, hit.text, hit.begin))}]", style="not bold default")
    s = hit.scores
    stages = (("BM25", s.bm25), ("k-NN", s.knn), ("hybrid", s.hybrid), ("cross", s.cross), ("rerank", s.rerank))
    shown.append(
        "\n" + line(hit.matched) + "; " + ", ".join(f"{n} {v:.3f}" for n, v in stages if v is not None),
        style="not bold dim default",
    )
    return shown


COMMANDS = (search,)
