"""Descriptions of the players' answers on an ending and the judge's corrections, for both stories."""

from collections.abc import Sequence
from typing import assert_never

from saloon.core.game.cause import Cause
from saloon.core.game.correction.correction_events import (
    CorrectionEvent,
    EliminationCorrected,
    GameResumed,
    LifeCorrected,
    TurnsCorrected,
)
from saloon.core.game.ending.agreement_events import (
    AgreementEvent,
    AgreementWaived,
    AgreementWithdrawn,
    EndingAgreed,
    EndingDisputed,
)
from saloon.core.words import Words


def closing_told(event: AgreementEvent | CorrectionEvent, names: Sequence[str], words: Words) -> str:
    """Describe one event. names: by seat."""
    if isinstance(event, AgreementEvent):
        return _agreement_told(event, names[event.seat - 1], words)
    return _correction_told(event, names, words)


def _agreement_told(event: AgreementEvent, name: str, words: Words) -> str:
    _ = words.gettext
    match event:
        case EndingAgreed():
            text = _("{name} agrees with the ending")
        case AgreementWithdrawn():
            text = _("{name} withdraws their answer on the ending")
        case EndingDisputed():
            text = _("{name} disputes the ending")
        case AgreementWaived():
            text = _("The judge continues without {name}")
        case _:
            assert_never(event)
    return text.format(name=name)


def _correction_told(event: CorrectionEvent, names: Sequence[str], words: Words) -> str:
    _ = words.gettext
    match event:
        case LifeCorrected():
            text = _("Judge: {name} has {life} life points ({reason})")
            return text.format(name=names[event.seat - 1], life=event.life, reason=event.reason)
        case EliminationCorrected():
            return _elimination_told(event, names, words)
        case TurnsCorrected():
            text = _("Judge: {name} has played {turns} turns ({reason})")
            return text.format(name=names[event.seat - 1], turns=event.turns, reason=event.reason)
        case GameResumed():
            return _("The game continues")
        case _:
            assert_never(event)


def _elimination_told(event: EliminationCorrected, names: Sequence[str], words: Words) -> str:
    _ = words.gettext
    fields = {
        "name": names[event.seat - 1],
        "role": _(event.role.value),
        "reason": event.reason,
    }
    match event.cause:
        case Cause.PLAYER:
            assert event.by is not None  # the core sets a killer if the cause is a player
            text = _("Judge: {name} ({role}) was eliminated by {killer} ({reason})")
            return text.format(killer=names[event.by - 1], **fields)
        case Cause.DYNAMITE:
            return _("Judge: {name} ({role}) was eliminated by Dynamite ({reason})").format(**fields)
        case Cause.HIGH_NOON:
            return _("Judge: {name} ({role}) was eliminated at High Noon ({reason})").format(**fields)
        case _:
            assert_never(event.cause)
