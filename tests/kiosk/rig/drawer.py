"""A store for the round's clock in tests, without a file."""

from kiosk.terminal.round_clock import ClockFile, SavedClock


class Drawer(ClockFile):
    """A store that outlives a terminal. Change ``boot`` to simulate another boot of the board."""

    def __init__(self) -> None:
        super().__init__(None, "boot 1")
        self.saved: SavedClock | None = None

    def read(self) -> SavedClock | None:
        return self.saved

    def keep(self, state: SavedClock | None) -> None:
        self.saved = state
