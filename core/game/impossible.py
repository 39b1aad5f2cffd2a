"""Why a recorded ending cannot have been: what at the table speaks against it."""

from saloon.base.errors import Refused
from saloon.core.game.ending.endings import InProgress, Outcome
from saloon.core.game.events import Ending
from saloon.core.game.reasons import Reason
from saloon.core.game.setup.roles import Role


def impossible(ending: Ending, found: InProgress | Outcome) -> Refused:
    """The refusal of an ending that the eliminations do not give, naming the first thing against it.

    Source: base game; The Rebel!, Clarifications and particular cases.
    """
    why = _against(ending, found)
    if why is not None:
        return Refused(why)
    if isinstance(found, Outcome):
        return Refused(Reason.ENDING_DIFFERS, expected=found.ending.value, found=ending.value)
    return Refused(Reason.ENDING_NOT_REACHED)


def _against(ending: Ending, found: InProgress | Outcome) -> Reason | None:
    match ending:
        case Ending.LAW_WINS:
            return _against_law(found)
        case Ending.OUTLAWS_WIN:
            return _against_outlaws(found)
        case Ending.RENEGADE_WINS:
            return _against_renegade(found)
        case Ending.NO_WINNER:
            return None


def _against_law(found: InProgress | Outcome) -> Reason | None:
    if found.current_sheriff not in found.alive:
        return Reason.LAW_WITHOUT_SHERIFF
    if found.seats_of(Role.OUTLAW, alive=True):
        return Reason.OUTLAW_IN_PLAY
    return Reason.RENEGADE_IN_PLAY if found.seats_of(Role.RENEGADE, alive=True) else None


def _against_outlaws(found: InProgress | Outcome) -> Reason | None:
    if found.current_sheriff in found.alive:
        return Reason.SHERIFF_IN_PLAY if found.revolution is None else Reason.REBEL_IS_SHERIFF
    alone = len(found.alive) == 1 and found.seats_of(Role.RENEGADE, alive=True)
    return Reason.RENEGADE_ALONE if alone else None


def _against_renegade(found: InProgress | Outcome) -> Reason | None:
    if not found.seats_of(Role.RENEGADE, alive=True):
        return Reason.NO_RENEGADE_LEFT
    return Reason.RENEGADE_NOT_ALONE if len(found.alive) > 1 else None
