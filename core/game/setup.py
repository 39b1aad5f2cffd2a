"""The start of a game: seats, check-in, roles, characters, kept cards and life points.

Kept cards belong to the experience option: survivors of the last game may start with cards that they had in
play, for a price.
"""

import msgspec
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.characters import MOST_LIFE_POINTS, Character, life_points
from core.editions.edition import Edition
from core.editions.game_rules import ExperienceRule
from core.game.ending.sheet import VoidGame
from core.game.play.auction import begin_auction
from core.game.play.turns import forget_turn, pass_turns, start_turn
from core.game.state.decisions import Command, Decision, Draft, Event, RolesCommand, RolesDecision
from core.game.state.duel import duel_at_start
from core.game.state.game import CardsBought, GameState, Phase, Seat, SeatedPlayer
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    check_seated,
    end_seating_if_complete,
    money_left,
    recorded_seat,
    require_phase,
    seat_of,
    with_seat,
)
from core.rule_set import OptionKey, RuleSet
from core.terms import SHERIFF_SEAT, Dollars, GameId, MatchKind, Role, RoundNo, SeatNo, TableNo, TournamentId


class _Seating(msgspec.Struct, frozen=True):
    game: GameId
    tournament: TournamentId
    tournament_name: str
    rules: RuleSet
    round: RoundNo
    table: TableNo
    seats: tuple[SeatedPlayer, ...]
    match: MatchKind = MatchKind.GAME


class TableSeated(_Seating, Event, frozen=True, tag="table-seated"):
    """The judge seated a match at this table. Seat 1 is the Sheriff, or a duel's better placed player."""

    def apply(self, state: GameState | None) -> GameState:
        is_game = self.match is MatchKind.GAME
        seats = tuple(
            Seat(
                seat=SeatNo(number),
                player=seated.player,
                name=seated.name,
                stake=seated.stake,
                warnings=seated.warnings,
                role=Role.SHERIFF if is_game and number == SHERIFF_SEAT else None,
            )
            for number, seated in enumerate(self.seats, start=1)
        )
        table = GameState(
            game=self.game,
            tournament=self.tournament,
            tournament_name=self.tournament_name,
            rules=self.rules,
            round=self.round,
            table=self.table,
            match=self.match,
            phase=Phase.SEATING,
            mode=self.rules.mode,
            seats=seats,
            turns_played=(0,) * len(seats),
            duel=None if is_game else duel_at_start(self.match),
        )
        if state is None or state.game != self.game:
            return table
        # A game restarted within its round keeps the judge's extensions, pauses and warnings.
        return replace(table, clock=state.clock, warnings=state.warnings)


class SeatTable(_Seating, Command, frozen=True):
    """Seat a new match, unless another one is in progress at this table.

    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; tables of 4: reading D05; duels: Championship 2010
    v1.1, 1.2.
    """

    def decide(self, state: GameState | None, edition: Edition) -> tuple[Event, ...]:
        if state is not None and state.phase not in {Phase.CONFIRMED, Phase.VOIDED}:
            raise Refused(GameReason.ANOTHER_GAME)
        if self.rules.edition != edition.key:
            raise Refused(GameReason.ANOTHER_EDITION, expected=edition.key, found=self.rules.edition)
        check_seated([seated.player for seated in self.seats], _sizes(self.match, edition))
        return (TableSeated(*msgspec.structs.astuple(self)),)


def _sizes(match: MatchKind, edition: Edition) -> tuple[int, ...]:
    if match is MatchKind.GAME:
        return tuple(row.players for row in edition.role_rows)
    if match not in edition.duel_modes:
        raise Refused(GameReason.NO_SUCH_DUEL, kind=match)
    return (2,)


class CheckIn(Decision, frozen=True, tag="player-checked-in"):
    """Check in the player of a seat."""

    seat: SeatNo

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        seat = seat_of(state, self.seat)
        if seat.checked_in:
            raise Refused(GameReason.CHECKED_IN, seat=self.seat)
        require_phase(state, Phase.SEATING)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        seat = replace(recorded_seat(state, self.seat), checked_in=True)
        return end_seating_if_complete(with_seat(state, seat))


class CheckInAll(Command, frozen=True):
    """Check in all players who have not done so yet."""

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.SEATING)
        missing = (seat.seat for seat in state.seats if not (seat.checked_in or seat.passive))
        return tuple(CheckIn(seat) for seat in missing)


class DealRoles(RolesDecision, frozen=True, tag="roles-dealt"):
    """Record that the roles are dealt. In editions with an auction, it begins now."""

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        if state.phase is Phase.SEATING:
            missing = next(seat.seat for seat in state.seats if not (seat.checked_in or seat.passive))
            raise Refused(GameReason.NOT_CHECKED_IN, seat=missing)
        require_phase(state, Phase.ROLES)
        return begin_auction(Draft(state).then(self), edition).events

    def apply(self, state: GameState) -> GameState:
        return replace(state, phase=Phase.CHARACTERS)


class RestartGame(Command, frozen=True):
    """Void the game and seat the same players for the same match again, by the judge's decision."""

    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        if state.phase in {Phase.CONFIRMED, Phase.VOIDED}:
            require_phase(state)
        if not self.reason.strip():
            raise Refused(GameReason.RESTART_REASON)
        seats = tuple(SeatedPlayer(seat.player, seat.name, seat.stake) for seat in state.seats)
        again = TableSeated(
            game=state.game,
            tournament=state.tournament,
            tournament_name=state.tournament_name,
            rules=state.rules,
            round=state.round,
            table=state.table,
            seats=seats,
            match=state.match,
        )
        return (VoidGame(self.reason.strip()), again)


