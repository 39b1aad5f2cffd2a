"""The common parts of command lines: default folders, completion, and missing libraries.

This module works on computers with only some of Saloon's libraries, so it imports those in functions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from base.errors import BadData

if TYPE_CHECKING:
    import click

_FORMER: Final = {"station": "station-data", "terminal": "saloon-terminal"}
"""The default folders of older versions, below the current folder."""


def default_folder(use: str) -> Path:
    """Return the default folder of a station or a terminal, such as ``~/.local/share/saloon/station``.

    use: ``station`` or ``terminal``. Raises BadData if the current folder contains the data of an older
    version, which would otherwise seem to be lost.
    """
    from platformdirs import user_data_path

    folder = user_data_path("saloon", appauthor=False) / use
    former = Path(_FORMER[use])
    if former.is_dir() and not folder.exists():
        raise BadData(
            "--data",
            f"{former} in this folder has data of an older version: choose it with --data {former}, "
            f"or move it to {folder}, which is the default now",
        )
    return folder


_SHELLS = ("bash", "zsh", "fish")


def completion_command(program: str) -> "click.Command":
    """Return the command ``completion`` for a program, which prints its completion script for a shell."""
    import click
    from click.shell_completion import get_completion_class

    @click.command(name="completion")
    @click.argument("shell", type=click.Choice(_SHELLS))
    @click.pass_context
    def completion(context: click.Context, shell: str) -> None:
        """Print the completion script of this program for a SHELL.

        For bash, add to ~/.bashrc: eval "$(PROGRAM completion bash)".
        """
        kind = get_completion_class(shell)
        assert kind is not None
        variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
        click.echo(kind(context.find_root().command, {}, program, variable).source())

    return completion


_OURS: Final = frozenset({"", "base", "core", "demo", "hardware", "kiosk", "station", "sync"})


@contextmanager
def explain_missing_library(program: str) -> Iterator[None]:
    """Exit with an explanation if a library that the block imports is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in _OURS:
            raise
        raise SystemExit(
            f"{program} isn't completely installed here: {library} is missing."
            " Install Saloon with all its libraries, or run this program on another computer."
        ) from None
