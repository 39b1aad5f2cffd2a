"""A scripted table: a game driven by commands, in the words of the table."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.sheet import DeclareRoles
from core.game.events import GameEvent, GameStep
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, Rescue, SaveLastLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, GameState, Phase, Seat, SeatedPlayer
from core.game.state.reasons import GameReason
from core.game.timeline import Timeline, extend, redoable, undoable
from core.rule_set import AgreementForm, RecordMode, RuleSet
from core.terms import GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId

S, D, O, R = Role.SHERIFF, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE  # noqa: E741
ROLES = {
    4: (S, O, R, O),
    5: (S, O, D, O, R),
    6: (S, O, D, O, R, O),
    7: (S, O, D, O, R, O, D),
}
FOUR_LIFE = [character for character in Character if character.value not in {"El Gringo", "Paul Regret"}]


def refused(call: Callable[..., object], *values: object, **named: object) -> object:
    """Return the reason for which a call is refused; the test fails if it isn't."""
    with pytest.raises(Refused) as raised:
        call(*values, **named)
    return raised.value.reason


def seating(players: int, *, game: str = "game-1") -> SeatTable:
    return SeatTable(
        game=GameId(game),
        tournament=TournamentId("tournament-1"),
        tournament_name="Open of Dodge City",
        rules=RuleSet("championship-2022"),
        round=RoundNo(1),
        table=TableNo(3),
        seats=tuple(SeatedPlayer(PlayerId(f"p{seat}"), f"Player {seat}") for seat in range(1, players + 1)),
    )


class ScriptedTable:
    """A table that keeps its steps, as a terminal does."""

    def __init__(self, rules: Edition) -> None:
        self.rules = rules
        self.log: list[GameStep] = []
        self.timeline: Timeline | None = None

    def now(self) -> GameState:
        assert self.timeline is not None
        return self.timeline.state

    def seat(self, seat: int) -> Seat:
        return self.now().seats[seat - 1]

    def ask(self, *commands: GameCommand, order: int | None = None) -> tuple[GameEvent, ...]:
        """Carry commands out; the events of the last one."""
        events: tuple[GameEvent, ...] = ()
        for command in commands:
            state = None if self.timeline is None else self.timeline.state
            may_undo, may_redo = undoable(self.timeline), redoable(self.timeline)
            events = decide(state, command, self.rules, may_undo=may_undo, may_redo=may_redo)
            game = command.game if isinstance(command, SeatTable) else self.now().game
            step = GameStep(game, events, order)
            self.log.append(step)
            self.timeline = extend(self.timeline, step)
        return events

    def refusal(self, command: GameCommand) -> GameReason:
        """Return why a command is refused; the test fails if it isn't."""
        before = self.timeline
        state = None if before is None else before.state
        refused = why_not(state, command, self.rules, may_undo=undoable(before))
        assert refused is not None, f"{command} is accepted"
        with pytest.raises(Refused) as raised:
            self.ask(command)
        assert str(raised.value) == str(refused)
        assert self.timeline == before
        assert isinstance(refused.reason, GameReason)
        return refused.reason

    def seated(self, players: int) -> "ScriptedTable":
        self.ask(seating(players))
        return self

    def begun(
        self,
        players: int,
        characters: Sequence[Character] = (),
        mode: RecordMode = RecordMode.FULL,
        agreement: AgreementForm = AgreementForm.EACH_PLAYER,
    ) -> "ScriptedTable":
        """Up to the Sheriff's first turn."""
        rules = RuleSet(self.rules.key, tuple(self.rules.chosen), mode=mode, agreement=agreement)
        self.ask(msgspec.structs.replace(seating(players), rules=rules))
        chosen = [*characters, *(ch for ch in FOUR_LIFE if ch not in characters)]
        self.ask(*(CheckIn(SeatNo(seat)) for seat in range(1, players + 1)), DealRoles())
        self.ask(*(ChooseCharacter(SeatNo(seat), chosen[seat - 1]) for seat in range(1, players + 1)))
        self.ask(BeginGame())
        assert self.now().phase is Phase.PLAYING
        return self

    def lose(self, seat: int, points: int = 1) -> None:
        self.ask(LoseLife(SeatNo(seat), points))

    def leave_with(self, **life: int) -> None:
        """Wound seats down to these life points: ``leave_with(seat_2=1)``."""
        for name, points in life.items():
            seat = int(name.removeprefix("seat_"))
            self.lose(seat, self.seat(seat).life - points)

    def fall(self, *seats: int) -> None:
        """Wound seats down to no life points, so that their questions are open together."""
        for seat in seats:
            points = self.seat(seat).life
            for part in (3, 2, 1):
                while points >= part:
                    self.lose(seat, part)
                    points -= part

    def out(
        self, seat: int, by: int | None = 1, cause: Cause | None = None, role: Role | None = None
    ) -> None:
        """Answer the question of a seat: out, with the role of the usual deal."""
        shown_role = ROLES[len(self.now().seats)][seat - 1] if role is None else role
        why = cause or (Cause.PLAYER if by is not None else Cause.DYNAMITE)
        self.ask(Eliminate(SeatNo(seat), None if by is None else SeatNo(by), shown_role, why))

    def kill(self, *seats: int, by: int | None = 1) -> None:
        """Wound seats down and take them out, one after the other."""
        for seat in seats:
            self.fall(seat)
            self.out(seat, by)

    def shows(self, seat: int, role: Role) -> None:
        """A player is killed and shows a role other than that of the usual deal."""
        self.fall(seat)
        self.out(seat, role=role)

    def begin_noon(self, **life: int) -> None:
        """Wound seats down to these life points, announce High Noon, and end the turn: the next begins it."""
        self.leave_with(**life)
        self.reshuffle(3)
        self.end_turn()

    def noon_takes(self, seat: int) -> None:
        self.out(seat, None, Cause.HIGH_NOON)

    def beer(self, seat: int) -> None:
        self.ask(SaveLastLife(SeatNo(seat), Rescue.BEER))

    def end_turn(self, times: int = 1) -> None:
        self.ask(*(EndTurn() for _ in range(times)))

    def end_turns_until(self, seat: int) -> None:
        while self.now().turn != seat:
            self.end_turn()

    def reshuffle(self, times: int = 1) -> None:
        self.ask(*(Reshuffle() for _ in range(times)))

    def declare(self) -> None:
        self.ask(DeclareRoles(ROLES[len(self.now().seats)]))


@pytest.fixture(scope="session")
def rules() -> Edition:
    return edition("championship-2022")


@pytest.fixture
def make_game(rules: Edition) -> Callable[..., ScriptedTable]:
    """A begun game: ``make_game(players=7)``; readings by name, as in a worked case's config."""

    def make(players: int = 5, characters: Sequence[Character] = (), **readings: object) -> ScriptedTable:
        return ScriptedTable(with_readings(rules, **readings)).begun(players, characters)

    return make


@pytest.fixture
def table(make_game: "MakeGame") -> ScriptedTable:
    """A begun game of five."""
    return make_game()


def with_readings(rules: Edition, **readings: object) -> Edition:
    changed = msgspec.to_builtins(rules.readings) | readings
    return msgspec.structs.replace(rules, readings=msgspec.convert(changed, type(rules.readings)))


MakeGame = Callable[..., ScriptedTable]
