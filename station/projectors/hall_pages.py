"""The pages for screens in the hall: each is declared here once, and shown by the template of its key.

A page's ``fill`` returns the values that ``public/hall/KEY.html`` shows as ``page``, or None while there is
nothing to show.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from core.game.result import FinishedDuel
from core.game.state.game import HighNoon
from core.terms import PlayerId, TournamentId
from core.tournament.prizes import Award, awards_of
from core.tournament.standings.standings import StandingRow
from core.tournament.state.finals import Finals
from core.tournament.state.names import fold_name
from core.tournament.state.tournament import Stage, TournamentState
from station.hall.clocks import times_of_round
from station.pace.service import LivePace
from station.players.service import Desk, DeskRecord
from station.projections.cards import FloorCard, SheetState
from station.projectors.ceremony import PODIUM_PAGE, RANKING_PAGE, Reveal, all_ranked, reveal_on
from station.projectors.service import Projector
from station.text.i18n import Words, _, words_in
from station.text.names import round_title, seats_by_name, shown_code
from station.text.times import day_in_words
from station.web.tournament_context import TournamentContext


class LiveTable(msgspec.Struct, frozen=True):
    """A table on a hall screen. ``turn`` is 0 before the first, ``in_play`` a guess unless reported."""

    table: int
    is_over: bool
    is_high_noon: bool
    turn: int
    in_play: int
    players: int
    is_reported: bool


def live_table(card: FloorCard) -> LiveTable:
    """Return a table without roles and dollars."""
    game = card.game
    return LiveTable(
        table=card.table,
        is_over=card.sheet is not SheetState.PLAYING,
        is_high_noon=game is not None and game.high_noon is HighNoon.ON,
        turn=0 if game is None else game.turns,
        in_play=len(card.players) if game is None or not game.seats else sum(s.in_play for s in game.seats),
        players=len(card.players),
        is_reported=game is not None,
    )


class PublicAddress(msgspec.Struct, frozen=True):
    """A public page's address as a QR code, and as short text."""

    code: str
    text: str


class ScreenFacts:
    """The facts that pages are filled with, and one of the screen's languages."""

    def __init__(
        self,
        here: TournamentContext,
        screen: Projector,
        desk: DeskRecord,
        archived: frozenset[TournamentId],
        words: Words,
        *,
        awards: tuple[Award, ...] = (),
    ) -> None:
        self.here = here
        self.state: TournamentState = here.state
        self.screen = screen
        self.desk = desk
        self.awards = awards
        self.words = words
        self._archived = archived

    @property
    def is_archived(self) -> bool:
        return self.state.tournament in self._archived

    @cached_property
    def live(self) -> tuple[LiveTable, ...]:
        """The tables of the running round."""
        is_running = self.state.running_round is not None
        return tuple(map(live_table, self.here.service.live_floor.cards(self.state))) if is_running else ()

    @cached_property
    def duels(self) -> Mapping[tuple[PlayerId, ...], FloorCard]:
        """The tables of duels by their players."""
        cards = self.here.service.floor(self.state.tournament, all_duels=self.state.finals is not None)
        return {card.players: card for card in cards}

    def address(self, path: str) -> PublicAddress | None:
        """Return the address of a public page of the station, or None if phones can't open it."""
        if self.here.is_only_here:
            return None
        link = f"{self.here.address_for_others()}{path}"
        parts = urlsplit(link)
        return PublicAddress(shown_code(link), f"{parts.netloc}{parts.path}")

    def next_tournament(self) -> TournamentState | None:
        """Return the next tournament by date that is neither over nor archived, or None."""
        # A tournament that was removed is often opened again for the same day.
        first_day = self.state.date if self.is_archived else f"{self.state.date}~"
        later = [
            one
            for one in self.here.service.tournaments()
            if one.date >= first_day and one.tournament not in self._archived and not one.is_published
        ]
        return min(later, key=lambda one: (one.date, one.name)) if later else None


class ScreenPage(msgspec.Struct, frozen=True):
    """A page for screens. ``during`` are the stages in which screens that follow the day show it."""

    key: str
    name: str
    fill: Callable[[ScreenFacts], object]
    during: frozenset[Stage] = frozenset()


class CheckInShown(msgspec.Struct, frozen=True):
    """The form by which players register themselves, or None, and the number of those present."""

    entry: PublicAddress | None
    present: int
    players: int
    may_check_in: bool


def _check_in(facts: ScreenFacts) -> CheckInShown:
    state, desk = facts.state, facts.desk
    played = facts.here.service.of(Desk).played(state)
    may_register = desk.registration and not state.published_rounds and not facts.is_archived
    return CheckInShown(
        facts.address(f"/t/{state.tournament}/register") if may_register else None,
        sum(Desk.is_here(desk, one.player, played) for one in state.contenders),
        len(state.contenders),
        desk.self_check_in,
    )


def _missing(facts: ScreenFacts) -> list[str] | None:
    if facts.state.stage in AFTER_THE_ROUNDS:
        return None
    missing = facts.here.service.of(Desk).missing(facts.state, facts.desk)
    return sorted((facts.here.names[player] for player in missing), key=fold_name) or None


