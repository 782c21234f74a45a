"""`aspectra` commands in the process of the tests: to start one takes seconds, most of it what all of them load.

Those that are killed, or race with others, are started (`Place.start`).
"""

from __future__ import annotations

import os
from typing import NamedTuple

from click.testing import CliRunner

from aspectra.cli import main
from aspectra.stack.own import child_environment
from search_stack.core.settings import Settings


class Done(NamedTuple):
    status: int
    out: str
    errors: str


def run(settings: Settings, *arguments: object) -> Done:
    """What `aspectra` ``arguments`` ends with and prints, under ``settings`` alone."""
    own = child_environment(settings)
    unset = dict.fromkeys(os.environ.keys() - own.keys())
    done = CliRunner().invoke(main, list(map(str, arguments)), env={**unset, **own})
    return Done(done.exit_code, done.stdout, done.stderr)
