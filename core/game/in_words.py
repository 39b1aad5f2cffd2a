"""Descriptions of events, the same for the table and for the judge."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, assert_never

from core.game import clock, correction, setup
from core.game.duel import fight, opening
from core.game.ending import endings, judge_calls, rebel, sheet
from core.game.events import EventOfDuel, GameEvent
from core.game.play import abandonment, auction, bidding, effects, eliminations, reshuffles, turns, wounds
from core.game.state.decisions import StepsRedone, Undo
from core.game.state.duel import BETTER_PLACED, Advantage
from core.game.state.game import Because, CallReason, Cause, EventCard
from core.game.state.offences import OFFENCE_NAMES
from core.rule_set import RecordMode
from core.terms import Role, Words


def _(text: str) -> str:
    return text


ROLE_NAMES: Final[Mapping[Enum, str]] = {
    Role.SHERIFF: _("Sheriff"),
    Role.DEPUTY: _("Deputy"),
    Role.OUTLAW: _("Outlaw"),
    Role.RENEGADE: _("Renegade"),
    Role.REBEL: _("Rebel!"),
}
BECAUSE: Final[Mapping[Enum, str]] = {
    Because.NO_OUTLAW_OR_RENEGADE_LEFT: _("No Outlaws or Renegades are left."),
    Because.SHERIFF_OUT: _("The Sheriff is out."),
    Because.RENEGADE_LAST: _("The Renegade is the only one left."),
    Because.TIME_LIMIT: _("The time limit was reached."),
    Because.JUDGE: _("The judge ruled at the time limit."),
}
EVENT_CARDS: Final[Mapping[Enum, str]] = {
    EventCard.GHOST_TOWN: _("Ghost Town"),
    EventCard.DEAD_MAN: _("Dead Man"),
}
CALL_REASONS: Final[Mapping[Enum, str]] = {
    CallReason.RULE: _("Rule question"),
    CallReason.DISPUTE: _("Dispute"),
    CallReason.TERMINAL: _("Terminal problem"),
    CallReason.TIME: _("The clock"),
    CallReason.OTHER: _("Something else"),
}


def describe_event(event: GameEvent, names: Sequence[str], words: Words) -> str:  # noqa: C901 (one exhaustive match)
    """Describe an event, or return an empty string if it isn't worth reporting. ``names`` are by seat."""
    _ = words.gettext

    def name() -> str:
        seat: int = getattr(event, "seat", 1)
        return names[seat - 1]

    def say(text: str, **values: object) -> str:
        return text.format(name=name(), **values)

    match event:
        case setup.CheckIn():
            return say(_("{name} is here"))
        case setup.DealRoles():
            return _("Roles dealt")
        case setup.ChooseCharacter(character=character):
            return say(_("{name} plays {character}"), character=character.value)
        case setup.CardsKept(cards=cards):
            text = words.ngettext(
                "{name} keeps {count} card for ${dollars}", "{name} keeps {count} cards for ${dollars}", cards
            )
            return say(text, count=cards, dollars=f"{event.dollars:,}")
        case auction.CharacterKept(character=character, price=price):
            text = _("{name} keeps {character} for ${price}")
            return say(text, character=character.value, price=f"{price:,}")
        case auction.CharacterWon(character=character, price=price):
            text = _("{name} wins {character} for ${price}")
            return say(text, character=character.value, price=f"{price:,}")
        case auction.CharacterTaken(character=character, price=price):
            text = _("{name} takes {character} for ${price}")
            return say(text, character=character.value, price=f"{price:,}")
        case auction.LeaveCharacter():
            return say(_("{name} wants another character"))
        case auction.RevealCharacters():
            characters = ", ".join(character.value for character in event.characters)
            return _("On the table: {characters}").format(characters=characters)
        case bidding.CharacterNominated(character=character, bid=bid):
            return say(_("{name} puts {character} up at ${bid}"), character=character.value, bid=f"{bid:,}")
        case bidding.Raise(bid=bid):
            return say(_("{name} bids ${bid}"), bid=f"{bid:,}")
        case bidding.Pass():
            return say(_("{name} passes"))
        case bidding.HandAnnulled(character=character):
            return _("The bids for {character} are void").format(character=character.value)
        case (
            auction.AuctionOpened() | auction.NominatorCalled() | auction.TakerCalled() | turns.TurnUnknown()
        ):
            return ""
        case setup.TableSeated() | Undo() | StepsRedone() | sheet.VoidGame() | clock.ClockDecision():
            return ""
        case judge_calls.CallJudge() | judge_calls.GiveCallReason() | judge_calls.AnswerJudgeCall():
            return ""
        case fight.DuelEvent():
            return describe_duel_event(event, names, words)
        case setup.GameBegan():
            return _("The game begins")
        case turns.TurnStarted(loses=0):
            return say(_("{name}'s turn"))
        case turns.TurnStarted(loses=points):
            return say(_("{name}'s turn: −{points} life at High Noon"), points=points)
        case wounds.LoseLife() | wounds.RegainLife():
            return describe_life(name(), event.points, words, lost=isinstance(event, wounds.LoseLife))
        case wounds.LastLifeSaved(rescue=wounds.Rescue.BEER):
            return say(_("A Beer keeps {name} in the game"))
        case wounds.LastLifeSaved():
            return say(_("Sid Ketchum's ability keeps {name} in the game: two cards"))
        case eliminations.PlayerEliminated():
            return _describe_elimination(event, names, words)
        case judge_calls.WarnPlayer(offence=offence):
            return say(_("The judge warns {name}: {offence}"), offence=_(OFFENCE_NAMES[offence]))
        case abandonment.Abandon(ejected=ejected):
            return say(_("The judge ejects {name}") if ejected else _("{name} has left the tournament"))
        case reshuffles.DeckReshuffled(count=count):
            return _("Deck reshuffled, number {count}").format(count=count)
        case reshuffles.HighNoonArmed():
            return _("High Noon is near")
        case turns.HighNoonBegan():
            return say(_("High Noon begins with {name}"))
        case clock.HighNoonCalled():
            return _("Time limit: High Noon begins with the next turn")
        case endings.GameEnded():
            because = f"{_(BECAUSE[event.because])} {event.ruled}".rstrip()
            return _("Game over: {because}").format(because=because)
        case sheet.AgreeEnding():
            return say(_("{name} agrees with the ending"))
        case sheet.WithdrawAgreement():
            return say(_("{name} withdraws their answer on the ending"))
        case sheet.DisputeEnding():
            return say(_("{name} disputes the ending"))
        case sheet.WaiveAgreement():
            return say(_("The judge continues without {name}"))
        case sheet.DeclareRoles():
            return _("All roles revealed")
        case sheet.ConfirmSheet():
            return _("The judge confirms the record sheet")
        case turns.TurnSkipped(why=turns.Skip.JAIL):
            return say(_("{name} skips this turn: Jail"))
        case turns.TurnSkipped():
            return say(_("{name} didn't play this turn: Dynamite"))
        case turns.TurnsPassed(seats=seats):
            passed = ", ".join(names[seat - 1] for seat in seats)
            return _("Turns that nobody ended: {names}").format(names=passed)
        case effects.SurviveHighNoon():
            return say(_("{name} is still in play"))
        case turns.TurnNamed():
            return say(_("{name}'s turn"))
        case turns.SetRecordMode(mode=RecordMode.FULL):
            return _("Life points and turns are recorded from here on")
        case turns.SetRecordMode():
            return _("Only reshuffles, eliminations and High Noon are recorded from here on")
        case rebel.ShowEventCard(card=None):
            return _("No event card brings players back any more")
        case rebel.ShowEventCard(card=card):
            assert card is not None
            return _("Event card: {card}").format(card=_(EVENT_CARDS[card]))
        case rebel.RevealRebel():
            return say(_("{name} reveals the Rebel!"))
        case rebel.RevolutionAsked():
            return say(_("Is {name} the Rebel!?"))
        case rebel.RevolutionMade():
            return say(_("Revolution: {name} is the Sheriff"))
        case rebel.PlayerCameBack(card=EventCard.GHOST_TOWN):
            return say(_("{name} plays a turn as a ghost"))
        case rebel.PlayerCameBack():
            return say(_("{name} is back with {life} life points"), life=event.life)
        case correction.CorrectLife(life=life, reason=reason):
            return words.ngettext(
                "Judge: {name} has {life} life point ({reason})",
                "Judge: {name} has {life} life points ({reason})",
                life,
            ).format(name=name(), life=life, reason=reason)
        case correction.CorrectElimination(reason=reason):
            what = _describe_elimination(event, names, words)
            return _("Judge: {what} ({reason})").format(what=what, reason=reason)
        case correction.CorrectTurns(turns=count, reason=reason):
            return words.ngettext(
                "Judge: {name} has played {turns} turn ({reason})",
                "Judge: {name} has played {turns} turns ({reason})",
                count,
            ).format(name=name(), turns=count, reason=reason)
        case correction.ReshufflesCorrected(count=count, reason=reason):
            return words.ngettext(
                "Judge: {count} reshuffle so far ({reason})",
                "Judge: {count} reshuffles so far ({reason})",
                count,
            ).format(count=count, reason=reason)
        case correction.CorrectTurn(reason=reason):
            return say(_("Judge: it's {name}'s turn ({reason})"), reason=reason)
        case correction.CorrectOrder(seats=seats, reason=reason):
            order = ", ".join(names[seat - 1] for seat in seats)
            text = _("Judge: the players were eliminated in this order: {names} ({reason})")
            return text.format(names=order, reason=reason)
        case correction.RestorePlayer(reason=reason):
            return say(_("Judge: {name} was never eliminated ({reason})"), reason=reason)
        case endings.GameResumed():
            return _("The game continues")
        case _:
            assert_never(event)


