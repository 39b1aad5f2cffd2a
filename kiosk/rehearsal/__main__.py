"""``python -m kiosk.rehearsal``: simulated players for one table, game after game."""

import signal

import click

from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.people import People
from kiosk.rehearsal.terminal_client import TerminalClient


@click.command()
@click.option("--door", required=True, help="Address of the virtual terminal, http://127.0.0.1:PORT.")
@click.option(
    "--speed",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0.1, 10_000),
    help="How many times faster than people.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same way.")
@click.option("--pin", default="", help="The judge's PIN; without it the players wait for a judge.")
def main(door: str, speed: float, seed: int, pin: str) -> None:
    """Play at a virtual terminal until stopped by a signal."""
    people = People(TerminalClient(door), Brain(seed, pin), lambda: speed)
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: people.leave())
    people.run()


if __name__ == "__main__":
    main()
