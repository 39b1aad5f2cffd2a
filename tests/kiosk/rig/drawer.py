"""A store for the round's clock in tests, without a file."""

from kiosk.terminal.round_clock import SavedClock


class Drawer:
    """A store that outlives a terminal. boot: of the board; change it to simulate another boot."""

    def __init__(self) -> None:
        self.boot = "boot 1"
        self.saved: SavedClock | None = None

    def read(self) -> SavedClock | None:
        """Return the stored clock."""
        return self.saved

    def keep(self, saved: SavedClock) -> None:
        """Store a clock."""
        self.saved = saved
