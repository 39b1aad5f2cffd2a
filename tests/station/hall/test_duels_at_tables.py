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
from core.rule_set import RuleSet
from core.terms import DuelPart, MatchKind, PlayerId, RoundNo, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.finals import BeginDuels, CallOffTieDuel, PublishRoundsRanking
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.sheets import AcceptDuel, AcceptSheet, CorrectDuel, CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking, one_on_one_pairs
from core.tournament.state.finals import Duels, Finals
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, Source, sheet_of
from core.tournament.state.tournament import TournamentState, Waivers
from station.offline.service import ImportOutcome, ParcelImporter
from tests.core.game.duel.conftest import ONE, TWO, WITH_FINALS
from tests.core.tournament.conftest import outlaws_won, time_was_up
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Pair, ScriptedTerminal, Station, present, seed


@pytest.fixture
def pair(station: Station) -> Pair:
    """Terminals at tables 1 and 2 after one round, when the semifinals are called."""
    station.opens(10, Waivers(rounds=1), WITH_FINALS)
    pair = station.terminal(1), station.terminal(2)
    station.publishes()
    for terminal in pair:
        terminal.rules = rules_of(WITH_FINALS)
        terminal.plays()
    station.breaks_ties()
    station.does(PublishRoundsRanking())
    station.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    return pair


def finals(station: Station) -> Finals:
    return present(state_of(station).finals)


def semifinals(station: Station) -> Duels:
    return present(finals(station).semifinals)


def duels(
    terminal: ScriptedTerminal,
    seating: SeatTable | None = None,
    *,
    confirmed: bool = True,
    sent: bool = True,
) -> None:
    """Play a short duel at a terminal: seat 2 loses five lives, one after the other."""
    deck = iter(Character)
    terminal.ask(seating or terminal.seating, CheckIn(ONE), CheckIn(TWO))
    for command in (EnterCharacter(ONE, next(deck)), EnterCharacter(TWO, next(deck)), DrawStarter(ONE)):
        terminal.ask(command)
    for fallen in range(5):
        assert terminal.timeline is not None
        front = present(present(terminal.timeline.state.duel).side(TWO).front)
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


def test_a_called_duel_is_seated_with_the_better_placed_at_seat_1(station: Station, pair: Pair) -> None:
    for terminal, drawn in zip(pair, semifinals(station).tables, strict=True):
        order = terminal.ordered(SeatGame)[-1]
        assert (order.seating.match, order.seating.game) == (MatchKind.SHORT_DUEL, drawn.game)
        assert tuple(seat.player for seat in order.seating.seats) == drawn.players
        assert all(seat.stake is None for seat in order.seating.seats)


