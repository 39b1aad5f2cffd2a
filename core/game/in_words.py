"""Descriptions of a game's moves, identical at the table and for the judge."""

from collections.abc import Sequence
from typing import assert_never

from saloon.core.game import events as e
from saloon.core.game.auction import events as auction
from saloon.core.game.auction.events import AuctionEvent
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
from saloon.core.game.events import CardsKept
from saloon.core.game.play.turn_events import Skip, TurnEvent, TurnSkipped
from saloon.core.game.rebel.rebel_events import RebelEvent, RebelRevealed, RevolutionAsked, RevolutionMade
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


def life_told(name: str, points: int, words: Words, *, lost: bool) -> str:
    """Describe life points that a player, or a character of a duel, lost or regained."""
    if lost:
        text = words.ngettext("{name} loses {points} life point", "{name} loses {points} life points", points)
    else:
        text = words.ngettext(
            "{name} regains {points} life point", "{name} regains {points} life points", points
        )
    return text.format(name=name, points=points)


def auction_told(event: auction.AuctionEvent, names: Sequence[str], words: Words) -> str:
    """Describe one auction event; empty for events not worth reporting. names: by seat."""
    _ = words.gettext
    match event:
        case auction.CharacterKept() | auction.CharacterWon() | auction.CharacterTaken():
            return _found(event, names[event.seat - 1], words)
        case auction.CharacterLeft():
            return _("{name} wants another character").format(name=names[event.seat - 1])
        case auction.CharactersRevealed():
            shown = ", ".join(character.value for character in event.characters)
            return _("On the table: {characters}").format(characters=shown)
        case auction.CharacterNominated():
            return _("{name} puts {character} up at ${bid}").format(
                name=names[event.seat - 1], character=event.character.value, bid=f"{event.bid:,}"
            )
        case auction.BidRaised():
            return _("{name} bids ${bid}").format(name=names[event.seat - 1], bid=f"{event.bid:,}")
        case auction.BidPassed():
            return _("{name} passes").format(name=names[event.seat - 1])
        case auction.HandAnnulled():
            return _("The bids for {character} are void").format(character=event.character.value)
        case auction.AuctionOpened() | auction.NominatorCalled() | auction.TakerCalled():
            return ""
        case _:
            assert_never(event)


def cards_told(event: CardsKept, name: str, words: Words) -> str:
    """Describe the cards that a player keeps from the last game."""
    text = words.ngettext(
        "{name} keeps {count} card for ${dollars}", "{name} keeps {count} cards for ${dollars}", event.cards
    )
    return text.format(name=name, count=event.cards, dollars=f"{event.dollars:,}")


def _found(
    event: auction.CharacterKept | auction.CharacterWon | auction.CharacterTaken, name: str, words: Words
) -> str:
    _ = words.gettext
    match event:
        case auction.CharacterKept():
            text = _("{name} keeps {character} for ${price}")
        case auction.CharacterWon():
            text = _("{name} wins {character} for ${price}")
        case auction.CharacterTaken():
            text = _("{name} takes {character} for ${price}")
        case _:
            assert_never(event)
    return text.format(name=name, character=event.character.value, price=f"{event.price:,}")


_Opening = e.PlayerCheckedIn | e.RolesDealt | e.CharacterChosen | e.CardsKept | e.GameBegan
_Noon = e.HighNoonArmed | e.HighNoonBegan | e.HighNoonCalled
_Life = e.LifeLost | e.LifeRegained | e.LastLifeSaved
ToldAlike = (
    _Opening
    | AuctionEvent
    | e.TurnStarted
    | TurnEvent
    | _Life
    | _Noon
    | RebelEvent
    | AgreementEvent
    | CorrectionEvent
)


def told_alike(event: ToldAlike, names: Sequence[str], words: Words) -> str:
    """Describe one event; empty for events not worth reporting. names: by seat."""
    if isinstance(event, AuctionEvent):
        return auction_told(event, names, words)
    if isinstance(event, AgreementEvent | CorrectionEvent):
        return closing_told(event, names, words)
    if isinstance(event, _Opening):
        return _opening_told(event, names, words)
    if isinstance(event, _Noon):
        return _noon_told(event, names, words)
    name = names[event.seat - 1]
    match event:
        case e.TurnStarted():
            return _turn_told(event, name, words)
        case TurnSkipped():
            return _skip_told(event, name, words)
        case e.LifeLost() | e.LifeRegained():
            return life_told(name, event.points, words, lost=isinstance(event, e.LifeLost))
        case e.LastLifeSaved():
            return _rescue_told(event, name, words)
        case RebelRevealed() | RevolutionAsked() | RevolutionMade():
            return _rebel_told(event, name, words)
        case _:
            assert_never(event)


def _opening_told(event: _Opening, names: Sequence[str], words: Words) -> str:
    _ = words.gettext
    match event:
        case e.PlayerCheckedIn():
            return _("{name} is here").format(name=names[event.seat - 1])
        case e.RolesDealt():
            return _("Roles dealt")
        case e.CharacterChosen():
            return _("{name} plays {character}").format(
                name=names[event.seat - 1], character=event.character.value
            )
        case e.CardsKept():
            return cards_told(event, names[event.seat - 1], words)
        case e.GameBegan():
            return _("The game begins")
        case _:
            assert_never(event)


def _turn_told(event: e.TurnStarted, name: str, words: Words) -> str:
    """Describe the start of a turn, and its cost at High Noon."""
    if event.loses:
        return words.gettext("{name}'s turn: −{points} life at High Noon").format(
            name=name, points=event.loses
        )
    return words.gettext("{name}'s turn").format(name=name)


def _skip_told(event: TurnSkipped, name: str, words: Words) -> str:
    """Describe a turn that does not count as played, with the reason."""
    match event.why:
        case Skip.JAIL:
            return words.gettext("{name} skips this turn: Jail").format(name=name)
        case Skip.DYNAMITE:
            return words.gettext("{name} didn't play this turn: Dynamite").format(name=name)
        case _:
            assert_never(event.why)


def _rescue_told(event: e.LastLifeSaved, name: str, words: Words) -> str:
    """Describe the rescue of a player whose last life point was lost."""
    match event.rescue:
        case e.Rescue.BEER:
            return words.gettext("A Beer keeps {name} in the game").format(name=name)
        case e.Rescue.SID_KETCHUM:
            return words.gettext("Sid Ketchum's ability keeps {name} in the game: two cards").format(
                name=name
            )
        case _:
            assert_never(event.rescue)


def _noon_told(event: _Noon, names: Sequence[str], words: Words) -> str:
    """Describe a step towards High Noon. names: by seat."""
    _ = words.gettext
    match event:
        case e.HighNoonArmed():
            return _("High Noon is near")
        case e.HighNoonBegan():
            return _("High Noon begins with {name}").format(name=names[event.seat - 1])
        case e.HighNoonCalled():
            return _("Time limit: High Noon begins with the next turn")
        case _:
            assert_never(event)


def _rebel_told(event: RebelEvent, name: str, words: Words) -> str:
    """Describe an event of the Rebel!."""
    _ = words.gettext
    match event:
        case RebelRevealed():
            return _("{name} reveals the Rebel!").format(name=name)
        case RevolutionAsked():
            return _("Is {name} the Rebel!?").format(name=name)
        case RevolutionMade():
            return _("Revolution: {name} is the Sheriff").format(name=name)
        case _:
            assert_never(event)
