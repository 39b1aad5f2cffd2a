"""The next step of a table, and the rule behind it, as a pure function of the game's state."""

import enum
from typing import Final, assert_never

import msgspec

from core.characters import Character
from core.editions.edition import Edition
from core.editions.game_rules import HighNoonStarter
from core.game.ending.sheet import awaited_seats, is_proposed
from core.game.play.high_noon import high_noon_loss
from core.game.play.wounds import beer_has_effect, sid_has_effect
from core.game.setup import may_keep_cards
from core.game.state.auction import Auction
from core.game.state.duel import BETTER_PLACED, DuelPhase, DuelState
from core.game.state.game import GameState, HighNoon, Phase
from core.game.state.seats import players_hit_from, seats_after
from core.terms import SHERIFF_SEAT, MatchKind, SeatNo
from kiosk.rules.applicable_rules import Rule


class Step(enum.Enum):
    """A step that a table has to take next."""

    CHECK_IN = "check in"
    DEAL_ROLES = "deal roles"
    KEEP_CHARACTER = "keep the character or not"
    TURN_UP = "turn characters up"
    NOMINATE = "put a character up"
    BID = "raise or pass"
    TAKE = "take a character"
    CHOOSE_CHARACTER = "choose a character"
    BEGIN = "begin"
    PLAY_TURN = "play the turn"
    PLAY_NOON_TURN = "play the turn, with a life point less"
    NOBODY_PLAYS = "everybody has left"
    SAVE_LAST_LIFE = "save the last life point"
    CANNOT_BE_SAVED = "show the role"
    STILL_IN_PLAY = "say whether the player is still in play"
    NAME_TURN = "name the turn, where turns are entered"
    SHOW_REBEL = "show the Rebel! or not"
    AGREE = "agree with the ending, or dispute it"
    SHOW_ROLES = "show the roles"
    CONFIRM_SHEET = "confirm the sheet"
    GAME_OVER = "the game is over"
    VOIDED = "the game was taken back"
    TURN_TEN_UP = "turn ten characters up"
    TAKE_ADVANTAGE = "pick first or start"
    PICK = "pick a character"
    SHOW_LINE = "show front and rear"
    SHOW_FIRST = "show the first character"
    DRAW_STARTER = "draw who starts"
    ENTER = "a character enters"
    FIGHT = "play the turn of a duel"


class Guidance(msgspec.Struct, frozen=True):
    """The step to take next.

    seats: the players who take it, or empty for the whole table or the judge.
    count: number of Beers needed to save the last life point.
    noon: the seat whose turn begins High Noon, while it is announced; otherwise None.
    """

    step: Step
    rule: Rule
    seats: tuple[SeatNo, ...] = ()
    count: int = 0
    noon: SeatNo | None = None


_OF_ALL: Final = {
    Phase.ROLES: Guidance(Step.DEAL_ROLES, Rule.ROLES),
    Phase.ENDED: Guidance(Step.SHOW_ROLES, Rule.ENDING),
    Phase.SHEET: Guidance(Step.CONFIRM_SHEET, Rule.RECORD_SHEET),
    Phase.CONFIRMED: Guidance(Step.GAME_OVER, Rule.RECORD_SHEET),
    Phase.VOIDED: Guidance(Step.VOIDED, Rule.RECORD_SHEET),
}
"""Steps for the table as a whole."""


def guidance(game: GameState, edition: Edition) -> Guidance:
    """Return the next step of a table; every state of a game has one."""
    match game.phase:
        case Phase.SEATING:
            missing = tuple(s.seat for s in game.seats if not (s.checked_in or s.passive))
            rule = Rule.SEATS if game.match is MatchKind.GAME else _duel_rule(game)
            return Guidance(Step.CHECK_IN, rule, missing)
        case Phase.AUCTION:
            return _at_auction(game, game.auction or Auction())
        case Phase.CHARACTERS:
            return _at_characters(game, edition)
        case Phase.PLAYING:
            return _in_play(game, edition)
        case Phase.DUEL:
            rule = _duel_rule(game)
            return Guidance(Step.TURN_TEN_UP, rule) if game.duel is None else _at_duel(game.duel, rule)
        case Phase.ENDED | Phase.SHEET if is_proposed(game) and awaited_seats(game):
            rule = Rule.ENDING if game.match is MatchKind.GAME else _duel_rule(game)
            return Guidance(Step.AGREE, rule, awaited_seats(game))
        case Phase.ROLES | Phase.ENDED | Phase.SHEET | Phase.CONFIRMED | Phase.VOIDED:
            return _OF_ALL[game.phase]
        case _:
            assert_never(game.phase)


def _noon_starter(game: GameState, edition: Edition) -> SeatNo | None:
    """Return the seat whose turn begins High Noon unless somebody is eliminated first, or None.

    Source: Championship 2022/23 v1.4, 1.1 "High Noon"; readings D09, D10, D11, D47.
    """
    if game.high_noon is HighNoon.CALLED and game.turn is not None:
        return _next(game, game.turn)
    if game.high_noon is not HighNoon.WAITING or edition.high_noon is None:
        return None
    match edition.high_noon.starter:
        case HighNoonStarter.SHERIFF:
            return game.sheriff
        case HighNoonStarter.AFTER_SHERIFF:
            return _next(game, game.sheriff)
        case _:
            assert_never(edition.high_noon.starter)


