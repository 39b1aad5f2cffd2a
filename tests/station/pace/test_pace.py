"""The pace of a round, as the station works it out from what its tables report."""

import pytest

from core.game.clock import PauseClock, ResumeClock
from core.game.play.eliminations import Eliminate
from core.game.play.turns import SetRecordMode
from core.game.state.game import Cause
from core.rule_set import RecordMode
from core.terms import Role, RoundNo, SeatNo, Seconds, TableNo
from core.tournament.round_clock import PauseRoundClock, ResumeRoundClock, StartRoundClock
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.pace import service as services_pace
from station.pace.service import LivePace, RoundPace, TablePace
from station.projections.game_logs import GameLogs
from station.terminals.service import Terminals
from sync.protocol.entry import GENESIS, ClockReading, Entry, StreamId, chained_hash, content_bytes
from tests.station.conftest import JUDGE, OPEN, WALL_MS, Station, outlaws_won
from tests.station.kept import KeptTerminal

MINUTE_MS = 60_000


class TimedTerminal(KeptTerminal):
    """A terminal whose clock goes with the station's. ahead_ms: by which it is wrong."""

    ahead_ms = 0

    def writes_body(self, body: bytes) -> None:
        seq, wall_ms = len(self.entries) + 1, self.station.clock.wall_ms() + self.ahead_ms
        raw = content_bytes(ClockReading(1, wall_ms - WALL_MS, wall_ms, trusted=False), body)
        previous = self.entries[-1].hash if self.entries else GENESIS
        stream = StreamId(f"table/{self.id}")
        self.entries.append(Entry(stream, self.epoch, seq, raw, chained_hash(previous, raw)))

    def plays(self, turns: int, minutes: float) -> None:
        """End these turns, each after the same time."""
        for _ in range(turns):
            passes(self.station, minutes / turns)
            self.ends_turns(1)
        self.sends()

    def eliminates_sheriff(self) -> None:
        """Seat 2 shoots the Sheriff: the game is over."""
        for _ in range(self.game.seats[0].life):
            self.hits(1)
        self.asks(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
        self.sends()


def passes(station: Station, minutes: float) -> None:
    station.clock.passed_ms += int(minutes * MINUTE_MS)


def unit(station: Station, table: int | None, name: str = "") -> TimedTerminal:
    return TimedTerminal(station, station.terminal(table, name).id)


def begins(terminal: TimedTerminal) -> None:
    terminal.obeys()
    terminal.begins()
    terminal.sends()


def pace(station: Station) -> RoundPace:
    current = station.service.of(LivePace).of(station.service.tournament(OPEN))
    assert current is not None
    return current


def at_table(station: Station, table: int) -> TablePace:
    table_pace = pace(station).table(TableNo(table))
    assert table_pace is not None
    return table_pace


def minutes_left(station: Station, table: int) -> float:
    return (at_table(station, table).end.middle_ms - station.clock.wall_ms()) / MINUTE_MS


def width(station: Station, table: int) -> float:
    end = at_table(station, table).end
    return (end.late_ms - end.early_ms) / MINUTE_MS


@pytest.fixture
def two(station: Station) -> tuple[TimedTerminal, TimedTerminal]:
    """Two tables of five at the start of their first turns."""
    station.opens(10, Waivers(rounds=2))
    terminals = unit(station, 1), unit(station, 2)
    station.publishes()
    for terminal in terminals:
        begins(terminal)
    return terminals


def test_before_a_round_nothing_is_expected(station: Station) -> None:
    station.opens(10)
    assert station.service.of(LivePace).of(station.service.tournament(OPEN)) is None


def test_a_table_that_needs_twice_as_long_for_its_turns_is_likely_to_be_last(
    station: Station, two: tuple[TimedTerminal, TimedTerminal]
) -> None:
    quick, slow = two
    for _ in range(8):
        quick.ends_turns(2)
        slow.ends_turns(1)
        passes(station, 2)
    quick.sends()
    slow.sends()
    current = pace(station)
    assert current.tables[0].table == 2
    assert current.is_likely
    assert minutes_left(station, 2) > 1.4 * minutes_left(station, 1)
    assert station.clock.wall_ms() < current.end.early_ms < current.end.middle_ms < current.end.late_ms
    assert current.end.middle_ms >= current.tables[0].end.middle_ms - MINUTE_MS


def test_a_table_that_is_over_is_not_waited_for_and_the_last_one_ends_the_round(
    station: Station, two: tuple[TimedTerminal, TimedTerminal]
) -> None:
    one, other = two
    one.plays(10, 6.0)
    other.ends_turns(10)
    other.sends()
    one.eliminates_sheriff()
    assert [table.table for table in pace(station).tables] == [2]
    other.eliminates_sheriff()
    passes(station, 1)
    assert station.service.of(LivePace).of(station.service.tournament(OPEN)) is None


def test_a_table_on_paper_is_known_by_the_start_of_the_round_alone(station: Station) -> None:
    station.opens(10)
    terminal = unit(station, 1)
    station.publishes()
    begins(terminal)
    terminal.plays(25, 14.0)
    assert at_table(station, 1).is_known
    assert not at_table(station, 2).is_known
    assert width(station, 1) < width(station, 2)


def test_a_sheet_from_paper_ends_its_table(station: Station) -> None:
    station.opens(10)
    drawn = station.publishes()
    assert len(pace(station).tables) == 2
    station.does(AcceptSheet(drawn.tables[0].game, outlaws_won(drawn, 1), Source.PAPER))
    assert [table.table for table in pace(station).tables] == [2]


def test_a_terminal_that_has_not_dealt_yet_has_its_whole_game_before_it(station: Station) -> None:
    station.opens(10)
    terminal = unit(station, 1)
    station.publishes()
    terminal.obeys()
    terminal.sends()
    passes(station, 30)
    before = minutes_left(station, 1)
    assert at_table(station, 1).is_known
    begins(terminal)
    terminal.plays(8, 4.0)
    assert minutes_left(station, 1) < before


def test_a_pause_of_the_hall_moves_the_end_and_does_not_make_turns_slower(station: Station) -> None:
    station.opens(10, Waivers(rounds=1, time_limit_min=300))
    terminal = unit(station, 1)
    station.publishes()
    begins(terminal)
    station.does(StartRoundClock())
    terminal.plays(20, 10.0)
    before = minutes_left(station, 1)
    station.does(PauseRoundClock())
    passes(station, 30)
    assert pace(station).is_stopped
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)
    station.does(ResumeRoundClock())
    assert not pace(station).is_stopped
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)