def _seats_by_name(facts: ScreenFacts) -> object:
    running = facts.state.running_round
    return None if running is None else seats_by_name(facts.here.names, running)


def _seats_by_table(facts: ScreenFacts) -> object:
    running = facts.state.running_round
    return None if running is None else running.tables


class PlayingTime(msgspec.Struct, frozen=True):
    """A round without a time limit.

    begun: when it was published, in milliseconds since 1970, or "" if no round is running.
    expected: when it probably ends, such as ``14:30``, or "".
    """

    is_playing: bool
    begun: str
    expected: str


def _clock(facts: ScreenFacts) -> PlayingTime:
    state, service = facts.state, facts.here.service
    is_playing, begun = state.stage is Stage.PLAYING or bool(state.open_duels), ""
    if state.running_round is not None:
        now_ms = service.context.parts.clock.wall_ms()
        times = times_of_round(service.history(state.tournament), state.running_round.round, now_ms)
        begun = str(int(times.published_ms))
    pace = service.of(LivePace).rounded_pace(state)
    return PlayingTime(is_playing, begun, "" if pace is None else pace.end.middle)


def _high_noon(facts: ScreenFacts) -> list[int] | None:
    return [one.table for one in facts.live if one.is_high_noon] or None


def _tables(facts: ScreenFacts) -> object:
    return facts.live or None


class ShownDuellist(msgspec.Struct, frozen=True):
    """A player of a duel; ``name`` is what decides it while the player isn't known."""

    name: str
    score: int | None = None
    is_winner: bool = False
    is_loser: bool = False


class ShownDuel(msgspec.Struct, frozen=True):
    """A duel, which may not have begun. ``table`` is 0 until it has one."""

    title: str
    table: int
    players: tuple[ShownDuellist, ...]


class Bracket(msgspec.Struct, frozen=True):
    """The two semifinals and the final, or duels that break ties."""

    semifinals: tuple[ShownDuel, ...]
    final: ShownDuel | None
    ties: tuple[ShownDuel, ...]


def _finals(facts: ScreenFacts) -> Bracket | None:
    state, finals = facts.state, facts.state.finals
    if finals is not None:
        return _bracket(facts, finals)
    title = facts.words.gettext("One-on-one")
    duels = [_duel(facts, title, table.players, None) for _duels, table in state.open_tie_duels]
    return Bracket((), None, tuple(duels)) if duels else None


def _bracket(facts: ScreenFacts, finals: Finals) -> Bracket:
    _ = facts.words.gettext
    titles = (_("Semifinal 1"), _("Semifinal 2"))
    semifinals = tuple(
        _duel(facts, title, pair, winner)
        for title, pair, winner in zip(titles, finals.semifinal_pairs, finals.semifinal_winners, strict=True)
    )
    if finals.final_pair is not None:
        final = _duel(facts, _("Final"), finals.final_pair, finals.champion)
    else:
        names = facts.here.names
        known = (names[winner] if winner else "" for winner in finals.semifinal_winners)
        awaited = (_("Winner of semifinal 1"), _("Winner of semifinal 2"))
        players = tuple(ShownDuellist(name or text) for name, text in zip(known, awaited, strict=True))
        final = ShownDuel(_("Final"), 0, players)
    return Bracket(semifinals, final, ())


def _duel(facts: ScreenFacts, title: str, pair: tuple[PlayerId, ...], winner: PlayerId | None) -> ShownDuel:
    names, card = facts.here.names, facts.duels.get(pair)
    score: tuple[int | None, ...] = (None, None)
    if card is not None and isinstance(card.accepted, FinishedDuel):
        score = card.accepted.score
    elif card is not None and card.game is not None and card.game.duel is not None:
        score = card.game.duel.score
    players = tuple(
        ShownDuellist(names[player], points, winner == player, winner not in {None, player})
        for player, points in zip(pair, score, strict=True)
    )
    return ShownDuel(title, 0 if card is None else card.table, players)


class ComingUp(msgspec.Struct, frozen=True):
    """The next part, whose ``title`` is "" after the last. ``seal`` is the hash of a sealed draw."""

    title: str
    is_round: bool = False
    seal: str = ""


def _next(facts: ScreenFacts) -> ComingUp | None:
    """Return the next round or part of the finals, or None while duels are played or players register."""
    state, _ = facts.state, facts.words.gettext
    if state.open_duels or (state.stage is Stage.REGISTRATION and facts.screen.follows_the_day):
        return None
    if state.stage is Stage.FINALS:
        has_final = state.finals is not None and state.finals.final_pair is not None
        return ComingUp(_("Final") if has_final else _("Semifinals"))
    number = (state.last_round or 0) + 1
    if state.stage in AFTER_THE_ROUNDS or number > (state.rounds_planned or number):
        return ComingUp("")
    sealed = state.pending_round if state.stage is Stage.SEALED else None
    return ComingUp(
        round_title(state, number, facts.words), is_round=True, seal=sealed.seal if sealed else ""
    )


