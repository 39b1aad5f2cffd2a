"""The pages of a screen in the hall: what each shows, and which of them follow the day."""

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from core.game.result import FinishedDuel
from core.game.state.game import HighNoon
from core.terms import DuelPart, PlayerId, TournamentId
from core.tournament.prizes import Award, awards_of
from core.tournament.standings.standings import StandingRow
from core.tournament.state.names import fold_name
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import Stage, TournamentState
from station.hall.clocks import times_of_round
from station.pace.service import LivePace
from station.players.service import Desk, DeskRecord
from station.projections.cards import FloorCard, SheetState
from station.projectors.service import Projector, ScreenPage
from station.text.names import shown_code
from station.text.times import RoundClockShown
from station.web.tournament_context import TournamentContext


class LiveTable(msgspec.Struct, frozen=True):
    """A table as shown in the hall, without roles and dollars. ``turn`` is 0 before the first."""

    table: int
    is_over: bool
    is_high_noon: bool
    turn: int
    in_play: int
    players: int


def live_table(card: FloorCard) -> LiveTable:
    """Return the public data of a table."""
    game = card.game
    in_play = len(card.players) if game is None or not game.seats else sum(s.in_play for s in game.seats)
    return LiveTable(
        table=card.table,
        is_over=card.sheet is not SheetState.PLAYING,
        is_high_noon=game is not None and game.high_noon is HighNoon.ON,
        turn=0 if game is None else game.turns,
        in_play=in_play,
        players=len(card.players),
    )


class ShownDuel(msgspec.Struct, frozen=True):
    """A duel of the finals or a tie-break, which may not have started."""

    part: DuelPart
    players: tuple[PlayerId, ...]
    table: int | None
    score: tuple[int, int] | None
    winner: PlayerId | None


class PublicAddress(msgspec.Struct, frozen=True):
    """A public page's address as a QR code, and as short text."""

    code: str
    text: str


class NextTournament(msgspec.Struct, frozen=True):
    """The next tournament by date. ``date`` is an ISO date."""

    name: str
    date: str


class ScreenContent(msgspec.Struct, frozen=True):
    """The content of a screen's pages.

    ranking: the revealed rows, best first.
    day: the pages that follow the day.
    entry: the form by which players register themselves.
    next_round: the number of the round after this one, or 0 after the last.
    begun: when the running round was published, in milliseconds since 1970, or "".
    expected: when the running round probably ends, such as ``14:30``, or "".
    address: the tournament's public page, if phones can open it.
    awards: the prizes with their winners, once they are public.
    """

    screen: Projector
    round: int
    is_playing: bool
    duels: tuple[ShownDuel, ...]
    tables: tuple[DrawnTable, ...]
    by_name: tuple[tuple[str, int, int], ...]
    clock: RoundClockShown | None
    missing: tuple[str, ...]
    live: tuple[LiveTable, ...]
    ranking: tuple[StandingRow, ...]
    is_whole: bool
    is_published: bool
    day: tuple[ScreenPage, ...]
    present: int
    contenders: int
    entry: PublicAddress | None
    may_check_in: bool
    next_round: int
    begun: str
    expected: str
    tomorrow: NextTournament | None
    address: PublicAddress | None
    awards: tuple[Award, ...]

    @property
    def pages(self) -> tuple[ScreenPage, ...]:
        """The pages that have content, or the clock if none has."""
        empty = {
            ScreenPage.SEATS_BY_NAME: not self.by_name,
            ScreenPage.SEATS_BY_TABLE: not self.tables,
            ScreenPage.MISSING: not self.missing,
            ScreenPage.HIGH_NOON: not any(one.is_high_noon for one in self.live),
            ScreenPage.TABLES: not self.live,
            ScreenPage.FINALS: not self.duels,
            ScreenPage.ANNOUNCEMENT: not self.screen.text,
            ScreenPage.RANKING: not self.is_published,
            ScreenPage.PODIUM: not self.is_whole,
            ScreenPage.PRIZES: not self.awards,
            ScreenPage.TOMORROW: self.tomorrow is None,
        }
        screen = self.screen
        wanted = (screen.pages or self.day) if screen.pinned is None else (screen.pinned,)
        filled = tuple(one for one in wanted if not empty.get(one, False))
        return filled or (ScreenPage.CLOCK,)


