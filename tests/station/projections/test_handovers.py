"""The terminals of a game as it is handed over and back."""

from core.game.events import GameStep, StepOrigin
from core.game.orders import TakeGame
from core.game.takeover import StepWithOrigin
from core.terms import GameId
from station.projections.game_logs import GameHandover, Handovers
from sync.protocol.entry import Epoch, TerminalId

GAME = GameId("g1")
FOUR, SPARE = TerminalId("four"), TerminalId("spare")


def step(seq: int) -> StepWithOrigin:
    return StepWithOrigin(StepOrigin(FOUR, Epoch("0" * 16), seq), GameStep(GAME, ()))


def test_a_terminal_that_gets_its_game_back_has_it_again() -> None:
    handovers = Handovers()
    handovers.give(GAME, GameHandover(FOUR))
    handovers.relieve(GAME, FOUR)
    handovers.give(GAME, GameHandover(SPARE, 2))
    assert handovers.is_relieved(GAME, FOUR)
    assert handovers.was_given(GAME, FOUR)
    assert not handovers.is_relieved(GAME, SPARE)
    handovers.give(GAME, GameHandover(FOUR, 2))
    assert not handovers.is_relieved(GAME, FOUR)
    assert [handover.terminal for handover in handovers.of(GAME)] == [FOUR, SPARE, FOUR]
    assert handovers.of(GameId("another")) == ()


def test_a_game_given_in_pieces_is_given_once_and_known_by_its_last_step() -> None:
    handovers = Handovers()
    handovers.give_steps(SPARE, TakeGame(GAME, 0, 3, (step(1), step(2))))
    assert handovers.of(GAME) == [GameHandover(SPARE, 3)]
    handovers.give_steps(SPARE, TakeGame(GAME, 2, 3, (step(3),)))
    assert handovers.of(GAME) == [GameHandover(SPARE, 3, step(3))]
    handovers.give_steps(SPARE, TakeGame(GAME, 3, 4, (step(4),)))
    assert len(handovers.of(GAME)) == 1
