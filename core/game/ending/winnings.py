"""The winnings of each player in a finished game, and of each role while roles are still secret."""

import enum
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import msgspec

from base.errors import BadData
from core.editions.edition import Edition
from core.editions.winnings_table import Counted, WinningsCase, WinningsRow
from core.game.ending.endings import Outcome
from core.game.ending.finished_game import FinishedGame, finished_outcome
from core.game.state.game import BY_PLAYERS, Elimination, GameState
from core.game.state.seats import role_counts, roles_left
from core.rule_set import OptionKey
from core.terms import Dollars, Ending, Role, SeatNo


class PayoutKind(enum.Enum):
    """The reason for an amount."""

    TABLE = "table"
    """The winnings table."""
    REWARD = "reward"
    """The elimination of an Outlaw, if cash rewards are on."""
    PENALTY = "penalty"
    """A Deputy's elimination of the Sheriff."""


class PayoutTerm(msgspec.Struct, frozen=True):
    """A product in a formula: dollars times a count."""

    each: Dollars
    times: int
    counted: Counted

    @property
    def dollars(self) -> Dollars:
        return Dollars(self.each * self.times)


class PayoutPart(msgspec.Struct, frozen=True):
    """A part of a player's winnings.

    printed: the text of the rule in the edition's document.
    terms: the products of the formula, or empty for a fixed amount.
    eliminated: the seat whose elimination earned the reward or penalty.
    """

    kind: PayoutKind
    dollars: Dollars
    printed: str
    terms: tuple[PayoutTerm, ...] = ()
    eliminated: SeatNo | None = None


class Payout(msgspec.Struct, frozen=True):
    """All winnings of a player in a game, from which their spending is not deducted."""

    seat: SeatNo
    parts: tuple[PayoutPart, ...]

    @property
    def dollars(self) -> Dollars:
        return Dollars(sum(part.dollars for part in self.parts))

    def of(self, kind: PayoutKind) -> Dollars:
        return Dollars(sum(part.dollars for part in self.parts if part.kind is kind))


def winnings(game: FinishedGame, edition: Edition) -> tuple[Dollars, ...]:
    """Return the dollars won by each player, by seat.

    Raises Refused if the eliminations don't lead to the recorded ending, and BadData if the winnings tables
    don't have the table size or a role.
    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables"; Championship 2010 v1.1, 1.1; Official
    Score System 2003; time limit: reading D09.
    """
    return tuple(payout.dollars for payout in payouts(game, finished_outcome(game, edition), edition))


def payouts(game: FinishedGame, outcome: Outcome, edition: Edition) -> tuple[Payout, ...]:
    """Return the winnings of each player in a game with this outcome, part by part.

    Raises BadData if the edition's winnings tables don't have the table size or a role.
    Source: Official Score System 2003; readings D35, D36.
    """
    seats = [SeatNo(number) for number in range(1, len(outcome.roles) + 1)]
    counting = game.eliminations[: outcome.after]
    return tuple(
        Payout(
            seat,
            (
                _by_table(outcome, seat, edition),
                *_rewards(outcome, seat, counting, edition),
                *_penalties(outcome, seat, counting, edition),
            ),
        )
        for seat in seats
    )


def _by_table(outcome: Outcome, seat: SeatNo, edition: Edition) -> PayoutPart:
    role = outcome.side(seat)
    if role is None:
        return PayoutPart(PayoutKind.TABLE, Dollars(0), _ON_NO_SIDE)
    row = _row(outcome, seat, role, edition)
    players = len(outcome.roles)
    if players not in edition.sizes:
        raise BadData(
            f"edition {edition.key}, winnings",
            f"no winnings for a table of {players}; allowed: {', '.join(map(str, edition.sizes))}",
        )
    survivors = Counter(outcome.roles[seat - 1] for seat in outcome.alive)
    return _pay(row, edition, Counter(outcome.roles), survivors, alive=seat in outcome.alive)


def _pay(
    row: WinningsRow, edition: Edition, start: Mapping[Role, int], left: Mapping[Role, int], *, alive: bool
) -> PayoutPart:
    """Return what a row pays, given the number of players of each role at the start and at the end."""
    if row.dollars:
        paid = row.dollars[edition.tables.sizes.index(sum(start.values()))]
        return PayoutPart(PayoutKind.TABLE, paid, row.printed)
    terms = tuple(
        PayoutTerm(each, counted.count(start, left), counted)
        for counted, each in row.terms(edition.readings, alive=alive)
    )
    return PayoutPart(PayoutKind.TABLE, Dollars(sum(term.dollars for term in terms)), row.printed, terms)


