"""What every command shares: settings, output, errors."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import NoReturn, ParamSpec, TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from aspectra.reports import keep_report
from aspectra.terminal import plain
from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_error, unwritable
from search_stack.core.settings import Settings, load_settings

P = ParamSpec("P")
R = TypeVar("R")

UNFORESEEN = 70
"""Status of a command that ended with an error nobody had foreseen."""
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def command(function: Callable[P, R]) -> Callable[P, R]:
    """Errors for people end a command with status 1 and without a stack trace."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        logging.getLogger("opensearch").setLevel(logging.ERROR)
        try:
            return function(*args, **kwargs)
        except AspectraError as e:
            _fail(e)
        except BrokenPipeError:
            sys.stderr.close()
            sys.exit(1)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as e:
            if isinstance(e, OSError) and (explained := disk_error(e)):
                _fail(explained)
            kept = keep_report(e)
            where = f"Where it happened is in {kept}: please report it." if kept else "Please report it."
            err.print(_error(f"unforeseen ({type(e).__name__}). {where}"), soft_wrap=True)
            sys.exit(UNFORESEEN)

    return run


def _fail(e: AspectraError) -> NoReturn:
    err.print(_error(e.message), soft_wrap=True)
    if e.remedy:
        err.print(Text(plain(e.remedy)), soft_wrap=True)
    sys.exit(1)


def _error(message: str) -> Text:
    return Text.assemble(("Error:", "bold red"), " ", plain(message))


def settings() -> Settings:
    return load_settings()


def given_settings() -> frozenset[str]:
    """Names of the settings that the environment or the configuration file give."""
    return frozenset(Settings().model_fields_set)


def say(line: str) -> None:
    out.print(Text(plain(line)), soft_wrap=True)


def warn(line: str) -> None:
    """Say it on standard error, in red: the last word of a command that did not do all it was asked."""
    err.print(Text(plain(line), style="bold red"), soft_wrap=True)


def need_torch(what: str) -> None:
    """
    Raises:
        AspectraError: PyTorch is not installed, which ``what`` needs.
    """
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as e:
        raise AspectraError(f"{what} needs PyTorch.", "Install it: pip install 'aspectra[train]'") from e


def counting_bar() -> Progress:
    """A bar for each task, with what is done, of how many, and the time passed and left."""
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *times, console=err)


@contextmanager
def stage_bars() -> Iterator[Callable[[str, int, int], None]]:
    """A function that hears a stage, what is done of it and of how many; each stage has a bar of its own."""
    with counting_bar() as bar:
        tasks: dict[str, TaskID] = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield progress


def write_text(path: Path, text: str) -> None:
    """
    Raises:
        AspectraError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        raise unwritable(path, e) from e


def write_figures(path: Path | None, figures: Mapping[str, object]) -> None:
    """Keep ``figures`` as JSON, where a file for them is named.

    Raises:
        AspectraError: it cannot be written.
    """
    if path:
        write_text(path, json.dumps(figures, indent=2) + "\n")


class Group(click.Group):
    """Commands in the order in which they are declared, not by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)
