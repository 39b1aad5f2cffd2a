"""Two tied players play one-on-one at a table instead of drawing lots (D30 of the 2003 score systems)."""

import pytest

from base.errors import Refused
from core.editions.loader import rules_of
from core.game.orders import SeatGame, VoidTable
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.rule_set import RuleSet
from core.terms import DuelPart, MatchKind, PlayerId, SeatNo
from core.tournament.decisions import TournamentDecision
from core.tournament.finals import BeginDuels, CallOffTieDuel
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.sheets import AcceptSheet, CorrectDuel, CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking, one_on_one_pairs
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import TournamentState
from tests.core.tournament.conftest import outlaws_won, time_was_up
from tests.station.conftest import OPEN, ScriptedTerminal, Station, seed
from tests.station.hall.test_duels_at_tables import duels

Pair = tuple[PlayerId, PlayerId]


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    """A terminal at table 1 after five games; the two Outlaws won the first one."""
    station.opens(5, rules="official-2003")
    terminal = station.terminal(1)
    terminal.rules = rules_of(RuleSet("official-2003"))
    plays_five_games(station)
    return terminal


def plays_five_games(station: Station) -> None:
    plays_games(station, 5)


def plays_games(station: Station, count: int) -> None:
    """Play this many games: the Outlaws win the first one, the others end by time."""
    for number in range(count):
        drawn = station.publishes(number)
        play = outlaws_won if number == 0 else time_was_up
        station.does(AcceptSheet(drawn.tables[0].game, play(drawn, drawn.tables[0]), Source.PAPER))


def state_of(station: Station) -> TournamentState:
    return station.service.tournament(OPEN)


def pairs(station: Station) -> tuple[Pair, ...]:
    duels = one_on_one_pairs(station.service.standings(OPEN), rules_of(RuleSet("official-2003")))
    return tuple((first, second) for first, second in duels)


def begins(station: Station, pair: Pair, kind: MatchKind = MatchKind.SHORT_DUEL) -> None:
    station.does(BeginDuels.of_tie(pair, kind, seed(f"for {pair[0]}")))


def refused(station: Station, command: TournamentDecision) -> object:
    with pytest.raises(Refused) as raised:
        station.does(command)
    return raised.value.reason


def test_the_duel_is_played_at_the_terminal_and_breaks_the_tie(
    station: Station, terminal: ScriptedTerminal
) -> None:
    first, *others = pairs(station)
    assert len(others) == 1
    begins(station, first)
    (called,) = state_of(station).tie_duels
    drawn = called.tables[0]
    assert (called.part, called.round, set(drawn.players)) == (DuelPart.TIE_BREAK, 6, set(first))
    seating = terminal.ordered(SeatGame)[-1].seating
    assert (seating.match, seating.game) == (MatchKind.SHORT_DUEL, drawn.game)
    duels(terminal)
    winner, loser = drawn.players
    assert state_of(station).games_of_two == ((winner, loser),)
    assert not state_of(station).open_tie_duels
    rows = {row.player: row for row in station.service.standings(OPEN).rows}
    order = list(rows)
    assert order.index(winner) < order.index(loser)
    assert rows[winner].one_on_one
    assert rows[winner].lot is None
    assert pairs(station) == (others[0],)
    why = station.service.why(OPEN, winner)
    assert [(duel.part, duel.opponent, duel.won) for duel in why.rank.duels] == [
        (DuelPart.TIE_BREAK, loser, True)
    ]


def test_another_winner_after_a_correction_changes_the_order(
    station: Station, terminal: ScriptedTerminal
) -> None:
    begins(station, pairs(station)[0])
    duels(terminal)
    (sheet,) = state_of(station).tie_duels[0].sheets
    result = sheet.result
    turned = type(result)(
        result.round, result.table, result.kind, result.players, SeatNo(2), (0, 5), result.because
    )
    station.does(CorrectDuel(sheet.game, turned, "the wrong name was tapped"))
    order = [row.player for row in station.service.standings(OPEN).rows]
    assert order.index(result.players[1]) < order.index(result.players[0])


def test_both_ties_are_played_at_once_at_tables_of_their_own(station: Station) -> None:
    station.opens(5, rules="official-2003")
    plays_five_games(station)
    for pair in pairs(station):
        begins(station, pair, MatchKind.LONG_DUEL)
    assert [(duel.round, duel.tables[0].table) for duel in state_of(station).tie_duels] == [(6, 1), (7, 2)]
    assert refused(station, BeginDuels.of_tie(pairs(station)[0], MatchKind.SHORT_DUEL, seed("again"))) is (
        TournamentReason.DUELS_RUN
    )


