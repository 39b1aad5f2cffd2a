"""Sign-in by phone: players check in on their phones, which sends orders to their table's terminal."""

import asyncio
import enum
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec
import structlog

from base.errors import Refused
from base.languages import LANGUAGES
from core.game.orders import CheckInSeat
from core.game.state.game import GameState
from core.game.state.game import Seat as SeatState
from core.terms import GameId, SeatNo
from core.tournament.state.tournament import TournamentState
from station.enrolment.sign_in_links import (
    SignInLinks,
    SignInSettings,
    checked_address,
    keep_sign_in,
    token_typed,
)
from station.hall.game_orders import seat_game
from station.hall.orders import is_checking_in
from station.hall.published import PublishedTable, published_tables
from station.hall.station_context import StationContext
from station.hall.tournaments import orders_follow
from station.projections.cards import TerminalLink
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()
_ON_THE_WAY_MS: Final = 10_000
"""The time to wait for the table to report a sign-in before it may be resent."""
_MOST_ORDERS: Final = 5
"""The most sign-ins of a seat in a game, so that nobody can fill the terminal's card with orders."""


class SignInRefusal(enum.Enum):
    """The reasons for refusing a sign-in by phone, as English sentences for the player."""

    WRONG_LINK = "This link isn't valid or has expired. Scan the code on your table's screen again."
    BEGUN = "Everyone at this table is here. Follow the table's screen."
    AWAY = (
        "Your table's screen isn't connected to the station right now. Tap your card on the screen instead."
    )
    LEFT = "This player has left the tournament. If that's wrong, tell a judge."
    TOO_OFTEN = "This seat has been signed in too often. Tap your card on the table's screen instead."


class SeatStatus(enum.Enum):
    """The state of a seat as phones show it."""

    MISSING = "missing"
    ON_THE_WAY = "on the way"
    """A phone has signed in, but the terminal has not reported it yet."""
    HERE = "here"
    LEFT = "left"


class SignInSeat(msgspec.Struct, frozen=True):
    """A drawn seat, with its player's name as the terminal shows it."""

    seat: SeatNo
    name: str
    status: SeatStatus


class SignInTable(msgspec.Struct, frozen=True):
    """A table for phones. ``seats`` is empty once everybody has checked in."""

    tournament: TournamentState
    token: str
    round: int
    table: int
    seats: tuple[SignInSeat, ...]
    is_connected: bool


_Basis = tuple[tuple[TournamentState, ...], SignInLinks]
"""The inputs from which the tables by token are computed."""


