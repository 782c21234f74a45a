"""What every command shares: settings, output, errors."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from search_stack.errors import AspectraError
from search_stack.settings import Settings, load_settings

P = ParamSpec("P")
R = TypeVar("R")

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
            err.print(f"[bold red]Error:[/] {_plain(e.message)}", soft_wrap=True)
            if e.remedy:
                err.print(_plain(e.remedy), soft_wrap=True)
            sys.exit(1)
        except BrokenPipeError:
            sys.stderr.close()
            sys.exit(1)

    return run


def _plain(text: str) -> str:
    return text.replace("[", r"\[")


def settings() -> Settings:
    return load_settings()


def given_settings() -> frozenset[str]:
    """Names of the settings that the environment or the configuration file give."""
    return frozenset(Settings().model_fields_set)


def say(line: str) -> None:
    out.print(_plain(line), soft_wrap=True)


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


class Group(click.Group):
    """Commands in the order in which they are declared, not by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)