def _podium(facts: ScreenFacts) -> list[list[StandingRow]] | None:
    """Return the first three places, each with the players who share it."""
    best = (row for row in all_ranked(facts.here) if row.rank and row.rank.first <= _STEPS)
    return [list(rows) for _rank, rows in groupby(best, key=lambda row: row.rank)] or None


def _prizes(facts: ScreenFacts) -> tuple[Award, ...] | None:
    return facts.awards or None


def _ranking(facts: ScreenFacts) -> Reveal | list[StandingRow] | None:
    return reveal_on(facts.screen, facts.here) or all_ranked(facts.here) or None


class NextTournament(msgspec.Struct, frozen=True):
    """The next tournament by date, and its public page. ``entry`` is None if phones can't open it."""

    title: str
    name: str
    day: str
    entry: PublicAddress | None


def _tomorrow(facts: ScreenFacts) -> NextTournament | None:
    following = facts.next_tournament()
    if following is None:
        return None
    _ = facts.words.gettext
    day = dt.date.fromisoformat(facts.state.date) + dt.timedelta(days=1)
    return NextTournament(
        _("Tomorrow") if following.date == day.isoformat() else _("Coming up"),
        following.name,
        day_in_words(following.date, _),
        facts.address(f"/t/{following.tournament}"),
    )


def _announcement(facts: ScreenFacts) -> str | None:
    return facts.screen.text or None


_STEPS: Final = 3
AFTER_THE_ROUNDS: Final = frozenset({Stage.FINALS, Stage.FINISHED, Stage.PUBLISHED})
_BEFORE: Final = frozenset({Stage.REGISTRATION})
_PLAYING: Final = frozenset({Stage.PLAYING})
_BETWEEN: Final = frozenset({Stage.SEALED, Stage.DRAWN, Stage.BETWEEN})
_FINALS: Final = frozenset({Stage.FINALS, Stage.FINISHED})
_PUBLISHED: Final = frozenset({Stage.PUBLISHED})
CLOCK: Final = ScreenPage("clock", _("round clock"), _clock, _PLAYING)
TOMORROW: Final = ScreenPage("tomorrow", _("next tournament"), _tomorrow, _PUBLISHED)
ANNOUNCEMENT: Final = ScreenPage("announcement", _("announcement"), _announcement, frozenset(Stage))
HALL_PAGES: Final = {
    page.key: page
    for page in (
        ScreenPage("check-in", _("check-in"), _check_in, _BEFORE),
        ScreenPage("seats-by-name", _("seats by name"), _seats_by_name, _PLAYING),
        ScreenPage("seats-by-table", _("seats by table"), _seats_by_table, _PLAYING),
        CLOCK,
        ScreenPage("high-noon", _("tables at High Noon"), _high_noon, _PLAYING),
        ScreenPage("tables", _("tables in play"), _tables, _PLAYING),
        ScreenPage("finals", _("finals"), _finals, _BETWEEN | _FINALS),
        ScreenPage("next", _("what's next"), _next, _BEFORE | _BETWEEN | _FINALS),
        ScreenPage("missing", _("missing players"), _missing, _BEFORE | _BETWEEN),
        ScreenPage(PODIUM_PAGE, _("podium"), _podium, _PUBLISHED),
        ScreenPage("prizes", _("prizes"), _prizes, _PUBLISHED),
        ScreenPage(RANKING_PAGE, _("ranking"), _ranking, _PUBLISHED),
        TOMORROW,
        ANNOUNCEMENT,
    )
}
"""The pages by key, in the order in which a screen shows them."""


def pages_of_day(state: TournamentState, *, is_archived: bool = False) -> tuple[ScreenPage, ...]:
    """Return the pages that suit the tournament's stage; some may have nothing to show."""
    if is_archived and state.stage is not Stage.PUBLISHED:
        return (TOMORROW,)
    stage = state.stage if state.published_rounds else Stage.REGISTRATION
    return tuple(page for page in HALL_PAGES.values() if stage in page.during)


def pages_of_screen(facts: ScreenFacts) -> tuple[ScreenPage, ...]:
    """Return the pages that a screen shows now: the pinned one, those chosen, or those of the day."""
    screen = facts.screen
    keys = screen.pages if screen.pinned is None else (screen.pinned,)
    if screen.follows_the_day:
        return pages_of_day(facts.state, is_archived=facts.is_archived)
    return tuple(HALL_PAGES[key] for key in keys if key in HALL_PAGES)


async def facts_in_languages(here: TournamentContext, screen: Projector) -> tuple[ScreenFacts, ...]:
    """Return the facts for a screen in each of its languages."""
    desk = await here.service.of(Desk).record(here.state.tournament)
    archived = await here.service.archive.ids()
    is_over = here.state.stage is Stage.PUBLISHED
    if here.state.tournament in archived and not is_over:
        # A pinned page would show a tournament that doesn't take place.
        screen = replace(screen, pinned=None, pages=())
    awards = await asyncio.to_thread(awards_of, here.state, here.rules) if is_over else ()
    return tuple(
        ScreenFacts(here, screen, desk, archived, words_in(code), awards=awards) for code in screen.languages
    )