def _rewards(
    outcome: Outcome, seat: SeatNo, counting: tuple[Elimination, ...], edition: Edition
) -> Iterator[PayoutPart]:
    rule = edition.options.cash_rewards
    if rule is None or OptionKey.CASH_REWARDS not in edition.chosen:
        return
    for _, elimination in _eliminations_by(seat, counting):
        if outcome.roles[elimination.seat - 1] is Role.OUTLAW:
            yield PayoutPart(PayoutKind.REWARD, rule.dollars, rule.printed, eliminated=elimination.seat)


def _penalties(
    outcome: Outcome, seat: SeatNo, counting: tuple[Elimination, ...], edition: Edition
) -> Iterator[PayoutPart]:
    penalty = edition.penalty
    if penalty == 0 or outcome.roles[seat - 1] is not Role.DEPUTY:
        return
    for number, elimination in _eliminations_by(seat, counting):
        if elimination.seat == outcome.sheriff_after(number):
            yield PayoutPart(
                PayoutKind.PENALTY, Dollars(-penalty), _PENALTY_PRINTED, eliminated=elimination.seat
            )


def _eliminations_by(seat: SeatNo, counting: tuple[Elimination, ...]) -> Iterator[tuple[int, Elimination]]:
    """Yield the other players whom a player eliminated personally, each with the number of earlier ones."""
    for number, elimination in enumerate(counting):
        personally = elimination.cause in BY_PLAYERS and elimination.by == seat
        if personally and elimination.seat != seat:
            yield number, elimination


def _row(outcome: Outcome, seat: SeatNo, role: Role, edition: Edition) -> WinningsRow:
    cases = {
        WinningsCase.ALWAYS,
        WinningsCase.ALIVE if seat in outcome.alive else WinningsCase.ELIMINATED,
        WinningsCase.LOST_FINAL_DUEL if seat in outcome.final_duel_lost else WinningsCase.NO_FINAL_DUEL,
    }
    for row in edition.winnings:
        if row.ending is outcome.ending and row.role is role and row.case in cases:
            return row
    raise BadData(f"edition {edition.key}, winnings", f"no row for {outcome.ending.value}, {role.value}")


class RolePay(msgspec.Struct, frozen=True):
    """The winnings of a role's players in one case, for example if they survived."""

    role: Role
    case: WinningsCase
    dollars: Dollars


def winnings_by_role(state: GameState, edition: Edition) -> tuple[RolePay, ...]:
    """Return the winnings of each role for the current ending, before the roles are declared.

    Rewards and penalties are not included. The result is empty if the game has no ending yet or the edition
    doesn't pay for this table size, and at tables with the Rebel!, where Revolutions change roles.
    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables"; Official Score System 2003; reading D34.
    """
    players = len(state.seats)
    counts = role_counts(players, edition)
    if state.ending is None or counts.rebel or players not in edition.sizes:
        return ()
    public_roles = {elimination.role for elimination in state.eliminations}
    start, left = roles_left(counts, ()), roles_left(counts, (out.role for out in state.eliminations))
    return tuple(
        RolePay(row.role, case, paid.dollars)
        for row in edition.winnings
        if row.ending is state.ending and counts.count(row.role)
        for case in _possible_cases(row, public_roles)
        for paid in [_pay(row, edition, start, left, alive=case is not WinningsCase.ELIMINATED)]
    )


def _possible_cases(row: WinningsRow, public_roles: Collection[Role]) -> Iterator[WinningsCase]:
    if row.case is WinningsCase.ALWAYS and row.per_eliminated and row.role in public_roles:
        yield from (WinningsCase.ALIVE, WinningsCase.ELIMINATED)
    elif row.case is WinningsCase.LOST_FINAL_DUEL:
        if row.ending is Ending.LAW_WINS and Role.RENEGADE in public_roles:
            yield row.case
    elif row.case is not WinningsCase.ELIMINATED or row.role in public_roles:
        yield row.case


_ON_NO_SIDE = "on neither side that could win (the Rebel!)"
_PENALTY_PRINTED = "A Deputy eliminated the Sheriff"
