"""The command knows each of its commands by name before it imports it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

from aspectra import commands
from aspectra.cli import MODULES, main


def test_each_module_has_the_commands_that_are_said_of_it() -> None:
    modules = {
        module.name: import_module(f"aspectra.commands.{module.name}") for module in iter_modules(commands.__path__)
    }
    found = {name: tuple(one.name for one in module.COMMANDS) for name, module in modules.items()}
    assert found == MODULES
    assert all(main.commands[name].name == name for name in main.commands)


def test_a_command_waits_for_no_other() -> None:
    asked = "import sys, aspectra.cli as cli; cli.main.commands['status']; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("aspectra.commands.")}
    assert loaded == {"aspectra.commands.stack"}
