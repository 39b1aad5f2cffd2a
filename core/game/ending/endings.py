"""The ending of a game, derived from the roles and the eliminations alone."""

from collections.abc import Sequence
from itertools import groupby
from typing import assert_never

import msgspec

from saloon.core.editions.readings import Readings, RenegadeFinalDuel, Simultaneous
from saloon.core.editions.tables import RolesRow
from saloon.core.game.events import Because, Ending
from saloon.core.game.rebel.revolution import revolution_of
from saloon.core.game.setup.role_counts import roles_left
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import Elimination, Revolution
from saloon.core.terms import SeatNo


class _Fates(msgspec.Struct, frozen=True):
    roles: tuple[Role, ...]
    alive: tuple[SeatNo, ...]
    revolution: Revolution | None

    @property
    def current_sheriff(self) -> SeatNo:
        """Return the current Sheriff's seat: the Rebel! after a Revolution, else the Sheriff of the deal."""
        if self.revolution is not None:
            return self.revolution.seat
        return SeatNo(self.roles.index(Role.SHERIFF) + 1)

    def seats_of(self, role: Role, *, alive: bool) -> tuple[SeatNo, ...]:
        """Return the seats with this role that are alive, or those that are eliminated."""
        return tuple(
            seat
            for seat in _seats(self.roles)
            if self.roles[seat - 1] is role and (seat in self.alive) is alive
        )


class InProgress(_Fates, frozen=True):
    """No ending condition is met. roles: by seat. alive: passive players included."""


