"""A scripted table where the Rebel! plays: the rules of 2003 with that one more role, and High Noon."""

from msgspec.structs import replace

from core.editions.edition import Edition
from core.editions.loader import edition, with_options
from core.game.ending.endings import Outcome
from core.game.ending.finished_game import FinishedGame, check_finished, finished_game
from core.game.ending.rebel import ShowEventCard
from core.game.ending.sheet import DeclareRoles
from core.game.events import GameEvent
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.state.game import Cause, EventCard
from core.rule_set import OptionKey
from core.terms import Role, SeatNo
from tests.core.game.conftest import ScriptedTable, with_readings
from tests.core.game.naive_referee import REBEL_DEALS


def rebel_rules(**readings: object) -> Edition:
    """Tables of 4 to 10, the Rebel! at the sizes that have one; with High Noon."""
    rules = with_options(edition("official-2003"), (OptionKey.REBEL,), "test")
    return replace(with_readings(rules, **readings), high_noon=edition("championship-2022").high_noon)


class RebelTable(ScriptedTable):
    """Six players: Sheriff, Outlaw, Deputy, Outlaw, Renegade, and the Rebel! at seat 6."""

    def __init__(self, players: int = 6, **readings: object) -> None:
        super().__init__(rebel_rules(**readings))
        self.deal = tuple(Role(role) for role in REBEL_DEALS[players])
        self.begun(players)

    def shoot(self, *seats: int) -> tuple[GameEvent, ...]:
        """One card of the player whose turn it is takes these out together; the last events."""
        self.fall(*seats)
        events: tuple[GameEvent, ...] = ()
        for seat in seats:
            events = self.ask(Eliminate(SeatNo(seat), self.now().turn, self.deal[seat - 1], Cause.PLAYER))
        return events

    def shoot_enemies(self, by: int | None = None) -> None:
        """The Law wins: in this player's turn, or the running one, those who are left fall one by one."""
        if by is not None:
            self.end_turns_until(by)
        for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
            self.shoot(seat)

    def revolution(self) -> None:
        """The Rebel! at seat 6 shoots the Sheriff."""
        self.end_turns_until(REBEL)
        self.shoot(SHERIFF)
        self.answer(REBEL, is_rebel=True)

    def answer(self, seat: int, *, is_rebel: bool) -> tuple[GameEvent, ...]:
        return self.ask(AnswerRevolution(SeatNo(seat), is_rebel))


SHERIFF, OUTLAW, DEPUTY, OTHER_OUTLAW, RENEGADE, REBEL = (SeatNo(seat) for seat in range(1, 7))
GHOST_TOWN, DEAD_MAN = ShowEventCard(EventCard.GHOST_TOWN), ShowEventCard(EventCard.DEAD_MAN)


def after_a_revolution() -> RebelTable:
    """The Rebel! at seat 6 has shot the Sheriff and begins a turn as the Sheriff."""
    table = RebelTable()
    table.revolution()
    return table


def sheet(table: RebelTable) -> tuple[FinishedGame, Outcome]:
    table.ask(DeclareRoles(table.deal))
    game = finished_game(table.now())
    return game, check_finished(game, table.rules)
