"""Duels of the finals at terminals: seated, confirmed and recorded like games."""

import msgspec
import pytest

from core.characters import Character
from core.editions.loader import rules_of
from core.game.duel.fight import EnterCharacter, WoundCharacter
from core.game.duel.opening import DrawStarter
from core.game.ending.sheet import ConfirmSheet
from core.game.orders import ConfirmFromStation, SeatGame, VoidTable, WithdrawSeat
from core.game.play.abandonment import Abandon
from core.game.result import FinishedDuel, finished_duel
from core.game.setup import CheckIn, SeatTable
from core.game.state.duel import DuelBecause
from core.game.state.game import Confirmation, Phase
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.terms import MatchKind, RoundNo, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptDuel
from core.tournament.standings.ranking import DrawLots
from core.tournament.state.finals import Duels, Finals
from core.tournament.state.rounds import DrawnTable, Source, sheet_of
from core.tournament.state.tournament import Waivers
from station.offline.service import ImportOutcome, ParcelImporter
from tests.core.game.duel.conftest import ONE, TWO, WITH_FINALS
from tests.station.conftest import OPEN, ScriptedTerminal, Station, players, seed

Pair = tuple[ScriptedTerminal, ScriptedTerminal]


@pytest.fixture
def pair(station: Station) -> Pair:
    """Terminals at tables 1 and 2 after one round, when the semifinals are called."""
    station.does(OpenTournament(OPEN, "Open", WITH_FINALS, "2026-11-21", Waivers(rounds=1)))
    station.does(RegisterPlayers(players(10)))
    pair = station.terminal(1), station.terminal(2)
    station.publishes()
    for terminal in pair:
        terminal.rules = rules_of(WITH_FINALS)
        terminal.plays()
    if station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRoundsRanking())
    station.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    return pair


def finals(station: Station) -> Finals:
    current = station.service.tournament(OPEN).finals
    assert current is not None
    return current


def semifinals(station: Station) -> Duels:
    drawn = finals(station).semifinals
    assert drawn is not None
    return drawn


def duels(
    terminal: ScriptedTerminal,
    seating: SeatTable | None = None,
    *,
    confirmed: bool = True,
    sent: bool = True,
) -> None:
    """Play a short duel at a terminal: seat 2 loses five lives, one after the other."""
    deck = iter(Character)
    terminal.ask(seating or terminal.ordered(SeatGame)[-1].seating, CheckIn(ONE), CheckIn(TWO))
    for command in (EnterCharacter(ONE, next(deck)), EnterCharacter(TWO, next(deck)), DrawStarter(ONE)):
        terminal.ask(command)
    for fallen in range(5):
        assert terminal.timeline is not None
        assert terminal.timeline.state.duel is not None
        front = terminal.timeline.state.duel.side(TWO).front
        assert front is not None
        terminal.ask(WoundCharacter(TWO, front.character, front.life))
        if fallen < 4:
            terminal.ask(EnterCharacter(TWO, next(deck)))
    if confirmed:
        terminal.ask(ConfirmSheet(Confirmation.PIN))
    if sent:
        terminal.sends()


def paper(drawn: DrawnTable, winner: SeatNo) -> FinishedDuel:
    one, other = drawn.players
    score = (5, 0) if winner == ONE else (0, 5)
    return FinishedDuel(
        round=RoundNo(2),
        table=drawn.table,
        kind=MatchKind.SHORT_DUEL,
        players=(one, other),
        winner=winner,
        score=score,
        because=DuelBecause.ELIMINATIONS,
    )


def test_a_called_duel_is_seated_with_the_better_placed_player_at_seat_1(
    station: Station, pair: Pair
) -> None:
    for terminal, drawn in zip(pair, semifinals(station).tables, strict=True):
        order = terminal.ordered(SeatGame)[-1]
        assert (order.seating.match, order.seating.game) == (MatchKind.SHORT_DUEL, drawn.game)
        assert tuple(seat.player for seat in order.seating.seats) == drawn.players
        assert all(seat.stake is None for seat in order.seating.seats)