def test_duels_confirmed_at_their_tables_lead_to_final_and_champion(
    station: Station, pair: Pair, visitor: Browser
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
    station.does(PublishRanking())
    page = visitor.get(f"/t/{OPEN}/results.html")
    names = {entrant.player: entrant.name for entrant in state_of(station).entrants}
    shows(
        page,
        "The final, move by move",
        f"{names[first]} wins the duel",
        ">Finals</th>",
        never="Players seated",
    )


def test_a_duel_that_nobody_confirmed_stays_open_until_its_paper_comes(station: Station, pair: Pair) -> None:
    duels(pair[0], confirmed=False)
    drawn = semifinals(station).tables[0]
    assert semifinals(station).sheets == ()
    station.does(AcceptDuel(drawn.game, paper(drawn, TWO), Source.PAPER))
    assert [order.game for order in pair[0].ordered(ConfirmFromStation)] == [drawn.game]
    assert finals(station).semifinal_winners[0] == drawn.players[1]


def test_duels_that_are_taken_back_leave_the_terminals(station: Station, pair: Pair) -> None:
    station.does(UndoSteps(1, "slip"))
    assert [order.game for order in pair[1].ordered(VoidTable)] == [pair[1].seating.game]


def test_a_finalist_who_leaves_loses_at_the_terminal_too(station: Station, pair: Pair) -> None:
    terminal, drawn = pair[1], semifinals(station).tables[1]
    terminal.tells(terminal.seating, CheckIn(ONE))
    station.does(WithdrawPlayer(drawn.players[0], "had to leave"))
    (order,) = terminal.ordered(WithdrawSeat)
    terminal.tells(Abandon(order.seat, order.ejected), ConfirmSheet(Confirmation.KEY))
    assert terminal.state.phase is Phase.CONFIRMED
    result = present(sheet_of(semifinals(station).sheets, drawn.game))
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


def test_a_carried_duel_is_accepted_once_and_another_one_disputes_it(station: Station, pair: Pair) -> None:
    def takes(parcel: bytes) -> ImportOutcome:
        return station.run(
            station.service.of(ParcelImporter).import_parcel(parcel, "picture", "Judge Roy")
        ).outcome

    away, _ = pair
    duels(away, sent=False)
    result = finished_duel(away.state)
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
    assert station.verdict().holds


TiedPair = tuple[PlayerId, PlayerId]


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    """A terminal at table 1 after five games; the two Outlaws won the first one."""
    station.opens(5, rules="official-2003")
    terminal = station.terminal(1)
    terminal.rules = rules_of(RuleSet("official-2003"))
    plays_games(station)
    return terminal


def plays_games(station: Station, count: int = 5) -> None:
    """Play this many games: the Outlaws win the first one, the others end by time."""
    for number in range(count):
        drawn = station.publishes(number)
        play = outlaws_won if number == 0 else time_was_up
        station.does(AcceptSheet(drawn.tables[0].game, play(drawn, drawn.tables[0]), Source.PAPER))


def state_of(station: Station) -> TournamentState:
    return station.service.tournament(OPEN)


def pairs(station: Station) -> tuple[TiedPair, ...]:
    duels = one_on_one_pairs(station.service.standings(OPEN), rules_of(RuleSet("official-2003")))
    return tuple((first, second) for first, second in duels)


def begins(station: Station, pair: TiedPair, kind: MatchKind = MatchKind.SHORT_DUEL) -> None:
    station.does(BeginDuels.of_tie(pair, kind, seed(f"for {pair[0]}")))


def test_a_duel_at_the_terminal_breaks_the_tie(station: Station, terminal: ScriptedTerminal) -> None:
    first, *others = pairs(station)
    assert len(others) == 1
    begins(station, first)
    (called,) = state_of(station).tie_duels
    drawn = called.tables[0]
    assert (called.part, called.round, set(drawn.players)) == (DuelPart.TIE_BREAK, 6, set(first))
    seating = terminal.seating
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


def test_a_corrected_winner_changes_the_order(station: Station, terminal: ScriptedTerminal) -> None:
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
    plays_games(station)
    for pair in pairs(station):
        begins(station, pair, MatchKind.LONG_DUEL)
    assert [(duel.round, duel.tables[0].table) for duel in state_of(station).tie_duels] == [
        (6, 1),
        (7, 2),
    ]
    assert station.refuses(
        BeginDuels.of_tie(pairs(station)[0], MatchKind.SHORT_DUEL, seed("again"))
    ).reason is (TournamentReason.DUELS_RUN)


def test_the_seat_of_the_better_placed_is_drawn_by_a_lot_that_the_proof_repeats(
    station: Station, terminal: ScriptedTerminal
) -> None:
    for pair in pairs(station):
        begins(station, pair)
        duels(terminal)
    station.does(PublishRanking())
    assert station.verdict().holds


def test_a_duel_whose_tie_is_broken_by_lot_is_called_off(
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
    assert station.refuses(command).reason is TournamentReason.NOT_TIED_ALONE
    game = BeginDuels.of_tie(pairs(station)[0], MatchKind.GAME, seed("x"))
    assert station.refuses(game).reason is TournamentReason.OTHER_DUEL_KIND
    assert station.refuses(BeginDuels.of_tie(pairs(station)[0], MatchKind.SHORT_DUEL, "x")).reason is (
        TournamentReason.BAD_SEED
    )


def test_a_duel_that_is_called_off_may_be_called_again(station: Station, terminal: ScriptedTerminal) -> None:
    first = pairs(station)[0]
    begins(station, first)
    game = state_of(station).tie_duels[0].tables[0].game
    station.does(CallOffTieDuel(game))
    assert not state_of(station).open_tie_duels
    assert [order.game for order in terminal.ordered(VoidTable)] == [game]
    assert station.refuses(CallOffTieDuel(game)).reason is TournamentReason.UNKNOWN_GAME
    station.does(BeginDuels.of_tie(first, MatchKind.SHORT_DUEL, seed("again")))
    duels(terminal)
    assert first not in pairs(station)
    station.publishes_ranking()
    assert station.verdict().holds


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
