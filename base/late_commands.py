"""Groups of commands that are imported only when they run, so that a program's help appears at once."""

import gc
import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from base.command_line import completion_command, explain_missing_library


class LateCommand(NamedTuple):
    """A command's place, as ``module:name``, and its line in the list of commands."""

    place: str
    summary: str


class LateGroup(click.Group):
    """A program's commands, with one that prints the program's completion script."""

    def __init__(self, *, late: Mapping[str, LateCommand], program: str, **options: Any) -> None:
        super().__init__(**options)
        self.late, self._program = late, program
        self.add_command(completion_command(program))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.late])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None if there is no such one. Exits if a library that it needs is missing."""
        if cmd_name not in self.late:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.late[cmd_name].place.partition(":")
        # Imported objects live until the end, so collecting garbage during imports is useless.
        gc.disable()
        with explain_missing_library(self._program):
            command = getattr(importlib.import_module(module), name)
        gc.freeze()
        gc.enable()
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        own = {name: super(LateGroup, self).get_command(ctx, name) for name in self.commands}
        rows = {name: command.get_short_help_str(formatter.width) for name, command in own.items() if command}
        rows |= {name: f"{command.summary}." for name, command in self.late.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(rows.items()))