def test_the_seat_of_the_better_placed_is_drawn_by_a_lot_that_the_proof_repeats(
    station: Station, terminal: ScriptedTerminal
) -> None:
    for pair in pairs(station):
        begins(station, pair)
        duels(terminal)
    station.does(PublishRanking())
    assert verify_pack(read_pack(station.service.export(OPEN))).holds


def test_a_duel_whose_tie_was_broken_otherwise_is_called_off(
    station: Station, terminal: ScriptedTerminal
) -> None:
    first = pairs(station)[0]
    begins(station, first)
    game = state_of(station).tie_duels[0].tables[0].game
    station.does(DrawLots(seed("lots")))
    assert not state_of(station).open_tie_duels
    assert [order.game for order in terminal.ordered(VoidTable)] == [game]
    assert not state_of(station).duels
    station.does(PublishRanking())


def test_a_player_who_leaves_ends_the_duel(station: Station, terminal: ScriptedTerminal) -> None:
    first = pairs(station)[0]
    begins(station, first)
    station.does(WithdrawPlayer(first[0], "train"))
    assert not state_of(station).open_tie_duels
    assert first not in pairs(station)
    assert len(terminal.ordered(VoidTable)) == 1


def test_only_two_who_are_tied_alone_are_called(station: Station, terminal: ScriptedTerminal) -> None:
    (one, _), (other, _) = pairs(station)
    command = BeginDuels.of_tie((one, other), MatchKind.SHORT_DUEL, seed("x"))
    assert refused(station, command) is TournamentReason.NOT_TIED_ALONE
    game = BeginDuels.of_tie(pairs(station)[0], MatchKind.GAME, seed("x"))
    assert refused(station, game) is TournamentReason.OTHER_DUEL_KIND
    assert refused(station, BeginDuels.of_tie(pairs(station)[0], MatchKind.SHORT_DUEL, "x")) is (
        TournamentReason.BAD_SEED
    )


def test_a_duel_called_by_mistake_is_called_off_and_may_be_called_again(
    station: Station, terminal: ScriptedTerminal
) -> None:
    first = pairs(station)[0]
    begins(station, first)
    game = state_of(station).tie_duels[0].tables[0].game
    station.does(CallOffTieDuel(game))
    assert not state_of(station).open_tie_duels
    assert [order.game for order in terminal.ordered(VoidTable)] == [game]
    assert refused(station, CallOffTieDuel(game)) is TournamentReason.UNKNOWN_GAME
    station.does(BeginDuels.of_tie(first, MatchKind.SHORT_DUEL, seed("again")))
    duels(terminal)
    assert first not in pairs(station)
    station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    assert verify_pack(read_pack(station.service.export(OPEN))).holds


def test_a_lot_of_more_players_leaves_two_who_are_tied_alone_their_duel(station: Station) -> None:
    station.opens(5, rules="official-2003")
    for number in range(5):
        drawn = station.publishes(number)
        station.does(AcceptSheet(drawn.tables[0].game, time_was_up(drawn, drawn.tables[0]), Source.PAPER))
    (everybody,) = station.service.standings(OPEN).draw_groups
    assert len(everybody) == 5
    station.does(DrawLots(seed("lots")))
    first = state_of(station).rounds[0]
    won = outlaws_won(first, first.tables[0])
    station.does(CorrectSheet(first.tables[0].game, won, "the Outlaws had won"))
    # The lot was for all five, and no longer counts.
    for pair in pairs(station):
        begins(station, pair)
    assert len(state_of(station).open_tie_duels) == len(state_of(station).tie_duels) == 2


def test_a_duel_whose_tie_a_correction_dissolves_is_named_until_it_is_called_off(
    station: Station, terminal: ScriptedTerminal
) -> None:
    begins(station, pairs(station)[0])
    first = state_of(station).rounds[0]
    nobody = time_was_up(first, first.tables[0])
    station.does(CorrectSheet(first.tables[0].game, nobody, "nobody had won"))
    assert not pairs(station)
    ((_, table),) = state_of(station).open_tie_duels
    station.does(CallOffTieDuel(table.game))
    assert [order.game for order in terminal.ordered(VoidTable)] == [table.game]
    assert not state_of(station).duels


def test_an_ejected_player_ends_the_duel_as_well(station: Station, terminal: ScriptedTerminal) -> None:
    first = pairs(station)[0]
    begins(station, first)
    station.does(EjectPlayer(first[0], "cheating"))
    assert not state_of(station).open_tie_duels
    assert state_of(station).games_of_two == ()