def describe_life(name: str, points: int, words: Words, *, lost: bool) -> str:
    """Describe life points lost or regained by a player, or by a character in a duel."""
    if lost:
        text = words.ngettext("{name} loses {points} life point", "{name} loses {points} life points", points)
    else:
        text = words.ngettext(
            "{name} regains {points} life point", "{name} regains {points} life points", points
        )
    return text.format(name=name, points=points)


def _describe_elimination(
    event: eliminations.PlayerEliminated | correction.CorrectElimination, names: Sequence[str], words: Words
) -> str:
    _ = words.gettext
    match event.cause:
        case Cause.PLAYER if isinstance(event, eliminations.PlayerEliminated) and event.same_card:
            text = _("{killer} eliminates {name} ({role}) with the same card")
        case Cause.PLAYER:
            text = _("{killer} eliminates {name} ({role})")
        case Cause.DYNAMITE:
            text = _("Dynamite eliminates {name} ({role})")
        case Cause.HIGH_NOON:
            text = _("High Noon eliminates {name} ({role})")
        case Cause.OWN_DUEL if event.by is None:
            text = _("{name} ({role}) is eliminated in their own Duel")
        case Cause.OWN_DUEL:
            text = _("{killer} eliminates {name} ({role}) in {name}'s own Duel")
        case _:
            assert_never(event.cause)
    killer = "?" if event.by is None else names[event.by - 1]
    return text.format(name=names[event.seat - 1], role=_(ROLE_NAMES[event.role]), killer=killer)