def test_duels_confirmed_at_their_tables_lead_to_the_final_and_the_champion(
    station: Station, pair: Pair
) -> None:
    for terminal in pair:
        duels(terminal)
    assert [accepted.by for accepted in semifinals(station).sheets] == [
        "terminal 1 (PIN)", "terminal 2 (PIN)",
    ]  # fmt: skip
    first, second, _, _ = finals(station).finalists
    assert finals(station).final_pair == (first, second)
    station.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    duels(pair[0])
    assert finals(station).champion == first


def test_a_duel_that_nobody_confirmed_stays_open_until_the_station_has_its_paper(
    station: Station, pair: Pair
) -> None:
    duels(pair[0], confirmed=False)
    drawn = semifinals(station).tables[0]
    assert semifinals(station).sheets == ()
    station.does(AcceptDuel(drawn.game, paper(drawn, TWO), Source.PAPER))
    assert [order.game for order in pair[0].ordered(ConfirmFromStation)] == [drawn.game]
    assert finals(station).semifinal_winners[0] == drawn.players[1]


def test_duels_that_are_taken_back_leave_the_terminals(station: Station, pair: Pair) -> None:
    station.does(UndoSteps(1, "slip"))
    assert [order.game for order in pair[1].ordered(VoidTable)] == [
        pair[1].ordered(SeatGame)[-1].seating.game
    ]


def test_a_finalist_who_leaves_loses_at_the_terminal_too(station: Station, pair: Pair) -> None:
    terminal, drawn = pair[1], semifinals(station).tables[1]
    terminal.ask(terminal.ordered(SeatGame)[-1].seating, CheckIn(ONE))
    terminal.sends()
    station.does(WithdrawPlayer(drawn.players[0], "had to leave"))
    (order,) = terminal.ordered(WithdrawSeat)
    terminal.ask(Abandon(order.seat, order.ejected), ConfirmSheet(Confirmation.KEY))
    terminal.sends()
    assert terminal.timeline is not None
    assert terminal.timeline.state.phase is Phase.CONFIRMED
    result = sheet_of(semifinals(station).sheets, drawn.game)
    assert result is not None
    assert (result.result.winning_player, result.result.because) == (
        drawn.players[1],
        DuelBecause.OPPONENT_LEFT,
    )


def test_a_result_that_was_taken_back_is_not_accepted_again_by_itself(station: Station, pair: Pair) -> None:
    duels(pair[0])
    station.does(UndoSteps(1, "slip"))
    assert semifinals(station).sheets == ()
    pair[0].sends()
    assert semifinals(station).sheets == ()


def test_a_duel_that_was_carried_is_accepted_once_and_another_one_disputes_it(
    station: Station, pair: Pair
) -> None:
    def takes(parcel: bytes) -> ImportOutcome:
        return station.run(
            station.service.of(ParcelImporter).import_parcel(parcel, "picture", "Judge Roy")
        ).outcome

    away, _ = pair
    duels(away, sent=False)
    assert away.timeline is not None
    result = finished_duel(away.timeline.state)
    assert takes(away.seals_sheet(result)) is ImportOutcome.SHEET_ACCEPTED
    assert takes(away.seals_sheet(result)) is ImportOutcome.SHEET_KNOWN
    (accepted,) = semifinals(station).sheets
    assert (accepted.source, accepted.result) == (Source.CARRIED, result)
    other = msgspec.structs.replace(result, score=(result.score[0], result.score[1] + 1))
    assert takes(away.seals_sheet(other)) is ImportOutcome.SHEET_CONTESTED
    away.sends()
    (contested,) = semifinals(station).sheets
    assert contested.result == result
    assert [game for game, _ in contested.contested] == [other]
    assert verify_pack(read_pack(station.service.export(OPEN))).holds