class Outcome(_Fates, frozen=True):
    """An ending with its reason. after: number of eliminations until it; later ones do not count.

    winners: seats that won the match. final_duel_lost: the Renegade that lost the final duel.
    before_revolution: seats that were eliminated before the Revolution, or by the same card.
    """

    ending: Ending
    because: Because
    after: int
    winners: tuple[SeatNo, ...]
    final_duel_lost: tuple[SeatNo, ...]
    before_revolution: tuple[SeatNo, ...] = ()

    def side(self, seat: SeatNo) -> Role | None:
        """Return the role that a seat is paid by; None for those who can win nothing.

        These are the old Sheriff and the Deputies eliminated before the Revolution, and a Rebel! who never
        became Sheriff.
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
    """An ending condition that is met, after a number of eliminations."""

    ending: Ending
    because: Because
    after: int


def find_ending(
    counts: RolesRow,
    eliminations: Sequence[Elimination],
    readings: Readings,
    revolution: Revolution | None = None,
) -> MetEnding | None:
    """Return the first ending condition that eliminations meet; None while the game goes on.

    counts: the roles at the table; the survivors hold the rest of them, so the roles that were shown
    decide. Players whom one card eliminated are eliminated simultaneously (D07); the Sheriff's death is
    checked before that of the Outlaws. revolution: from then on the Rebel! is the Sheriff.
    Source: base game; The Rebel!, Clarifications and particular cases; readings D07, D39.
    """
    shown: list[Role] = []
    for effect in _effects(eliminations, readings, with_rebel=counts.rebel > 0):
        shown += [elimination.role for elimination in effect]
        left = roles_left(counts, shown)
        revolted = revolution is not None and revolution.after <= len(shown)
        if left[Role.REBEL if revolted else Role.SHERIFF] == 0:
            if left[Role.RENEGADE] == 1 and len(shown) == counts.players - 1:
                return MetEnding(Ending.RENEGADE_WINS, Because.RENEGADE_LAST, len(shown))
            return MetEnding(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT, len(shown))
        if left[Role.OUTLAW] == 0 and left[Role.RENEGADE] == 0:
            return MetEnding(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT, len(shown))
    return None


def outcome(
    roles: tuple[Role, ...],
    eliminations: Sequence[Elimination],
    readings: Readings,
    *,
    time_limit: bool = False,
    ruled: Ending | None = None,
) -> Outcome | InProgress:
    """Return the outcome of a game, or InProgress if it goes on. roles: of all seats, by seat.

    time_limit: the judge ended the game, which then has no winner unless a condition was met.
    ruled: the ending that the judge gave it instead. Eliminations after the ending are ignored;
    ``check_finished`` refuses them. Raises ValueError unless one of the roles is the Sheriff.
    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables"; base game; The Rebel!, Revolution;
    readings D07, D08, D09, D38, D39, D42.
    """
    revolution = revolution_of(roles, eliminations)
    met = find_ending(count_roles(roles), eliminations, readings, revolution)
    if met is None and ruled is not None:
        met = MetEnding(ruled, Because.JUDGE, len(eliminations))
    elif met is None and time_limit:
        met = MetEnding(Ending.NO_WINNER, Because.TIME_LIMIT, len(eliminations))
    counting = eliminations if met is None else eliminations[: met.after]
    if revolution is not None and revolution.after > len(counting):
        revolution = None
    out = {elimination.seat for elimination in counting}
    alive = tuple(seat for seat in _seats(roles) if seat not in out)
    if met is None:
        return InProgress(roles, alive, revolution)
    lost = _final_duel_lost(roles, counting, readings, revolution) if met.ending is Ending.LAW_WINS else ()
    ended = Outcome(
        roles=roles,
        alive=alive,
        revolution=revolution,
        ending=met.ending,
        because=met.because,
        after=met.after,
        winners=(),
        final_duel_lost=lost,
        before_revolution=tuple(e.seat for e in counting[: 0 if revolution is None else revolution.after]),
    )
    return msgspec.structs.replace(ended, winners=_winners(ended, readings))


def _winners(ended: Outcome, readings: Readings) -> tuple[SeatNo, ...]:
    return tuple(
        seat
        for seat in _seats(ended.roles)
        if _is_winner(ended.side(seat), ended.ending)
        # Two Renegades each play for themselves: only the survivor of them wins.
        and (
            seat in ended.alive
            or (readings.eliminated_count_as_winners and ended.side(seat) is not Role.RENEGADE)
        )
    )


def _final_duel_lost(
    roles: tuple[Role, ...],
    eliminations: Sequence[Elimination],
    readings: Readings,
    revolution: Revolution | None,
) -> tuple[SeatNo, ...]:
    if not eliminations:
        return ()
    last = _effects(eliminations, readings, with_rebel=Role.REBEL in roles)[-1]
    renegades = [elimination for elimination in last if roles[elimination.seat - 1] is Role.RENEGADE]
    if not renegades:
        return ()
    renegade = renegades[-1]
    alone = len(roles) - (len(eliminations) - len(last)) == _SHERIFF_AND_RENEGADE
    sheriff = roles.index(Role.SHERIFF) + 1 if revolution is None else revolution.seat
    shot_by_sheriff = renegade.by == sheriff
    match readings.renegade_final_duel:
        case RenegadeFinalDuel.FOOTNOTE:
            lost = alone
        case RenegadeFinalDuel.STRICT:
            lost = alone and shot_by_sheriff
        case RenegadeFinalDuel.LABEL:
            lost = renegade is last[-1] and shot_by_sheriff
        case _:
            assert_never(readings.renegade_final_duel)
    return (renegade.seat,) if lost else ()


def _effects(
    eliminations: Sequence[Elimination], readings: Readings, *, with_rebel: bool
) -> list[list[Elimination]]:
    # The Rebel!'s own document has each card finished first, whatever the edition reads.
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
    """Count the roles of all seats. Raises ValueError unless there is one Sheriff."""
    return RolesRow(
        players=len(roles),
        sheriff=roles.count(Role.SHERIFF),
        deputy=roles.count(Role.DEPUTY),
        outlaw=roles.count(Role.OUTLAW),
        renegade=roles.count(Role.RENEGADE),
        rebel=roles.count(Role.REBEL),
    )


def _seats(roles: tuple[Role, ...]) -> tuple[SeatNo, ...]:
    return tuple(SeatNo(seat) for seat in range(1, len(roles) + 1))


_SHERIFF_AND_RENEGADE = 2
