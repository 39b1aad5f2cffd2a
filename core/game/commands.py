"""Every command of a game, from a table or the judge. Each is defined beside its rule."""

from core.game.auction.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.auction.opening import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.clock.clock import ClockEvent
from core.game.clock.time_limit import EndByTimeLimit
from core.game.correction.corrected_eliminations import CorrectElimination, CorrectOrder, RestorePlayer
from core.game.correction.correction import CorrectLife, CorrectReshuffles, CorrectTurn, CorrectTurns
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.ending.agreement import AgreementEvent
from core.game.ending.sheet import ConfirmSheet, DeclareRoles, VoidGame
from core.game.judge.calls import AnswerJudgeCall, CallJudge, GiveCallReason, WarnPlayer
from core.game.play.abandonment import Abandon
from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetRecordMode, SetTurn, SkipTurn
from core.game.play.wounds import LoseLife, RegainLife, SaveLastLife
from core.game.rebel.comebacks import ShowEventCard
from core.game.rebel.revolution import RevealRebel
from core.game.setup.character_choice import BeginGame, ChooseCharacter, KeepCards
from core.game.setup.seating import CheckIn, CheckInAll, DealRoles, RestartGame, SeatTable
from core.game.undo import Redo, Undo

TurnCommand = SkipTurn | SetTurn | MarkJailed | SurviveHighNoon | SetRecordMode
AuctionCommand = KeepCharacter | LeaveCharacter | RevealCharacters | Nominate | Raise | Pass | TakeCharacter
CorrectionCommand = (
    CorrectLife
    | CorrectElimination
    | CorrectTurns
    | CorrectReshuffles
    | CorrectTurn
    | CorrectOrder
    | RestorePlayer
)
DuelMove = (
    TurnUpCharacters
    | TakeAdvantage
    | PickCharacter
    | ShowLine
    | DrawStarter
    | EnterCharacter
    | ChooseLine
    | WoundCharacter
    | HealCharacter
    | CarryWounds
    | RuleDuel
)
GameCommand = (
    SeatTable
    | CheckIn
    | CheckInAll
    | DealRoles
    | ChooseCharacter
    | AuctionCommand
    | KeepCards
    | BeginGame
    | EndTurn
    | TurnCommand
    | LoseLife
    | RegainLife
    | SaveLastLife
    | Eliminate
    | WarnPlayer
    | Abandon
    | Reshuffle
    | RevealRebel
    | AnswerRevolution
    | ShowEventCard
    | CallJudge
    | GiveCallReason
    | AnswerJudgeCall
    | EndByTimeLimit
    | AgreementEvent
    | CorrectionCommand
    | DeclareRoles
    | ConfirmSheet
    | VoidGame
    | RestartGame
    | ClockEvent
    | Undo
    | Redo
    | DuelMove
)
