"""Search from the command line, and what a line means."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator
from typing import Any, cast

import click
from rich.text import Text
from rich.tree import Tree

from aspectra.console import command, out, say, settings
from aspectra.terminal import json_line, line, plain
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Finding, Hit
from search_stack.handover.tables import CsvLines
from search_stack.language.lexicon.load import load_lexicon
from search_stack.query.nodes import AllOf, AnyOf, Node, Not
from search_stack.query.tree import QueryError
from search_stack.query.understand import Understanding, Understood
from search_stack.query.write import readable
from search_stack.retrieval.answer import SCOPES, Answer, Group, Scope
from search_stack.retrieval.searcher import Searcher
from ui.highlight import because
from ui.wording import again, close, headline, older_labels, ranking, undated, what_counts, without_vectors

COLUMNS = (
    *("patient_id", "note_id", "date", "note_type", "section", "begin", "end", "finding", "assertion", "status"),
    *("result", "sites", "text"),
)
"""What `search --all --format csv` writes of each passage, a finding that was asked for in a row."""


@click.command(context_settings={"ignore_unknown_options": True})  # -effusion is a word to exclude
@click.argument("query", nargs=-1, type=click.UNPROCESSED)
@click.option("--scope", type=click.Choice(SCOPES), default="passage", help="What one entry of the answer is.")
@click.option("--page", type=int, default=1)
@click.option("--size", type=int, default=10, help="Entries on a page.")
@click.option("--rerank/--no-rerank", default=True, help="Reorder the first passages with the cross-encoder.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--all", "everything", is_flag=True, help="Write all that are counted, not a page: see --format.")
@click.option("--format", "form", type=click.Choice(("jsonl", "csv")), default="jsonl", help="Of --all.")
@command
def search(
    query: tuple[str, ...], scope: str, page: int, size: int, rerank: bool, as_json: bool, everything: bool, form: str
) -> None:
    """Search for QUERY: findings ("pneumothorax", "no pneumothorax", finding:pneumothorax possible), words, "phrases",
    -word, OR, brackets, entity:…, section:…, type:…, after:…, before:…"""
    config = settings()
    searcher = Searcher.from_settings(config, Ledger.from_settings(config))
    asked = searcher.looked_for(_as_line(query))
    if everything:
        _write_all(searcher, asked, cast(Scope, scope), form)
        return
    answer = searcher.search(asked.query, cast(Scope, scope), page, size, rerank, asked.words)
    if as_json:
        told = answer.json()
        notices = [*asked.json()["notices"], *told["notices"]]
        click.echo(json_line({**told, "aside": list(asked.aside), "notices": notices}))
        return
    _print(answer, asked)


def _as_line(query: tuple[str, ...]) -> str:
    """The words as one line; one that the shell took the quotes off is a stretch like the others."""
    return " ".join(query)


def _print(answer: Answer, asked: Understood) -> None:
    c = answer.counts
    say(headline(answer.query, c, answer.scope))
    say(f"Understood as: {line(readable(answer.query))}")
    if answer.cohorts:
        say(f"Cohorts: {line(', '.join(answer.cohorts))}")
    if asked.aside:
        say(f"Left aside: {line(', '.join(asked.aside))}")
    for notice in (*asked.notices, *answer.notices):
        say(line(notice.message))
    for said in (what_counts(answer.query), ranking(answer), undated(c.undated_notes)):
        if said:
            say(said)
    if problem := without_vectors(answer):
        say(f"{problem} Mend it: aspectra reindex")
    if problem := older_labels(answer):
        say(f"{problem} Mend it: aspectra reindex --labels-only")
    counted = True
    for group in answer.groups:
        if counted and not group.counted:
            say(f"\n{close(answer.scope)}")
        counted = group.counted
        if answer.scope != "passage":
            first = group.hits[0]
            name = first.patient_id if answer.scope == "patient" else first.note_id
            out.print(Text(f"\n{answer.scope} {line(name)}", style="bold"))
        for hit in group.hits:
            out.print(_text(hit))
        if more := again(answer.scope, group.more):
            say(f"  {more}")
    if 0 < answer.pages < answer.page:
        say("There is only 1 page." if answer.pages == 1 else f"There are only {answer.pages} pages.")
    elif answer.pages > 1:
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
    stages = (("BM25", s.bm25), ("k-NN", s.knn), ("hybrid", s.hybrid or None), ("cross", s.cross), ("rerank", s.rerank))
    told = ", ".join(f"{n} {v:.3f}" for n, v in stages if v is not None)
    shown.append("\n" + "; ".join(filter(None, (line(hit.matched), told))), style="not bold dim default")
    return shown


def _write_all(searcher: Searcher, asked: Understood, scope: Scope, form: str) -> None:
    """Every passage, note or patient that is counted, with its evidence, to standard output."""
    groups = searcher.everything(asked.query, scope)
    named = searcher.plan(asked.query).named
    if form == "jsonl":
        for group in groups:
            click.echo(json_line({scope: _key(group, scope), "passages": [h.json() for h in group.hits]}))
        return
    lines = CsvLines(sys.stdout.buffer, COLUMNS)
    for group in groups:
        for hit in group.hits:
            for row in _rows(hit, named):
                lines.write(row)


def _key(group: Group, scope: Scope) -> str:
    first = group.hits[0]
    return {"passage": first.passage_id, "note": first.note_id, "patient": first.patient_id}[scope]


def _rows(hit: Hit, named: Container[Finding]) -> Iterator[tuple[Any, ...]]:
    own = (hit.patient_id, hit.note_id, hit.date or "", hit.note_type, hit.section or hit.aspect)
    found = (f for f in hit.findings if f in named)
    said = dict.fromkeys((f.name, f.assertion, f.status, f.result, "; ".join(f.sites)) for f in found)
    for told in said or [("", "", "", "", "")]:
        yield (*own, hit.begin, hit.end, *told, hit.text)


@click.command(name="understand")
@click.option("--explain", is_flag=True, help="Print each tree for a person instead of JSON.")
@command
def understand_lines(explain: bool) -> None:
    """Write what each query line on standard input means: JSON lines {"line", "query", "aside", "notices"}."""
    understanding = Understanding.of(load_lexicon(settings().lexicon_folder))
    for typed in sys.stdin.buffer:
        asked = typed.decode("utf-8-sig", errors="replace").rstrip("\r\n")
        try:
            found = understanding.understand(asked)
        except QueryError as e:
            problem: AspectraError = e
            if explain:
                say(f"{line(asked)}\n  {line(problem.message)} {line(problem.remedy)}")
            else:
                error = {"message": problem.message, "remedy": problem.remedy}
                click.echo(json_line({"line": asked, "query": None, "aside": [], "notices": [], "error": error}))
            continue
        if explain:
            _explain(found)
        else:
            click.echo(json_line(found.json()))


def _explain(found: Understood) -> None:
    tree = Tree(Text(line(found.line), style="bold"))
    _grow(tree, found.query)
    out.print(tree)
    if found.aside:
        say(f"  left aside: {line(', '.join(found.aside))}")
    for notice in found.notices:
        say(f"  {line(notice.message)}")


def _grow(tree: Tree, node: Node) -> None:
    if isinstance(node, AllOf | AnyOf):
        branch = tree.add("all of" if isinstance(node, AllOf) else "any of")
        for child in node.children:
            _grow(branch, child)
    elif isinstance(node, Not) and isinstance(node.child, AllOf | AnyOf):
        _grow(tree.add("not"), node.child)
    else:
        tree.add(Text(line(readable(node))))


COMMANDS = (search, understand_lines)