def starting_life(character: Character | None, edition: Edition, *, sheriff: bool) -> int:
    """Return the life points, also the maximum, with which a character starts. Source: base game.

    ``character`` is None if it was not entered. Then it counts as one with the most common number.
    """
    points = MOST_LIFE_POINTS if character is None else life_points(character)
    return points + (edition.characters.sheriff_extra_life if sheriff else 0)


class ChooseCharacter(RolesDecision, frozen=True, tag="character-chosen"):
    """Enter a player's character, which may be changed until the game begins.

    offered: the characters that were dealt, known only in a rehearsal.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds".
    """

    seat: SeatNo
    character: Character
    offered: tuple[Character, ...] = ()

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.CHARACTERS)
        if edition.auction is not None:
            raise Refused(GameReason.AUCTIONED)
        seat = seat_of(state, self.seat)
        if self.character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=self.character)
        for other in state.seats:
            if other.seat != self.seat and other.character is self.character:
                raise Refused(GameReason.CHARACTER_TAKEN, character=self.character, seat=other.seat)
        _check_offer(state, self, edition)
        if seat.cards.cards and seat.character is not self.character:
            # Another character may start with fewer life points, which limit the cards to keep.
            return (self, CardsKept(self.seat, 0, Dollars(0)))
        return (self,)

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        return with_seat(state, replace(seat, character=self.character, offered=self.offered))


class GameBegan(Event, frozen=True, tag="game-began"):
    """The game began. ``life`` contains the starting life points by seat."""

    life: tuple[int, ...]

    def apply(self, state: GameState) -> GameState:
        if len(self.life) != len(state.seats):
            raise BadData(
                "game log", f"{len(self.life)} life points begin a game of {len(state.seats)} seats"
            )
        pairs = zip(state.seats, self.life, strict=True)
        seats = tuple(replace(seat, life=points, max_life=points) for seat, points in pairs)
        return replace(state, phase=Phase.PLAYING, seats=seats)


class BeginGame(RolesCommand, frozen=True):
    """Begin the game: set the life points and start the Sheriff's first turn."""

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.CHARACTERS)
        needs_characters = edition.auction is not None or experience_of(edition) is not None
        life: list[int] = []
        for seat in state.seats:
            if seat.character is None and needs_characters:
                raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
            life.append(starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT))
        draft = Draft(state).then(GameBegan(tuple(life)))
        return forget_turn(pass_turns(start_turn(draft, SHERIFF_SEAT, edition), edition), edition).events


def _check_offer(state: GameState, command: ChooseCharacter, edition: Edition) -> None:
    offered = command.offered
    if not offered:
        return
    dealt = edition.characters.dealt
    if len(offered) != dealt or len(set(offered)) != dealt:
        raise Refused(GameReason.OFFER_SIZE, expected=dealt, found=len(offered))
    if command.character not in offered:
        raise Refused(GameReason.NOT_OFFERED, character=command.character, seat=command.seat)
    for character in offered:
        if character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=character)
        for other in state.seats:
            if other.seat != command.seat and (character in other.offered or character is other.character):
                raise Refused(GameReason.OFFERED_TWICE, character=character, seat=other.seat)


def experience_of(edition: Edition) -> ExperienceRule | None:
    return edition.options.experience if OptionKey.EXPERIENCE in edition.chosen else None


def may_keep_cards(seat: Seat, edition: Edition) -> bool:
    survived = seat.stake is not None and seat.stake.survived
    return experience_of(edition) is not None and survived and not seat.passive


def most_cards(life: int, in_front: int, money: Dollars, rule: ExperienceRule) -> int:
    """Return the maximum number of cards that may be kept.

    life: life points at the start of the next game.
    in_front: number of cards that the player had in play.
    Source: Official Score System 2003; reading D33.
    """
    return max(0, min(life, in_front, max(0, money) // rule.dollars))


class CardsKept(Event, frozen=True, tag="cards-kept"):
    """A survivor kept this number of cards from the last game, instead of any chosen earlier."""

    seat: SeatNo
    cards: int
    dollars: Dollars

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        spent = Dollars(seat.spent - seat.cards.dollars + self.dollars)
        return with_seat(state, replace(seat, cards=CardsBought(self.cards, self.dollars), spent=spent))


class KeepCards(Command, frozen=True):
    """Keep a number of cards from the last game, which may be changed until the game begins.

    Source: Official Score System 2003; reading D33.
    """

    seat: SeatNo
    cards: int

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        rule = experience_of(edition)
        if rule is None:
            raise Refused(GameReason.NO_CARDS_KEPT)
        require_phase(state, Phase.CHARACTERS)
        seat = seat_of(state, self.seat)
        if not may_keep_cards(seat, edition):
            raise Refused(GameReason.DID_NOT_SURVIVE, seat=seat.seat)
        if seat.character is None:
            raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
        most = starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT)
        if not 0 <= self.cards <= most:
            raise Refused(GameReason.TOO_MANY_CARDS, seat=seat.seat, maximum=most)
        money = Dollars(money_left(seat, edition) + seat.cards.dollars)
        if most_cards(most, self.cards, money, rule) < self.cards:
            raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)
        return (CardsKept(seat.seat, self.cards, Dollars(self.cards * rule.dollars)),)
