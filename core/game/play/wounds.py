"""Life points: losing, regaining and saving them."""

import enum
from typing import Final, assert_never

from msgspec.structs import replace

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.readings import SidWithTwoLeft
from core.game.play.effects import complete_effect
from core.game.play.eliminations import may_go_on
from core.game.state.decisions import Draft, Event, RolesCommand, RolesDecision
from core.game.state.game import GameState, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    close_question,
    count_turn,
    players_hit_from,
    recorded_seat,
    require_no_question,
    require_phase,
    seat_in_play,
    with_seat,
    wound,
)
from core.terms import SeatNo

LOWEST_LIFE: Final = -3
"""The lowest value. Dynamite, the hardest hit, leads to -2; one more tap is tolerated."""

_DUEL: Final = 2


class Rescue(enum.Enum):
    """The way in which a player without life points was saved."""

    BEER = "beer"
    SID_KETCHUM = "sid-ketchum"


def beer_has_effect(*, life: int, max_life: int, players_left: int) -> bool:
    """Return whether a Beer restores a life point. ``players_left`` is the number of players in play.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    return players_left > _DUEL and life < max_life


def sid_has_effect(edition: Edition, *, players_left: int) -> bool:
    """Return whether Sid Ketchum's ability can save the last life point. Source: base game; reading D48."""
    return players_left > _DUEL or edition.readings.sid_with_two_left is SidWithTwoLeft.ALLOWED


def life_after_beers(*, life: int, max_life: int, beers: int, players_left: int) -> int:
    """Return the life points after a number of Beers, which may start below zero.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    for _ in range(beers):
        if beer_has_effect(life=life, max_life=max_life, players_left=players_left):
            life += 1
    return life


class LoseLife(RolesDecision, frozen=True, tag="life-lost"):
    """Take life points from a player. If none is left, the table is asked whether they were saved.

    Source: base game.
    """

    seat: SeatNo
    points: int = 1

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        seat = seat_in_play(state, self.seat)
        # An elimination is pending that may have ended the game.
        is_unjudged = bool(state.doubtful) and len(state.eliminations) > state.doubtful_from
        if state.high_noon_question or state.revolution_question is not None or is_unjudged:
            require_no_question(state)
        if self.points < 1:
            raise Refused(GameReason.POINTS, points=self.points)
        if seat.life - self.points < LOWEST_LIFE:
            raise Refused(GameReason.TOO_MANY_WOUNDS, seat=seat.seat)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        by_hand = replace(state, wounded=tuple(sorted({*state.wounded, self.seat})))
        return wound(by_hand, self.seat, self.points)


class RegainLife(RolesDecision, frozen=True, tag="life-regained"):
    """Give life points back to a player, who may have left, as a Saloon heals everybody.

    Source: base game; Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """

    seat: SeatNo
    points: int = 1

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        seat = seat_in_play(state, self.seat)
        if state.revolution_question is not None:
            require_no_question(state)
        if seat.life <= 0:
            raise Refused(GameReason.AT_NO_LIFE, seat=seat.seat)
        if self.points < 1:
            raise Refused(GameReason.POINTS, points=self.points)
        if seat.life + self.points > seat.max_life:
            raise Refused(GameReason.FULL_LIFE, seat=seat.seat, maximum=seat.max_life)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        return with_seat(state, replace(seat, life=seat.life + self.points))


class LastLifeSaved(Event, frozen=True, tag="last-life-saved"):
    """A player without life points regained one, and may need more."""

    seat: SeatNo
    rescue: Rescue
    points: int = 1

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        saved = with_seat(state, replace(seat, life=seat.life + self.points))
        if seat.life + self.points <= 0:
            return saved
        if state.high_noon_question:
            saved = count_turn(saved, self.seat)
        return close_question(saved, self.seat)


class SaveLastLife(RolesCommand, frozen=True):
    """Restore a life point of a player without any, by a Beer or Sid Ketchum's ability.

    same_card: whether the card of the last elimination took the point; its victims still count as in play.
    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ"; readings D12, D14, D17, D48, D49.
    """

    seat: SeatNo
    rescue: Rescue
    same_card: bool = False

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        seat = seat_in_play(state, self.seat)
        if seat.seat not in state.pending:
            raise Refused(GameReason.NO_QUESTION, seat=seat.seat)
        if seat.passive:
            raise Refused(GameReason.PASSIVE, seat=seat.seat)
        left = players_hit_from(state, is_last_card=self.same_card and may_go_on(state))
        _check_rescue(state, seat, self.rescue, edition, players_left=left)
        return complete_effect(Draft(state).then(LastLifeSaved(seat.seat, self.rescue)), edition).events


def _check_rescue(
    state: GameState, seat: Seat, rescue: Rescue, edition: Edition, *, players_left: int
) -> None:
    match rescue:
        case Rescue.BEER:
            has_effect = beer_has_effect(life=seat.life, max_life=seat.max_life, players_left=players_left)
        case Rescue.SID_KETCHUM:
            if seat.character is not Character.SID_KETCHUM:
                raise Refused(GameReason.NOT_SID_KETCHUM, seat=seat.seat)
            if state.high_noon_question and not edition.readings.high_noon_sid_ketchum:
                raise Refused(GameReason.SID_NOT_AT_HIGH_NOON)
            has_effect = sid_has_effect(edition, players_left=players_left)
        case _:
            assert_never(rescue)
    if not has_effect:
        raise Refused(GameReason.TWO_LEFT)
