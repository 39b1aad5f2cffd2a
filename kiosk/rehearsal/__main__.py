"""``python -m kiosk.rehearsal``: simulated players for one table, game after game."""

import signal
import threading

import click

from base.errors import Unavailable
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.terminal_client import TerminalClient

_LOOK_AGAIN_S = 0.4
_SHORTEST_S = 0.02


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
    over = threading.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: over.set())
    play(TerminalClient(door), Brain(seed, pin), speed, over)


def play(door: TerminalClient, brain: Brain, speed: float, over: threading.Event) -> None:
    """Play until ``over`` is set, pausing like people; wait while the terminal is unavailable."""
    while not over.is_set():
        try:
            touch = brain.next_touch(door.see())
            if touch is None:
                over.wait(max(_SHORTEST_S, min(_LOOK_AGAIN_S, 4 / speed)))
                continue
            over.wait(max(_SHORTEST_S, touch.after_s / speed))
            door.touch(touch)
        except Unavailable:
            over.wait(_LOOK_AGAIN_S)


if __name__ == "__main__":
    main()
