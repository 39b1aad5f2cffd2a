"""The union of all events of a game, and the steps that a table's journal consists of.

A *step* has all events that one command caused. The journal stores it as one entry, and one undo removes it.
"""

import msgspec

from base.errors import BadData
from core.game import clock, correction, setup
from core.game.duel import fight, opening
from core.game.ending import endings, judge_calls, rebel, sheet
from core.game.play import abandonment, auction, bidding, effects, eliminations, reshuffles, turns, wounds
from core.game.state.decisions import StepsRedone, Undo, state_after
from core.game.state.game import GameState
from core.terms import GameId

TurnEvent = (
    turns.TurnSkipped
    | turns.TurnsPassed
    | effects.SurviveHighNoon
    | turns.TurnNamed
    | turns.TurnUnknown
    | turns.SetRecordMode
)
EventOfDuel = (
    opening.TurnUpCharacters
    | opening.TakeAdvantage
    | opening.PickCharacter
    | opening.ShowLine
    | opening.DrawStarter
    | fight.EnterCharacter
    | fight.DuelTurnStarted
    | fight.ChooseLine
    | fight.WoundCharacter
    | fight.CharacterHealed
    | fight.CarryWounds
    | fight.CharacterOut
    | fight.DuelWon
)
GameEvent = (
    setup.TableSeated
    | setup.CheckIn
    | setup.DealRoles
    | setup.ChooseCharacter
    | auction.AuctionOpened
    | auction.CharacterKept
    | auction.LeaveCharacter
    | auction.RevealCharacters
    | auction.NominatorCalled
    | bidding.CharacterNominated
    | bidding.Raise
    | bidding.Pass
    | bidding.HandAnnulled
    | auction.CharacterWon
    | auction.TakerCalled
    | auction.CharacterTaken
    | setup.CardsKept
    | setup.GameBegan
    | turns.TurnStarted
    | TurnEvent
    | wounds.LoseLife
    | wounds.RegainLife
    | wounds.LastLifeSaved
    | eliminations.PlayerEliminated
    | judge_calls.WarnPlayer
    | abandonment.Abandon
    | reshuffles.DeckReshuffled
    | reshuffles.HighNoonArmed
    | turns.HighNoonBegan
    | clock.HighNoonCalled
    | rebel.RevealRebel
    | rebel.RevolutionAsked
    | rebel.RevolutionMade
    | rebel.ShowEventCard
    | rebel.PlayerCameBack
    | judge_calls.CallJudge
    | judge_calls.GiveCallReason
    | judge_calls.AnswerJudgeCall
    | endings.GameEnded
    | sheet.AgreementEvent
    | correction.CorrectLife
    | correction.CorrectElimination
    | correction.CorrectTurns
    | correction.ReshufflesCorrected
    | correction.CorrectTurn
    | correction.CorrectOrder
    | correction.RestorePlayer
    | endings.GameResumed
    | sheet.DeclareRoles
    | sheet.ConfirmSheet
    | sheet.VoidGame
    | Undo
    | StepsRedone
    | clock.ClockEvent
    | EventOfDuel
)


class StepOrigin(msgspec.Struct, frozen=True):
    """The terminal that recorded a step, and the step's position in that terminal's journal."""

    terminal: str
    epoch: str
    seq: int


class GameStep(msgspec.Struct, frozen=True, tag="game-step", tag_field="body"):
    """The body of a table's journal entry: the events of one command, in order.

    order: the number of the station's order that caused it, or None if it was entered at the table.
    orders_done: number of orders that the terminal has carried out or refused, including this one.
    origin: set only in copies of steps that were taken over from another terminal.
    """

    game: GameId
    events: tuple[GameEvent, ...]
    order: int | None = None
    orders_done: int = 0
    origin: StepOrigin | msgspec.UnsetType = msgspec.UNSET


def evolve(state: GameState | None, event: GameEvent) -> GameState:
    """Return the state after an event. ``state`` is None before the first event, which seats the table.

    Raises BadData if the event is impossible, which means that the log is damaged, and for an undo or redo,
    which ``timeline.extend`` handles.
    """
    if state is not None:
        return state_after(state, event)
    if not isinstance(event, setup.TableSeated):
        raise BadData("game log", f"the first event must seat a table, not {type(event).__name__}")
    return event.apply(None)