def test_a_pause_at_the_table_counts_no_more_than_one_of_the_hall(station: Station) -> None:
    station.opens(10, Waivers(rounds=1, time_limit_min=300))
    terminal = unit(station, 1)
    station.publishes()
    begins(terminal)
    station.does(StartRoundClock())
    terminal.plays(20, 10.0)
    before = minutes_left(station, 1)
    terminal.asks(PauseClock(Seconds(17_000)))
    terminal.sends()
    passes(station, 20)
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)
    terminal.asks(ResumeClock(Seconds(1_200)))
    terminal.sends()
    passes(station, 0.1)
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)


def test_no_table_is_expected_to_play_longer_than_its_time(station: Station) -> None:
    station.opens(10, Waivers(rounds=1, time_limit_min=20))
    terminal = unit(station, 1)
    station.publishes()
    begins(terminal)
    passes(station, 10)
    station.does(StartRoundClock())
    passes(station, 5)
    limit_ms = station.clock.wall_ms() + 15 * MINUTE_MS
    current = pace(station)
    assert current.end.late_ms <= limit_ms
    assert all(table.end.late_ms <= limit_ms for table in current.tables)


def test_the_second_round_has_learnt_from_the_first(
    station: Station, two: tuple[TimedTerminal, TimedTerminal]
) -> None:
    for terminal in two:
        terminal.plays(50, 100.0)
        terminal.eliminates_sheriff()
    first = station.service.tournament(OPEN).rounds[0]
    for table in (1, 2):
        station.does(AcceptSheet(first.tables[table - 1].game, outlaws_won(first, table), Source.PAPER))
    station.publishes("cactus 2")
    learnt = at_table(station, 1).end.middle_ms - station.clock.wall_ms()
    newcomer = services_pace.LivePace(station.context)
    station.context.projections.games = GameLogs(lambda _: None)
    unlearnt = newcomer.of(station.service.tournament(OPEN))
    assert unlearnt is not None
    fresh = unlearnt.table(TableNo(1))
    assert fresh is not None
    assert learnt > 1.5 * (fresh.end.middle_ms - station.clock.wall_ms())


@pytest.mark.parametrize("ahead_ms", [-365 * 24 * 3_600_000, 3_600_000])
def test_a_terminal_whose_clock_is_wrong_is_expected_to_end_like_the_others(
    station: Station, ahead_ms: int
) -> None:
    station.opens(10)
    right, wrong = unit(station, 1), unit(station, 2)
    wrong.ahead_ms = ahead_ms
    station.publishes()
    begins(right)
    begins(wrong)
    for _ in range(20):
        passes(station, 0.5)
        right.ends_turns(1)
        wrong.ends_turns(1)
    right.sends()
    wrong.sends()
    assert minutes_left(station, 2) == pytest.approx(minutes_left(station, 1), rel=0.1)


def test_a_spare_that_copied_a_game_knows_when_its_turns_were_played(
    station: Station, two: tuple[TimedTerminal, TimedTerminal]
) -> None:
    broken = two[0]
    broken.plays(20, 10.0)
    before = minutes_left(station, 1)
    spare = unit(station, None, "spare")
    station.run(station.service.of(Terminals).assign(spare.id, TableNo(1), JUDGE))
    spare.meets()
    passes(station, 0.1)
    assert spare.game.turns == 21
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)


def test_a_light_game_is_forecast_by_its_time_and_its_eliminations(
    station: Station, two: tuple[TimedTerminal, TimedTerminal]
) -> None:
    light = two[0]
    light.asks(SetRecordMode(RecordMode.LIGHT))
    passes(station, 15)
    light.sends()
    before = minutes_left(station, 1)
    light.asks(Eliminate(SeatNo(2), SeatNo(1), Role.OUTLAW, Cause.PLAYER))
    light.sends()
    passes(station, 0.1)
    assert minutes_left(station, 1) < before
    assert at_table(station, 1).is_known


def test_pages_that_ask_together_share_one_forecast(
    station: Station, two: tuple[TimedTerminal, TimedTerminal]
) -> None:
    current = pace(station)
    two[0].ends_turns(1)
    two[0].sends()
    assert pace(station) is current
    passes(station, 0.05)
    assert pace(station) is not current
    again = pace(station)
    passes(station, 0.1)
    assert pace(station) is again
    passes(station, 0.2)
    assert pace(station).now_ms > again.now_ms


def test_the_finals_have_no_pace(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    assert station.service.of(LivePace).of(station.service.tournament(OPEN)) is None
    assert RoundNo(1) == station.service.tournament(OPEN).published_rounds[-1].round
