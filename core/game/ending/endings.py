"""The ending of a game and its winners, derived from the roles and the eliminations."""

from collections.abc import Sequence
from itertools import groupby
from typing import assert_never

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.game_rules import RolesRow
from core.editions.readings import Readings, RenegadeFinalDuel, Simultaneous
from core.game.ending.rebel import revolutions_of, seats_out
from core.game.state.decisions import Event
from core.game.state.game import Because, Comeback, Elimination, GameState, Phase, Revolution
from core.game.state.reasons import GameReason
from core.game.state.seats import role_counts, roles_left
from core.terms import Ending, Role, SeatNo


class _Fates(msgspec.Struct, frozen=True):
    roles: tuple[Role, ...]
    alive: tuple[SeatNo, ...]
    revolutions: tuple[Revolution, ...]

    @property
    def revolution(self) -> Revolution | None:
        return self.revolutions[-1] if self.revolutions else None

    @property
    def current_sheriff(self) -> SeatNo:
        return self.sheriff_after(None)

    def sheriff_after(self, number: int | None) -> SeatNo:
        """Return the seat of the Sheriff after a number of eliminations, or after all of them."""
        made = [one.seat for one in self.revolutions if number is None or one.after <= number]
        return made[-1] if made else SeatNo(self.roles.index(Role.SHERIFF) + 1)

    def seats_of(self, role: Role, *, alive: bool) -> tuple[SeatNo, ...]:
        return tuple(
            seat
            for seat in _seats(self.roles)
            if self.roles[seat - 1] is role and (seat in self.alive) is alive
        )


class InProgress(_Fates, frozen=True):
    """A game without an ending so far."""


class Outcome(_Fates, frozen=True):
    """The ending of a game, its reason and its winners.

    after: number of eliminations up to the ending; later ones don't count.
    final_duel_lost: Renegades who lost the final duel against the Sheriff.
    before_revolution: seats eliminated by the time of the last Revolution that never came back.
    """

    ending: Ending
    because: Because
    after: int
    winners: tuple[SeatNo, ...]
    final_duel_lost: tuple[SeatNo, ...]
    before_revolution: tuple[SeatNo, ...] = ()

    def side(self, seat: SeatNo) -> Role | None:
        """Return the role for which a seat is paid, or None if it can't win anything.

        A former Sheriff can't, nor a Rebel! who never became Sheriff, nor a Deputy who was eliminated before
        the last Revolution and never came back.
        Source: The Rebel!, Clarifications and particular cases; reading D37.
        """
        if seat == self.current_sheriff:
            return Role.SHERIFF
        role = self.roles[seat - 1]
        match role:
            case Role.SHERIFF | Role.REBEL:
                return None
            case Role.DEPUTY:
                return None if seat in self.before_revolution else role
            case Role.OUTLAW | Role.RENEGADE:
                return role


class MetEnding(msgspec.Struct, frozen=True):
    """An ending condition, and the number of eliminations after which it was met."""

    ending: Ending
    because: Because
    after: int


def ending_met(state: GameState, edition: Edition) -> MetEnding | None:
    counts = role_counts(len(state.seats), edition)
    return find_ending(counts, state.eliminations, edition.readings, state.revolutions, state.comebacks)


def find_ending(
    counts: RolesRow,
    eliminations: Sequence[Elimination],
    readings: Readings,
    revolutions: Sequence[Revolution] = (),
    comebacks: Sequence[Comeback] = (),
) -> MetEnding | None:
    """Return the first ending condition that eliminations meet, or None while the game goes on.

    ``counts`` are the roles at the table. Those of the survivors needn't be known.
    Source: base game; The Rebel!, Clarifications and particular cases; several eliminations by one card:
    readings D07, D39.
    """
    number = 0
    for effect in _effects(eliminations, readings, with_rebel=counts.rebel > 0):
        # Only returns before this effect count, as nobody returns during one.
        back = [one for one in comebacks if one.after <= number]
        number += len(effect)
        made = [one for one in revolutions if one.after <= number]
        out = seats_out(eliminations[:number], made, back)
        left = roles_left(counts, out.values())
        if made[-1].seat in out if made else left[Role.SHERIFF] == 0:
            if left[Role.RENEGADE] == 1 and len(out) == counts.players - 1:
                return MetEnding(Ending.RENEGADE_WINS, Because.RENEGADE_LAST, number)
            return MetEnding(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT, number)
        if left[Role.OUTLAW] == 0 and left[Role.RENEGADE] == 0:
            return MetEnding(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT, number)
    return None


def outcome(
    roles: tuple[Role, ...],
    eliminations: Sequence[Elimination],
    readings: Readings,
    comebacks: Sequence[Comeback] = (),
    *,
    time_limit: bool = False,
    ruled: Ending | None = None,
) -> Outcome | InProgress:
    """Return the outcome of a game, or InProgress if it goes on.

    roles: all roles, by seat.
    time_limit: the judge ended the game, which has no winner unless an ending condition was met before.
    ruled: the ending that the judge ruled, unless an ending condition was met before.
    Raises ValueError unless exactly one of the roles is the Sheriff.
    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables"; base game; The Rebel!, Revolution; readings D07,
    D08, D09, D38, D39, D42.
    """
    revolutions = revolutions_of(roles, eliminations, comebacks)
    met = find_ending(count_roles(roles), eliminations, readings, revolutions, comebacks)
    if met is None and ruled is not None:
        met = MetEnding(ruled, Because.JUDGE, len(eliminations))
    elif met is None and time_limit:
        met = MetEnding(Ending.NO_WINNER, Because.TIME_LIMIT, len(eliminations))
    counting = eliminations if met is None else eliminations[: met.after]
    revolutions = tuple(made for made in revolutions if made.after <= len(counting))
    out = seats_out(counting, revolutions, comebacks)
    alive = tuple(seat for seat in _seats(roles) if seat not in out)
    if met is None:
        return InProgress(roles, alive, revolutions)
    lost: tuple[SeatNo, ...] = ()
    if met.ending is Ending.LAW_WINS:
        lost = _final_duel_lost(roles, counting, readings, revolutions, comebacks)
    ended = Outcome(
        roles=roles,
        alive=alive,
        revolutions=revolutions,
        ending=met.ending,
        because=met.because,
        after=met.after,
        winners=(),
        final_duel_lost=lost,
        before_revolution=_out_before_revolution(counting, revolutions, comebacks),
    )
    return replace(ended, winners=_winners(ended, readings))


