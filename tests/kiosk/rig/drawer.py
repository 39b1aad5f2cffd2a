"""What keeps the round's clock in tests, without a file."""

from saloon.kiosk.terminal.clock.round_clock import SavedClock


class Drawer:
    """What outlives a terminal. boot: of the board; change it and the board was started anew."""

    def __init__(self) -> None:
        self.boot = "boot 1"
        self.saved: SavedClock | None = None

    def read(self) -> SavedClock | None:
        """What lies in it."""
        return self.saved

    def keep(self, saved: SavedClock) -> None:
        """Put it in."""
        self.saved = saved