async def content_of(here: TournamentContext, screen: Projector) -> ScreenContent:
    """Return what a screen shows now, computed from the tournament's state."""
    state, service = here.state, here.service
    desk = await service.of(Desk).record(state.tournament)
    running, is_over = state.running_round, state.stage in AFTER_THE_ROUNDS
    cards = () if running is None else service.live_floor.cards(state)
    tables = () if running is None else running.tables
    by_name = sorted(
        (
            (here.names[player], table.table, seat)
            for table in tables
            for seat, player in enumerate(table.players, 1)
        ),
        key=lambda row: fold_name(row[0]),
    )
    missing = () if is_over else service.of(Desk).missing(state, desk)
    every = all_ranked(here)
    archived = await service.archive.ids()
    tomorrow = _next_tournament(state, service.tournaments(), archived)
    address = None if here.is_only_here else f"{here.address_for_others()}/t/{state.tournament}"
    may_register = desk.registration and not state.published_rounds and state.tournament not in archived
    # During a reveal only the pinned page may show the ranking, as the public page shows all of it.
    is_revealing = screen.pinned is ScreenPage.RANKING and screen.revealed is not None
    ranked = every[max(0, len(every) - (screen.revealed or 0)) :] if is_revealing else every
    if state.tournament in archived and state.stage is not Stage.PUBLISHED:
        # A pinned page would show a tournament that doesn't take place.
        screen = replace(screen, pinned=None, pages=())
    return ScreenContent(
        screen=screen,
        round=0 if running is None else running.round,
        is_playing=state.stage is Stage.PLAYING or bool(state.open_duels),
        duels=_duels(here),
        tables=tables,
        by_name=tuple(by_name),
        clock=here.clock,
        missing=tuple(sorted((here.names[player] for player in missing), key=fold_name)),
        live=tuple(live_table(card) for card in cards),
        ranking=tuple(ranked),
        is_whole=bool(ranked) and len(ranked) == len(every),
        is_published=state.stage is Stage.PUBLISHED,
        day=pages_of_day(state, is_archived=state.tournament in archived),
        present=_count_present(here, desk),
        contenders=len(state.contenders),
        entry=_public_address(f"{address}/register") if address and may_register else None,
        may_check_in=desk.self_check_in,
        next_round=_next_round(state),
        begun=_begun(here),
        expected=_expected_end(here),
        tomorrow=tomorrow,
        address=_public_address(address) if address and screen.follows_the_day else None,
        awards=await asyncio.to_thread(awards_of, state, here.rules) if every and not is_revealing else (),
    )


_BEFORE: Final = (ScreenPage.CHECK_IN, ScreenPage.MISSING, ScreenPage.ANNOUNCEMENT)
_BETWEEN: Final = (ScreenPage.NEXT, ScreenPage.MISSING, ScreenPage.FINALS, ScreenPage.ANNOUNCEMENT)
_PAGES_OF_DAY: Final[Mapping[Stage, tuple[ScreenPage, ...]]] = {
    Stage.REGISTRATION: _BEFORE,
    Stage.SEALED: _BETWEEN,
    Stage.DRAWN: _BETWEEN,
    Stage.PLAYING: (
        ScreenPage.SEATS_BY_NAME, ScreenPage.SEATS_BY_TABLE, ScreenPage.CLOCK, ScreenPage.HIGH_NOON,
        ScreenPage.TABLES, ScreenPage.ANNOUNCEMENT,
    ),
    Stage.BETWEEN: _BETWEEN,
    Stage.FINALS: (ScreenPage.FINALS, ScreenPage.NEXT, ScreenPage.ANNOUNCEMENT),
    Stage.FINISHED: (ScreenPage.FINALS, ScreenPage.NEXT, ScreenPage.ANNOUNCEMENT),
    Stage.PUBLISHED: (
        ScreenPage.PODIUM, ScreenPage.PRIZES, ScreenPage.RANKING, ScreenPage.TOMORROW,
        ScreenPage.ANNOUNCEMENT,
    ),
}  # fmt: skip


