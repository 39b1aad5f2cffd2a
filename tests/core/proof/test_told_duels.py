"""A duel that a terminal told is replayed like a game."""

import msgspec

from core.editions.loader import edition
from core.game.duel.fight import EnterCharacter
from core.game.duel.opening import DrawStarter
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep
from core.game.result import FinishedDuel, finished_duel
from core.game.setup import CheckIn, SeatTable
from core.game.state.game import Confirmation, SeatedPlayer
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.sheets import AcceptDuel
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.rounds import DrawnTable, Source
from tests.core.cli.conftest import game_lines, pack_of
from tests.core.game.duel.conftest import DECK, ONE, SHORT, TWO, DuelTable
from tests.core.proof.test_forged_and_finals import verdict
from tests.core.tournament.conftest import Judge, seed

RULES = edition("championship-2010")


def at_the_semifinals() -> Judge:
    judge = Judge(RULES).opens(10)
    for _ in range(3):
        judge.plays_round()
    if rounds_standings(judge.state, RULES).draw_groups:
        judge.does(DrawLots(seed("lots")))
    judge.does(PublishRoundsRanking())
    judge.does(BeginDuels(kind=SHORT))
    return judge


def play_duel(judge: Judge, drawn: DrawnTable) -> tuple[list[GameStep], FinishedDuel]:
    """Seat 1 eliminates five characters in a row, and the judge confirms."""
    assert judge.state.finals is not None
    duels = judge.state.finals.begun[-1]
    table = DuelTable(RULES)
    seats = tuple(SeatedPlayer(player, player) for player in drawn.players)
    state = judge.state
    table.ask(
        SeatTable(
            drawn.game, state.tournament, state.name, state.rules, duels.round, drawn.table, seats, SHORT
        ),
        CheckIn(ONE),
        CheckIn(TWO),
    )
    table.ask(EnterCharacter(ONE, DECK[0]), EnterCharacter(TWO, DECK[8]), DrawStarter(ONE))
    table.lost(TWO, 5)
    table.ask(ConfirmSheet(Confirmation.PIN))
    return table.log, finished_duel(table.now())


def test_a_duel_that_its_terminal_told_holds_and_another_winner_is_a_fault() -> None:
    judge = at_the_semifinals()
    assert judge.state.finals is not None
    drawn = judge.state.finals.begun[-1].tables[0]
    steps, result = play_duel(judge, drawn)
    assert (result.winner, result.score) == (ONE, (5, 0))
    judge.does(AcceptDuel(drawn.game, result, Source.TERMINAL))
    verified = verdict(pack_of(judge, game_lines(steps)))
    assert verified.faults == ()
    assert verified.games is not None
    assert (verified.games.replayed, verified.games.accepted) == (1, 7)

    judge = at_the_semifinals()
    turned = msgspec.structs.replace(result, winner=TWO, score=(0, 5), characters=((), ()))
    judge.does(AcceptDuel(drawn.game, turned, Source.TERMINAL))
    (fault,) = verdict(pack_of(judge, game_lines(steps))).faults
    assert "semifinals, table 1: the sheet was accepted as the terminal's" in fault.problem
    assert "winner is 1 there, 2 on the sheet" in fault.problem