def takers_of_cards(game: GameState, out: SeatNo) -> tuple[SeatNo, ...]:
    """Return the seats that take an eliminated seat's cards: Vulture Sam's, if his ability applies.

    Source: base game; Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """
    return tuple(
        seat.seat
        for seat in game.seats
        if seat.character is Character.VULTURE_SAM and seat.in_play and not seat.passive and seat.seat != out
        and seat.life > 0
    )  # fmt: skip


def _next(game: GameState, seat: SeatNo) -> SeatNo | None:
    return next((s.seat for s in seats_after(game, seat) if s.in_play), None)


def _at_auction(game: GameState, auction: Auction) -> Guidance:
    rule = Rule.AUCTION
    if auction.keepers:
        return Guidance(Step.KEEP_CHARACTER, rule, auction.keepers)
    if not auction.revealed:
        return Guidance(Step.TURN_UP, rule, (game.sheriff,))
    if auction.hand is not None:
        word = auction.hand.word
        return Guidance(Step.BID, rule, () if word is None else (word,))
    if auction.taker is not None:
        return Guidance(Step.TAKE, rule, (auction.taker,))
    return Guidance(Step.NOMINATE, rule, () if auction.nominator is None else (auction.nominator,))


def _at_characters(game: GameState, edition: Edition) -> Guidance:
    missing = tuple(seat.seat for seat in game.seats if seat.character is None)
    if missing:
        return Guidance(Step.CHOOSE_CHARACTER, Rule.CHARACTERS, missing)
    keeps = any(may_keep_cards(seat, edition) for seat in game.seats)
    return Guidance(Step.BEGIN, Rule.KEPT_CARDS if keeps else Rule.TURN, (SHERIFF_SEAT,))


def _in_play(game: GameState, edition: Edition) -> Guidance:
    noon = _noon_starter(game, edition)
    if game.pending:
        return _at_last_life(game, edition, game.pending[0], noon)
    if game.revolution_question is not None:
        return Guidance(Step.SHOW_REBEL, Rule.REBEL, (game.revolution_question,), noon=noon)
    if game.doubtful:
        return Guidance(Step.STILL_IN_PLAY, Rule.HIGH_NOON, (game.doubtful[0],), noon=noon)
    seats = () if game.turn is None else (game.turn,)
    if all(seat.passive for seat in game.seats if seat.in_play):
        return Guidance(Step.NOBODY_PLAYS, Rule.LEAVING, noon=noon)
    if game.is_turn_unknown:
        rule = Rule.TURN if noon is None else Rule.HIGH_NOON
        return Guidance(Step.NAME_TURN, rule, (), noon=noon)
    passive = any(game.seats[seat - 1].passive for seat in seats)
    if high_noon_loss(game.high_noon, edition, passive=passive):
        return Guidance(Step.PLAY_NOON_TURN, Rule.HIGH_NOON, seats)
    return Guidance(Step.PLAY_TURN, Rule.TURN if noon is None else Rule.HIGH_NOON, seats, noon=noon)


def _at_last_life(game: GameState, edition: Edition, at: SeatNo, noon: SeatNo | None) -> Guidance:
    seat = game.seats[at - 1]
    rule = Rule.HIGH_NOON if game.high_noon_question else Rule.LAST_LIFE
    left = players_hit_from(game)
    may_drink = beer_has_effect(life=seat.life, max_life=seat.max_life, players_left=left)
    is_sid = seat.character is Character.SID_KETCHUM and sid_has_effect(edition, players_left=left)
    if game.high_noon_question:
        is_sid = is_sid and edition.readings.high_noon_sid_ketchum
    if seat.passive or not (may_drink or is_sid):
        return Guidance(Step.CANNOT_BE_SAVED, rule, (at,), noon=noon)
    return Guidance(Step.SAVE_LAST_LIFE, rule, (at,), 1 - seat.life, noon)


def _duel_rule(game: GameState) -> Rule:
    return Rule.LONG_DUEL if game.match is MatchKind.LONG_DUEL else Rule.SHORT_DUEL


def _at_duel(duel: DuelState, rule: Rule) -> Guidance:
    match duel.phase:
        case DuelPhase.FACE_UP:
            return Guidance(Step.TURN_TEN_UP, rule)
        case DuelPhase.CHOICE:
            return Guidance(Step.TAKE_ADVANTAGE, rule, (BETTER_PLACED,))
        case DuelPhase.DRAFT:
            return Guidance(Step.PICK, rule, () if duel.picker is None else (duel.picker,))
        case DuelPhase.LINES:
            return Guidance(Step.SHOW_LINE, rule, _unshown(duel))
        case DuelPhase.OPENING:
            unshown = _unshown(duel)
            return Guidance(Step.SHOW_FIRST if unshown else Step.DRAW_STARTER, rule, unshown)
        case DuelPhase.PLAYING:
            entering = tuple(side.seat for side in duel.sides if duel.entering(side.seat))
            turn = () if duel.turn is None else (duel.turn,)
            return Guidance(Step.ENTER if entering else Step.FIGHT, rule, entering or turn)
        case DuelPhase.WON:
            return Guidance(Step.CONFIRM_SHEET, Rule.RECORD_SHEET)
        case _:
            assert_never(duel.phase)


def _unshown(duel: DuelState) -> tuple[SeatNo, ...]:
    return tuple(side.seat for side in duel.sides if not side.shown)
