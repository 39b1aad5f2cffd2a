"""The progress of a build on the screen: a bar, the current activity and the time of each step."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

_WIDTH = 44


class BuildProgress:
    """The progress of a build on the terminal, or one line for each step if the output is not a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.seconds: dict[str, float] = {}
        """The duration of each finished step."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Callable[[str], None]]:
        """Yield a function that displays a message of the step and advances its bar by one of ``total``."""
        began = monotonic()
        columns = (
            SpinnerColumn(finished_text="[green]✓"),
            TextColumn("{task.fields[step]}", markup=False),
            BarColumn(24),
            TextColumn("{task.description}", style="dim", markup=False),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self._console, disable=not self._console.is_terminal) as progress:
            task = progress.add_task("", step=f"{name:<12}", total=total)

            def said(line: str) -> None:
                progress.update(task, advance=1, description=line[:_WIDTH])

            yield said
            progress.update(task, total=1, completed=1, description="")
        self.seconds[name] = monotonic() - began
        if not self._console.is_terminal:
            self._console.print(f"{name:<12} {self.seconds[name]:6.1f} s")
