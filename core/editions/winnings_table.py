"""The winnings table of an edition, row by row."""

import enum
from collections.abc import Iterator, Mapping, Sequence

from core.editions.part import EditionFault, Part, negative_faults
from core.editions.readings import Readings, SimplifiedEliminated, SimplifiedMultiplier
from core.terms import Dollars, Ending, Role


class WinningsCase(enum.Enum):
    """The players with a role to whom a winnings row applies.

    For each ending and role there is either one ``always`` row, or two rows with opposite cases.
    """

    ALWAYS = "always"
    ALIVE = "alive"
    ELIMINATED = "eliminated"
    LOST_FINAL_DUEL = "lost_final_duel"
    NO_FINAL_DUEL = "no_final_duel"


class Counted(enum.Enum):
    """The players by whose number an amount is multiplied; the value is the amount's key in a row."""

    OUTLAWS = "per_outlaw"
    PLAYERS = "per_player"
    ELIMINATED = "per_eliminated"
    """Players eliminated by the end of the game."""

    def count(self, start: Mapping[Role, int], alive: Mapping[Role, int]) -> int:
        """Return the number of these players. Both arguments count players by role: at start and end."""
        match self:
            case Counted.OUTLAWS:
                return start[Role.OUTLAW]
            case Counted.PLAYERS:
                return sum(start.values())
            case Counted.ELIMINATED:
                return sum(start.values()) - sum(alive.values())


class WinningsRow(Part, frozen=True, kw_only=True):
    """A row of a winnings table, which pays fixed amounts, or by a formula, or nothing.

    printed: the row's text in the document.
    dollars: the fixed amounts by table size, ascending.
    four: the amount to suggest if a judge allows tables of 4 (D44).
    per_outlaw, per_player, per_eliminated: the amounts of the formula, see ``Counted``.
    """

    ending: Ending
    role: Role
    case: WinningsCase = WinningsCase.ALWAYS
    printed: str
    dollars: tuple[Dollars, ...] = ()
    four: Dollars = Dollars(0)
    per_outlaw: Dollars = Dollars(0)
    per_player: Dollars = Dollars(0)
    per_eliminated: Dollars = Dollars(0)

    def faults(self) -> Iterator[EditionFault]:
        formula = {counted.value: each for counted, each in self._formula}
        if self.dollars and any(formula.values()):
            yield EditionFault(
                ("dollars",), f"stands beside a formula; allowed is dollars, or {', '.join(formula)}"
            )
        yield from negative_faults(formula.items())
        for place, dollars in enumerate(self.dollars):
            if dollars < 0:
                yield EditionFault(("dollars", place), f"is {dollars}; allowed is 0 or more")

    @property
    def _formula(self) -> tuple[tuple[Counted, Dollars], ...]:
        return tuple((counted, getattr(self, counted.value)) for counted in Counted)

    @property
    def pays(self) -> bool:
        return any(self.dollars) or any(each for _, each in self._formula)

    def terms(self, readings: Readings, *, alive: bool = True) -> Iterator[tuple[Counted, Dollars]]:
        """Yield the amounts of the formula with their multipliers. Source: reading D34.

        alive: whether the player to be paid has survived.
        """
        by_players = self._is_by_players(readings.simplified_multiplier)
        for counted, each in self._formula:
            if each and (counted is not Counted.ELIMINATED or self._pays_eliminated(readings, alive=alive)):
                yield (Counted.PLAYERS if by_players and counted is Counted.OUTLAWS else counted), each

    def _is_by_players(self, multiplier: SimplifiedMultiplier) -> bool:
        match multiplier:
            case SimplifiedMultiplier.OUTLAWS:
                return False
            case SimplifiedMultiplier.RENEGADE_PLAYERS:
                return self.role is Role.RENEGADE and self.ending is Ending.RENEGADE_WINS
            case SimplifiedMultiplier.PLAYERS:
                # Rows without a part for eliminated players belong to another table, which is unambiguous.
                return bool(self.per_eliminated)
            case SimplifiedMultiplier.PRINTED:
                return bool(self.per_eliminated) and self.ending is not Ending.LAW_WINS

    def _pays_eliminated(self, readings: Readings, *, alive: bool) -> bool:
        match readings.simplified_eliminated:
            case SimplifiedEliminated.ALIVE:
                return alive
            case SimplifiedEliminated.LAW_ALIVE:
                return alive and self.ending is Ending.LAW_WINS
            case SimplifiedEliminated.ALL:
                return True


_CASES = (
    {WinningsCase.ALWAYS},
    {WinningsCase.ALIVE, WinningsCase.ELIMINATED},
    {WinningsCase.LOST_FINAL_DUEL, WinningsCase.NO_FINAL_DUEL},
)


def winnings_faults(
    rows: Sequence[WinningsRow], roles: Sequence[Role], sizes: Sequence[int]
) -> Iterator[EditionFault]:
    """Yield a fault for each missing, repeated or superfluous row, and for a wrong number of amounts.

    roles: the roles at some table.
    sizes: the table sizes.
    """
    for number, row in enumerate(rows):
        if row.dollars and len(row.dollars) != len(sizes):
            yield EditionFault(
                ("winnings", number, "dollars"),
                f"has {len(row.dollars)} amounts; it needs one for each of tables.sizes, {len(sizes)}",
            )
        if row.role not in roles:
            yield EditionFault(
                ("winnings", number, "role"),
                f"is {row.role.value}, a role that no table has; allowed: {_list_roles(roles)}",
            )
    for ending in Ending:
        for role in roles:
            numbers = [n for n, row in enumerate(rows) if row.ending is ending and row.role is role]
            cases = [rows[number].case for number in numbers]
            if len(set(cases)) != len(cases) or set(cases) not in _CASES:
                actual = ", ".join(case.value for case in cases) or "no row"
                yield EditionFault(
                    ("winnings", *numbers[-1:]),
                    f"{ending.value}, {role.value}: {actual}; allowed are "
                    "always, or alive with eliminated, or lost_final_duel with no_final_duel",
                )


def _list_roles(roles: Sequence[Role]) -> str:
    return ", ".join(role.value for role in roles)
