"""Calling the judge to the table."""

from saloon.base.errors import Refused
from saloon.core.game.commands import AnswerJudgeCall, CallJudge
from saloon.core.game.events import GameEvent, JudgeAnswered, JudgeCalled
from saloon.core.game.reasons import Reason
from saloon.core.game.seats import require_phase
from saloon.core.game.state import GameState, Phase

STILL_OPEN = (
    Phase.SEATING,
    Phase.ROLES,
    Phase.AUCTION,
    Phase.CHARACTERS,
    Phase.PLAYING,
    Phase.DUEL,
    Phase.ENDED,
    Phase.SHEET,
)
"""While these last, the table may still want something of the judge."""


def call_judge(state: GameState, _command: CallJudge) -> tuple[GameEvent, ...]:
    """The table wants the judge. Raises Refused where that is known, or the game is closed.

    Source: Championship 2022/23 v1.4, 2 "Tournament behavior".
    """
    require_phase(state, *STILL_OPEN)
    if state.judge_called:
        raise Refused(Reason.JUDGE_CALLED)
    return (JudgeCalled(),)


def answer_judge_call(state: GameState, _command: AnswerJudgeCall) -> tuple[GameEvent, ...]:
    """The judge came, or is not wanted any more. Raises Refused where nobody called."""
    if not state.judge_called:
        raise Refused(Reason.JUDGE_NOT_CALLED)
    return (JudgeAnswered(),)