def describe_duel_event(event: EventOfDuel, names: Sequence[str], words: Words) -> str:  # noqa: C901 (one line for each kind of event)
    """Describe an event of a duel. ``names`` are by seat."""
    _ = words.gettext
    match event:
        case opening.TurnUpCharacters():
            return _("The characters are turned face up")
        case opening.TakeAdvantage(advantage=advantage):
            name = names[BETTER_PLACED - 1]
            text = _("{name} picks first") if advantage is Advantage.PICK_FIRST else _("{name} starts")
            return text.format(name=name)
        case opening.PickCharacter(seat=seat, character=character):
            return _("{name} picks {character}").format(name=names[seat - 1], character=character.value)
        case opening.ShowLine(seat=seat, front=front, rear=rear):
            text = _("{name}: {front} in front, {rear} at the rear")
            return text.format(name=names[seat - 1], front=front.value, rear=rear.value)
        case opening.DrawStarter(seat=seat):
            return _("{name} starts").format(name=names[seat - 1])
        case fight.EnterCharacter(seat=seat, character=character):
            return _("{name} brings in {character}").format(name=names[seat - 1], character=character.value)
        case fight.DuelTurnStarted(seat=seat):
            return _("{name}'s turn").format(name=names[seat - 1])
        case fight.ChooseLine(front=front, jailed=jailed):
            chosen = _("{front} in front").format(front=front.value)
            held = "" if jailed is None else _("{character} in Jail").format(character=jailed.value)
            return f"{chosen}; {held}" if held else chosen
        case fight.WoundCharacter(character=character, points=points):
            return describe_life(character.value, points, words, lost=True)
        case fight.CharacterHealed(character=character, points=points):
            return describe_life(character.value, points, words, lost=False)
        case fight.CarryWounds(seat=seat, points=points):
            text = words.ngettext(
                "{name}: {points} wound carried over", "{name}: {points} wounds carried over", points
            )
            return text.format(name=names[seat - 1], points=points)
        case fight.CharacterOut(seat=seat, character=character):
            return _("{name}'s {character} is eliminated").format(
                name=names[seat - 1], character=character.value
            )
        case fight.DuelWon(winner=winner):
            return _("{name} wins the duel").format(name=names[winner - 1])
        case _:
            assert_never(event)
