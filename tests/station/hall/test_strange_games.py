"""Games that are well formed but impossible, and stop nothing else."""

import enum
import types
import typing
from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.game.ending.endings import GameEnded
from core.game.ending.sheet import ConfirmSheet, DeclareRoles, VoidGame
from core.game.events import GameEvent, GameStep
from core.game.orders import SeatGame, WithdrawSeat
from core.game.setup import TableSeated
from core.terms import GameId, SeatNo
from core.tournament.penalties import WithdrawPlayer
from station.hall.tournaments import follow_up
from station.projections.projections import Projections
from sync.protocol.entry import GENESIS, ClockReading, Entry, Epoch, StreamId, chained_hash, content_bytes
from tests.examples import examples
from tests.station.conftest import OPEN, ROLES, ScriptedTerminal, Station

NUMBERS = st.one_of(st.integers(-1, 8), st.sampled_from([100, 2**63]))
_lives = count(1)


def anything(kind: typing.Any) -> st.SearchStrategy[typing.Any]:
    """Values that MessagePack accepts for this type, likely or not."""
    kind = getattr(kind, "__supertype__", kind)
    arguments = typing.get_args(kind)
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return st.one_of(*map(anything, arguments))
    if typing.get_origin(kind) is tuple:
        return st.lists(anything(arguments[0]), max_size=7).map(tuple)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return st.sampled_from(list(kind))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = typing.get_type_hints(kind)
        return st.builds(kind, **{name: anything(hints[name]) for name in kind.__struct_fields__})
    plain = {int: NUMBERS, str: st.sampled_from(["", "p001"]), bool: st.booleans(), type(None): st.none()}
    return plain[kind]


ENDS = st.one_of(
    st.just(DeclareRoles(ROLES[5])),
    anything(GameEnded),
    anything(ConfirmSheet),
    anything(VoidGame),
)
EVENTS = st.lists(st.one_of(anything(GameEvent), ENDS), max_size=2).map(tuple)


def seated(terminal: ScriptedTerminal, seats: int) -> GameStep:
    """The seating given to the terminal, with fewer seats."""
    seating = terminal.ordered(SeatGame)[0].seating
    event = TableSeated(
        game=seating.game,
        tournament=seating.tournament,
        tournament_name=seating.tournament_name,
        rules=seating.rules,
        round=seating.round,
        table=seating.table,
        seats=seating.seats[:seats],
    )
    return GameStep(seating.game, (event,))


def tells(terminal: ScriptedTerminal, steps: list[GameStep]) -> None:
    """Report a game again, as a terminal with a new journal does."""
    terminal.epoch = Epoch(f"{next(_lives):016x}")
    terminal.entries.clear()
    for step in steps:
        terminal.writes_body(msgspec.msgpack.encode(step))
    terminal.sends()


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    return station.round_with_terminal()


@pytest.mark.slow
@settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(seats=st.integers(0, 5), sent=st.lists(EVENTS, max_size=12), orders_done=NUMBERS)
def test_whatever_a_terminal_tells_the_judge_can_go_on(
    station: Station,
    terminal: ScriptedTerminal,
    seats: int,
    sent: list[tuple[GameEvent, ...]],
    orders_done: int,
) -> None:
    first = seated(terminal, seats)
    tells(terminal, [first, *(GameStep(first.game, events, None, orders_done) for events in sent)])
    tellings = [t for t in station.context.projections.games[first.game] if t.epoch == terminal.epoch]
    assert sum(len(telling.steps) for telling in tellings) == len(sent) + 1
    assert station.service.story(first.game)
    assert station.card().game_id == first.game
    assert len(station.service.floor(OPEN)) in {1, 2}
    assert next(station.service.export(OPEN)).startswith(b'{"kind":"saloon-export"')
    station.run(follow_up(station.context))
    applied, read = Projections(), Projections()
    applied.apply_all(arrived.entry for arrived in station.store.entries_after())
    read.read_all(station.store.stored_entries())
    assert applied.games == read.games == station.context.projections.games


def test_a_terminal_that_seated_too_few_hears_who_left(station: Station, terminal: ScriptedTerminal) -> None:
    tells(terminal, [seated(terminal, 0)])
    drawn = station.service.tournament(OPEN).rounds[0].tables[0]
    station.does(WithdrawPlayer(drawn.players[4], "tired"))
    assert terminal.ordered(WithdrawSeat) == [WithdrawSeat(drawn.game, SeatNo(5), ejected=False)]


def test_a_step_whose_text_is_no_utf_8_is_named_and_stops_nothing() -> None:
    body = msgspec.msgpack.encode(GameStep(GameId("a-game"), ())).replace(b"a-game", bytes(6 * [255]))
    raw = content_bytes(ClockReading(1, 2, 3, trusted=False), body)
    entry = Entry(StreamId("table/1"), Epoch("5" * 16), 1, raw, chained_hash(GENESIS, raw))
    touched = Projections().apply(entry)
    assert "table/1, entry 1" in touched.problem
