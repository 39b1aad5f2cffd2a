"""Every event of a game, each defined beside its rule; steps of them, and the state after each.

Seats count from 1, clockwise. A *step* is everything that one command caused: the journal stores it as one
entry, and one undo removes it.
"""

import msgspec

from base.errors import BadData
from core.game.auction import (
    AuctionOpened,
    CharacterKept,
    CharacterTaken,
    CharacterWon,
    LeaveCharacter,
    NominatorCalled,
    RevealCharacters,
    TakerCalled,
)
from core.game.bidding import CharacterNominated, HandAnnulled, Pass, Raise
from core.game.clock import ClockEvent, HighNoonCalled
from core.game.correction import (
    CorrectElimination,
    CorrectLife,
    CorrectOrder,
    CorrectTurn,
    CorrectTurns,
    ReshufflesCorrected,
    RestorePlayer,
)
from core.game.duel.fight import CarryWounds, CharacterHealed, ChooseLine, EnterCharacter, WoundCharacter
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.duel.steps import CharacterOut, DuelTurnStarted, DuelWon
from core.game.ending.endings import GameEnded, GameResumed
from core.game.ending.sheet import AgreementEvent, ConfirmSheet, DeclareRoles, VoidGame
from core.game.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason, WarnPlayer
from core.game.play.abandonment import Abandon
from core.game.play.effects import SurviveHighNoon
from core.game.play.eliminations import PlayerEliminated
from core.game.play.reshuffles import DeckReshuffled, HighNoonArmed
from core.game.play.turns import (
    HighNoonBegan,
    SetRecordMode,
    TurnNamed,
    TurnSkipped,
    TurnsPassed,
    TurnStarted,
    TurnUnknown,
)
from core.game.play.wounds import LastLifeSaved, LoseLife, RegainLife
from core.game.rebel import (
    PlayerCameBack,
    RevealRebel,
    RevolutionAsked,
    RevolutionMade,
    ShowEventCard,
)
from core.game.setup import CardsKept, CheckIn, ChooseCharacter, DealRoles, GameBegan, TableSeated
from core.game.state.decisions import state_after
from core.game.state.game import GameState
from core.game.undo import StepsRedone, Undo
from core.terms import GameId

AuctionEvent = (
    AuctionOpened
    | CharacterKept
    | LeaveCharacter
    | RevealCharacters
    | NominatorCalled
    | CharacterNominated
    | Raise
    | Pass
    | HandAnnulled
    | CharacterWon
    | TakerCalled
    | CharacterTaken
)
TurnEvent = TurnSkipped | TurnsPassed | SurviveHighNoon | TurnNamed | TurnUnknown | SetRecordMode
RebelEvent = RevealRebel | RevolutionAsked | RevolutionMade | ShowEventCard | PlayerCameBack
CorrectionEvent = (
    CorrectLife
    | CorrectElimination
    | CorrectTurns
    | ReshufflesCorrected
    | CorrectTurn
    | CorrectOrder
    | RestorePlayer
    | GameResumed
)
EventOfDuel = (
    TurnUpCharacters
    | TakeAdvantage
    | PickCharacter
    | ShowLine
    | DrawStarter
    | EnterCharacter
    | DuelTurnStarted
    | ChooseLine
    | WoundCharacter
    | CharacterHealed
    | CarryWounds
    | CharacterOut
    | DuelWon
)
GameEvent = (
    TableSeated
    | CheckIn
    | DealRoles
    | ChooseCharacter
    | AuctionEvent
    | CardsKept
    | GameBegan
    | TurnStarted
    | TurnEvent
    | LoseLife
    | RegainLife
    | LastLifeSaved
    | PlayerEliminated
    | WarnPlayer
    | Abandon
    | DeckReshuffled
    | HighNoonArmed
    | HighNoonBegan
    | HighNoonCalled
    | RebelEvent
    | CallJudge
    | GiveCallReason
    | AnswerJudgeCall
    | GameEnded
    | AgreementEvent
    | CorrectionEvent
    | DeclareRoles
    | ConfirmSheet
    | VoidGame
    | Undo
    | StepsRedone
    | ClockEvent
    | EventOfDuel
)


class StepOrigin(msgspec.Struct, frozen=True):
    """The origin of a step.

    terminal: its name.
    epoch, seq: position in its stream.
    """

    terminal: str
    epoch: str
    seq: int


class GameStep(msgspec.Struct, frozen=True, tag="game-step", tag_field="body"):
    """The body of a table's journal entry: the events of one command, in order.

    order: the number of the station's order that caused it, or None if entered at the table.
    orders_done: number of orders carried out or refused by the terminal, including this one.
    origin: only in a copy of a step taken over from another terminal.
    """

    game: GameId
    events: tuple[GameEvent, ...]
    order: int | None = None
    orders_done: int = 0
    origin: StepOrigin | msgspec.UnsetType = msgspec.UNSET


def evolve(state: GameState | None, event: GameEvent) -> GameState:
    """Return the state after one event. state: None for the first, which seats the table.

    An undo needs the earlier states: fold steps with ``timeline.extend``. Raises BadData for an event that
    ``decide`` could not have returned: the log is damaged.
    """
    if state is not None:
        return state_after(state, event)
    if not isinstance(event, TableSeated):
        raise BadData("game log", f"the first event must seat a table, not {type(event).__name__}")
    return event.apply(None)