def pages_of_day(state: TournamentState, *, is_archived: bool = False) -> tuple[ScreenPage, ...]:
    """Return the pages that suit the tournament's stage; some may have no content."""
    if is_archived and state.stage is not Stage.PUBLISHED:
        return (ScreenPage.TOMORROW,)
    if not state.published_rounds:
        return _BEFORE
    if state.stage is Stage.FINALS and state.open_duels:
        return (ScreenPage.FINALS, ScreenPage.ANNOUNCEMENT)
    return _PAGES_OF_DAY[state.stage]


def _count_present(here: TournamentContext, desk: DeskRecord) -> int:
    played = here.service.of(Desk).played(here.state)
    return sum(Desk.is_here(desk, one.player, played) for one in here.state.contenders)


def _next_round(state: TournamentState) -> int:
    number = (state.last_round or 0) + 1
    return 0 if state.stage in AFTER_THE_ROUNDS or number > (state.rounds_planned or number) else number


def _begun(here: TournamentContext) -> str:
    running, state = here.state.running_round, here.state
    if running is None:
        return ""
    now_ms = here.service.context.parts.clock.wall_ms()
    times = times_of_round(here.service.history(state.tournament), running.round, now_ms)
    return str(int(times.published_ms))


def _expected_end(here: TournamentContext) -> str:
    pace = here.service.of(LivePace).rounded_pace(here.state)
    return "" if pace is None else pace.end.middle


def _public_address(link: str) -> PublicAddress:
    parts = urlsplit(link)
    return PublicAddress(shown_code(link), f"{parts.netloc}{parts.path}")


def _next_tournament(
    state: TournamentState, known: tuple[TournamentState, ...], archived: frozenset[TournamentId]
) -> NextTournament | None:
    # A tournament that was removed is often opened again for the same day.
    first_day = state.date if state.tournament in archived else f"{state.date}~"
    later = [
        one
        for one in known
        if one.date >= first_day and one.tournament not in archived and not one.is_published
    ]
    if not later:
        return None
    first = min(later, key=lambda one: (one.date, one.name))
    return NextTournament(first.name, first.date)


AFTER_THE_ROUNDS: Final = frozenset({Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED})


def _duels(here: TournamentContext) -> tuple[ShownDuel, ...]:
    """Return the duels to show, the final first: those of the finals, or tie-breaks."""
    state, finals = here.state, here.state.finals
    if state.stage is Stage.PUBLISHED:
        return ()
    pairs: list[tuple[DuelPart, tuple[PlayerId, ...], PlayerId | None]] = []
    if finals is None:
        pairs += [(DuelPart.TIE_BREAK, table.players, None) for _, table in state.open_tie_duels]
    else:
        if finals.final_pair is not None:
            pairs.append((DuelPart.FINAL, finals.final_pair, finals.champion))
        semifinals = zip(finals.semifinal_pairs, finals.semifinal_winners, strict=True)
        pairs += [(DuelPart.SEMIFINALS, pair, winner) for pair, winner in semifinals]
    if not pairs:
        return ()
    cards = {
        card.players: card for card in here.service.floor(state.tournament, all_duels=finals is not None)
    }
    return tuple(_shown_duel(part, pair, winner, cards.get(pair)) for part, pair, winner in pairs)


def _shown_duel(
    part: DuelPart, pair: tuple[PlayerId, ...], winner: PlayerId | None, card: FloorCard | None
) -> ShownDuel:
    score = None
    if card is not None and isinstance(card.accepted, FinishedDuel):
        score = card.accepted.score
    elif card is not None and card.game is not None and card.game.duel is not None:
        score = card.game.duel.score
    return ShownDuel(part, pair, None if card is None else card.table, score, winner)


def all_ranked(here: TournamentContext) -> list[StandingRow]:
    """Return the public ranking's rows that have a place, best first; none before publication."""
    if here.state.stage is not Stage.PUBLISHED:
        return []
    return [row for row in here.service.standings(here.state.tournament).rows if row.rank]