class PhoneSignIn:
    """Sign-in by phone at all tables. Every method may raise Refused with a ``SignInRefusal``."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._sent_ms: dict[tuple[GameId, SeatNo], int] = {}
        self._tables: Mapping[str, PublishedTable] = {}
        self._of: _Basis | None = None

    @property
    def settings(self) -> SignInSettings:
        return self._context.sign_in

    @property
    def pages(self) -> str:
        """Return the address with which the links begin, or "" if sign-in by phone is off or impossible."""
        return self._context.sign_in_links().pages

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the page addresses of this computer, the default for QR codes first.

        There are none if phones can't reach this computer, and only the default if it is another computer's.
        """
        first = self._context.find_pages()
        url = urlsplit(first)
        hosts = [urlsplit(f"//{address}").hostname or "" for address in self._context.own_addresses]
        if url.hostname not in hosts:
            return (first,) if first else ()
        outside = dict.fromkeys(host for host in hosts if not host.startswith("127."))
        return tuple(first.replace(url.hostname or "", host, 1) for host in outside)

    async def choose(self, *, is_on: bool, address: str, by: str, is_judge: bool) -> None:
        """Switch the sign-in on or off, and notify the tables.

        Only judges (``is_judge``) can enter the address of another computer, as the links of invitations and
        terminals may begin with it. Raises BadData if an organiser does, and for an invalid address.
        """
        allowed = None if is_judge else {self.settings.address, *self.choices}
        chosen = checked_address(address, allowed)
        await self._context.run_to_completion(self._choose(SignInSettings(is_on, chosen)))
        _log.info("sign-in by phone chosen", is_on=is_on, by=by)

    def table(self, token: str) -> SignInTable:
        """Return the table of a token."""
        published = self._find_table(token)
        state = self._state(published)
        seats = seat_game(published).seating.seats if is_checking_in(state) else ()
        return SignInTable(
            tournament=published.tournament,
            token=token_typed(token),
            round=published.round,
            table=published.drawn.table,
            seats=tuple(
                SignInSeat(SeatNo(number), seated.name, self._status(published, state, SeatNo(number)))
                for number, seated in enumerate(seats, start=1)
            ),
            is_connected=self._terminal(published) is not None,
        )

    async def check_in(self, token: str, seat: SeatNo, language: str) -> None:
        """Order a table's terminal to check in a player who isn't checked in or about to be.

        ``language`` is the one of the player's panel, or "" for the table's. Also raises Unavailable.
        """
        chosen = language if language in LANGUAGES else ""
        await self._context.run_to_completion(self._check_in(token, seat, chosen))

    async def _choose(self, chosen: SignInSettings) -> None:
        context = self._context
        async with context.lock:
            await context.catch_up()
            await asyncio.to_thread(keep_sign_in, context.parts.settings, chosen)
            await context.read_facts()
            await orders_follow(context)

    async def _check_in(self, token: str, seat: SeatNo, language: str) -> None:
        async with self._context.lock:
            await self._context.decide_with_retry(lambda: self._order(token, seat, language))

    async def _order(self, token: str, seat: SeatNo, language: str) -> None:
        published = self._find_table(token)
        game, state = published.drawn.game, self._state(published)
        if not is_checking_in(state):
            raise Refused(SignInRefusal.BEGUN)
        terminal = self._terminal(published)
        if state is None or terminal is None:
            raise Refused(SignInRefusal.AWAY)
        match self._status(published, state, seat):
            case SeatStatus.HERE | SeatStatus.ON_THE_WAY:
                return
            case SeatStatus.LEFT:
                raise Refused(SignInRefusal.LEFT)
            case SeatStatus.MISSING:
                pass
        orders = self._context.projections.orders.get(terminal, [])
        same = [o for o in orders if isinstance(o, CheckInSeat) and (o.game, o.seat) == (game, seat)]
        if len(same) >= _MOST_ORDERS:
            raise Refused(SignInRefusal.TOO_OFTEN)
        await self._context.order([(terminal, CheckInSeat(game, seat, language))])
        now_ms = self._context.parts.clock.monotonic_ms()
        self._sent_ms = {sent: at for sent, at in self._sent_ms.items() if now_ms - at < _ON_THE_WAY_MS}
        self._sent_ms[game, seat] = now_ms
        _log.info("signed in by phone", game=game, seat=seat)

    def _find_table(self, token: str) -> PublishedTable:
        """Return the table of a token, until its result is accepted."""
        of = self._context.tournament_states(), self._context.sign_in_links()
        if self._of is None or not _are_same(self._of, of):
            running = {game: table for game, table in published_tables(of[0]).items() if table.is_running}
            self._tables = {of[1].token(game): table for game, table in running.items() if of[1].pages}
            self._of = of
        published = self._tables.get(token_typed(token))
        if published is None:
            raise Refused(SignInRefusal.WRONG_LINK)
        return published

    def _state(self, published: PublishedTable) -> GameState | None:
        context = self._context
        track = context.log_of(published.drawn.game)
        return None if track is None else track.state

    def _terminal(self, published: PublishedTable) -> TerminalId | None:
        """Return the connected terminal that has started the game, or None if there is none."""
        known = self._context.terminal_at(published.drawn.table)
        if known is None or self._context.links.card(known).link is TerminalLink.AWAY:
            return None
        track = self._context.projections.track_of_terminal(published.drawn.game, known.terminal)
        is_relieved = self._context.projections.handovers.is_relieved(published.drawn.game, known.terminal)
        return None if track is None or is_relieved else known.terminal

    def _status(self, published: PublishedTable, state: GameState | None, seat: SeatNo) -> SeatStatus:
        seats: tuple[SeatState, ...] = () if state is None else state.seats
        known = next((one for one in seats if one.seat == seat), None)
        if known is not None and known.passive:
            return SeatStatus.LEFT
        if known is not None and known.checked_in:
            return SeatStatus.HERE
        sent_ms = self._sent_ms.get((published.drawn.game, seat))
        now_ms = self._context.parts.clock.monotonic_ms()
        is_on_the_way = sent_ms is not None and now_ms - sent_ms < _ON_THE_WAY_MS
        return SeatStatus.ON_THE_WAY if is_on_the_way else SeatStatus.MISSING


def _are_same(one: _Basis, other: _Basis) -> bool:
    """Return whether nothing has changed. Tournaments are compared by identity, which is fast."""
    same = len(one[0]) == len(other[0]) and all(a is b for a, b in zip(one[0], other[0], strict=True))
    return same and one[1] == other[1]