def _out_before_revolution(
    eliminations: Sequence[Elimination], revolutions: Sequence[Revolution], comebacks: Sequence[Comeback]
) -> tuple[SeatNo, ...]:
    if not revolutions:
        return ()
    last = revolutions[-1].after
    before = [one for one in comebacks if one.after < last]
    since = {one.seat for one in comebacks if one.after >= last}
    out = seats_out(eliminations[:last], revolutions, before)
    return tuple(seat for seat in out if seat not in since)


def _winners(ended: Outcome, readings: Readings) -> tuple[SeatNo, ...]:
    return tuple(
        seat
        for seat in _seats(ended.roles)
        if _is_winner(ended.side(seat), ended.ending)
        # Renegades play for themselves, so only a surviving one wins.
        and (
            seat in ended.alive
            or (readings.eliminated_count_as_winners and ended.side(seat) is not Role.RENEGADE)
        )
    )


def _final_duel_lost(
    roles: tuple[Role, ...],
    eliminations: Sequence[Elimination],
    readings: Readings,
    revolutions: Sequence[Revolution],
    comebacks: Sequence[Comeback],
) -> tuple[SeatNo, ...]:
    if not eliminations:
        return ()
    last = _effects(eliminations, readings, with_rebel=Role.REBEL in roles)[-1]
    before = seats_out(eliminations[: -len(last)], revolutions, comebacks)
    alone = len(roles) - len(before) == _SHERIFF_AND_RENEGADE
    sheriff = revolutions[-1].seat if revolutions else roles.index(Role.SHERIFF) + 1
    renegades = (out for out in last if roles[out.seat - 1] is Role.RENEGADE)
    match readings.renegade_final_duel:
        case RenegadeFinalDuel.FOOTNOTE:
            lost = [out for out in renegades if alone]
        case RenegadeFinalDuel.STRICT:
            lost = [out for out in renegades if alone and out.by == sheriff]
        case RenegadeFinalDuel.LABEL:
            # Among victims of one card none counts as the last.
            lost = [out for out in renegades if out.by == sheriff]
        case _:
            assert_never(readings.renegade_final_duel)
    return tuple(out.seat for out in lost)


def _effects(
    eliminations: Sequence[Elimination], readings: Readings, *, with_rebel: bool
) -> list[list[Elimination]]:
    # The Rebel!'s rules complete each card first, whatever the edition's reading.
    match Simultaneous.END_OF_EFFECT if with_rebel else readings.simultaneous:
        case Simultaneous.END_OF_EFFECT:
            return [list(effect) for _, effect in groupby(eliminations, key=lambda e: e.effect)]
        case Simultaneous.ELIMINATION_ORDER:
            return [[elimination] for elimination in eliminations]


def _is_winner(role: Role | None, ending: Ending) -> bool:
    match ending:
        case Ending.LAW_WINS:
            return role in {Role.SHERIFF, Role.DEPUTY}
        case Ending.OUTLAWS_WIN:
            return role is Role.OUTLAW
        case Ending.RENEGADE_WINS:
            return role is Role.RENEGADE
        case Ending.NO_WINNER:
            return False


def count_roles(roles: tuple[Role, ...]) -> RolesRow:
    """Count the roles of all seats. Raises ValueError unless there is exactly one Sheriff."""
    return RolesRow(players=len(roles), **{role.value: roles.count(role) for role in Role})


def _seats(roles: tuple[Role, ...]) -> tuple[SeatNo, ...]:
    return tuple(SeatNo(seat) for seat in range(1, len(roles) + 1))


_SHERIFF_AND_RENEGADE = 2


def check_ruling(ending: Ending, renegades_left: int) -> None:
    if ending is Ending.RENEGADE_WINS and renegades_left != 1:
        raise Refused(GameReason.RULED_RENEGADE, count=renegades_left)


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game ended. ``ruled`` contains the judge's words, if the judge ruled the ending."""

    ending: Ending
    because: Because
    ruled: str = ""

    def apply(self, state: GameState) -> GameState:
        return replace(
            state,
            phase=Phase.ENDED,
            pending=(),
            doubtful=(),
            high_noon_question=False,
            revolution_question=None,
            ending=self.ending,
            because=self.because,
            ruled=self.ruled or state.ruled,
        )


class GameResumed(Event, frozen=True, tag="game-resumed"):
    """The game continues, as its corrected eliminations don't end it."""

    def apply(self, state: GameState) -> GameState:
        fallen = tuple(seat.seat for seat in state.seats if seat.in_play and seat.life <= 0)
        return replace(state, phase=Phase.PLAYING, ending=None, because=None, pending=fallen)
