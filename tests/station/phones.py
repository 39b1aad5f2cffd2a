"""A table whose players sign in by phone, for tests of the service and of its pages."""

from base.errors import Refused
from core.game.decide import decide
from core.game.events import GameStep
from core.game.orders import CheckInSeat, OfferSignIn, SeatGame
from core.game.setup import CheckIn
from tests.station.conftest import ScriptedTerminal, Station

PAGES = "https://192.0.2.1:8443"


class PhoneTable:
    """A terminal at table 1 that carries out sign-ins as a real one does."""

    def __init__(self, station: Station) -> None:
        station.context.find_pages = lambda: PAGES
        station.opens(10)
        self.station = station
        self.terminal: ScriptedTerminal = station.terminal(1)
        station.publishes()
        self._done = 0

    def seats(self) -> None:
        self.terminal.ask(self.terminal.ordered(SeatGame)[-1].seating)
        self.terminal.sends()

    @property
    def offers(self) -> list[str]:
        """The links that the terminal was ever sent, as they come; an empty one withdraws."""
        return [order.link for order in self.terminal.ordered(OfferSignIn)]

    @property
    def token(self) -> str:
        return self.offers[-1].rpartition("/")[2]

    @property
    def sign_ins(self) -> list[CheckInSeat]:
        return self.terminal.ordered(CheckInSeat)

    def names(self) -> list[str]:
        return [seat.name for seat in self.terminal.ordered(SeatGame)[-1].seating.seats]

    def obeys(self) -> None:
        """Carry out what was ordered since the last time, and report it."""
        for number, order in enumerate(self.terminal.orders, 1):
            if number > self._done and isinstance(order, CheckInSeat):
                try:
                    events = decide(self.terminal.state, CheckIn(order.seat), self.terminal.rules)
                except Refused:
                    continue
                self.terminal.writes(GameStep(order.game, events, number, number))
        self._done = len(self.terminal.orders)
        self.terminal.sends()
