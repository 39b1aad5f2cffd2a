"""A spare takes over a table in the middle of a game, without losing any saved step."""

from pathlib import Path

import msgspec
import pytest

from base.errors import Refused
from core.game import takeover
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.orders import RelieveTable, SeatGame, TakeGame
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.state.decisions import Undo
from core.game.state.game import Cause, Confirmation
from core.game.state.reasons import GameReason
from core.game.timeline import undoable
from core.proof.games import copy_faults
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.terms import GameId, Role, SeatNo, TableNo
from station.hall.authoritative_log import authoritative_log, late_steps
from station.projections.game_logs import GameTrack
from station.terminals.service import Terminals
from sync.protocol.entry import content_of
from tests.station.conftest import JUDGE, OPEN, ROLES, Station
from tests.station.kept import KeptTerminal, same_game, unit


def playing(station: Station) -> KeptTerminal:
    """Table 1 in its third turn, fully reported."""
    station.opens(10)
    broken = unit(station, 1)
    station.publishes()
    broken.obeys()
    broken.begins()
    broken.ends_turns(2)
    broken.hits(3)
    broken.sends()
    return broken


def swapped(station: Station) -> KeptTerminal:
    """A spare that the judge assigned to table 1 and that has connected."""
    spare = unit(station, None, "spare")
    swap(station, spare)
    spare.meets()
    return spare


def swap(station: Station, spare: KeptTerminal) -> None:
    station.run(station.service.of(Terminals).assign(spare.id, TableNo(1), JUDGE))


def orders(station: Station, terminal: KeptTerminal, kind: type[object]) -> list[object]:
    return [order for order in station.orders(terminal.id) if isinstance(order, kind)]


def telling(station: Station) -> GameTrack:
    track = authoritative_log(
        game_at(station), station.context.projections, station.context.terminals_by_table
    )
    assert track is not None
    return track


def game_at(station: Station) -> GameId:
    return station.service.floor(OPEN)[0].game_id


def test_the_spare_shows_the_same_game_at_the_same_moment(station: Station) -> None:
    broken = playing(station)
    spare = swapped(station)
    assert same_game(spare.game, broken.game)
    assert undoable(spare.keeper.timeline) == undoable(broken.keeper.timeline)
    assert telling(station).terminal == spare.id
    assert station.service.floor(OPEN)[0].game == broken.game
    assert [step.step.events for step in station.service.story(spare.game.game)] == [
        step.step.events for step in telling(station).steps
    ]
    assert len(telling(station).steps) == len(broken.entries)
    assert late_steps(spare.game.game, station.context.projections, station.context.terminals_by_table) == ()


def test_the_story_keeps_the_times_at_which_the_replaced_terminal_wrote(station: Station) -> None:
    playing(station)
    before = [timed.wall_ms for timed in station.service.story(game_at(station))]
    station.clock.passed_ms += 60_000
    spare = swapped(station)
    spare.hits(4)
    spare.sends()
    times = [timed.wall_ms for timed in station.service.story(game_at(station))]
    assert times[:-1] == before
    assert times[-1] > before[-1]


def test_undo_goes_on_over_the_steps_that_were_taken_over(station: Station) -> None:
    broken = playing(station)
    spare = swapped(station)
    broken.asks(Undo(2))
    spare.asks(Undo(2))
    spare.sends()
    assert same_game(spare.game, broken.game)
    assert station.service.floor(OPEN)[0].game == spare.game


def test_a_game_that_was_taken_over_ends_on_the_spare(station: Station) -> None:
    playing(station)
    spare = swapped(station)
    ends(spare)
    (sheet,) = station.service.tournament(OPEN).rounds[-1].sheets
    assert sheet.by == "terminal 1 (PIN)"


def ends(terminal: KeptTerminal, by: int = 2) -> None:
    """Let an Outlaw shoot the Sheriff and the judge confirm at the table."""
    terminal.asks(*(LoseLife(SeatNo(1)) for _ in range(terminal.game.seats[0].life)))
    terminal.asks(Eliminate(SeatNo(1), SeatNo(by), Role.SHERIFF, Cause.PLAYER), DeclareRoles(ROLES[5]))
    terminal.asks(ConfirmSheet(Confirmation.PIN))
    terminal.sends()


def test_the_proof_pack_of_a_swapped_table_holds(station: Station) -> None:
    broken = playing(station)
    broken.hits(4)
    spare = swapped(station)
    spare.ends_turns(1)
    spare.sends()
    broken.sends()
    spare.meets()
    ends(spare)
    verdict = verify_pack(read_pack(list(station.service.export(OPEN))))
    assert verdict.faults == ()
    assert verdict.games is not None
    assert verdict.games.replayed == 1


def test_a_copy_that_says_otherwise_than_its_original_is_found(station: Station) -> None:
    playing(station)
    spare = swapped(station)
    pack = read_pack(list(station.service.export(OPEN)))
    copies = [line for line in pack.terminals if line.stream == f"table/{spare.id}"]
    assert copy_faults(pack.terminals) == ((), ())
    forged = msgspec.structs.replace(copies[-1].step, events=copies[-2].step.events)
    lines = [*pack.terminals, msgspec.structs.replace(copies[-1], step=forged, line=999)]
    ((fault,), notes) = copy_faults(lines)
    assert fault.line == 999
    assert notes == ()
    assert len(copy_faults(copies)[1]) == 1


def test_the_relieved_unit_says_so_and_takes_no_more_taps(station: Station) -> None:
    broken = playing(station)
    swapped(station)
    assert orders(station, broken, RelieveTable) == [RelieveTable(broken.game.game)]
    broken.obeys()
    assert broken.keeper.is_relieved
    with pytest.raises(Refused) as refusal:
        broken.ends_turns(1)
    assert refusal.value.reason is GameReason.RELIEVED
    broken.restarts()
    assert broken.keeper.is_relieved


@pytest.mark.slow
@pytest.mark.parametrize("kept", range(0, 21, 3))
def test_a_spare_that_loses_its_power_while_it_takes_over_takes_over_once(
    station: Station, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(takeover, "PART_BYTES", 600)
    broken = playing(station)
    spare = unit(station, None, "spare")
    swap(station, spare)
    assert len(orders(station, spare, TakeGame)) > 3
    spare.obeys()
    whole = len(spare.entries)
    spare.restarts(min(kept, whole))
    spare.meets()
    assert same_game(spare.game, broken.game)
    assert len(spare.entries) == whole == len(broken.entries)


def test_until_the_last_part_has_come_the_spare_takes_no_taps(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "PART_BYTES", 600)
    broken = playing(station)
    spare = unit(station, None, "spare")
    swap(station, spare)
    spare.obeys(most=3)
    spare.sends()
    assert spare.keeper.steps_to_come > 0
    assert station.service.floor(OPEN)[0].game == broken.game
    with pytest.raises(Refused) as refusal:
        spare.ends_turns(1)
    assert refusal.value.reason is GameReason.BEING_TAKEN_OVER
    spare.restarts()
    assert spare.keeper.steps_to_come == 0
    spare.meets()
    assert same_game(spare.game, broken.game)


def test_a_station_that_starts_anew_in_the_middle_gives_nothing_twice(
    station: Station, tmp_path: Path
) -> None:
    broken = playing(station)
    spare = unit(station, None, "spare")
    swap(station, spare)
    said = station.orders(spare.id), station.orders(broken.id)
    station.close()
    again = Station(tmp_path)
    assert (again.orders(spare.id), again.orders(broken.id)) == said
    spare.station = broken.station = again
    spare.meets()
    assert same_game(spare.game, broken.game)
    assert again.service.floor(OPEN)[0].game == broken.game
    again.close()


def test_a_unit_that_comes_back_to_its_table_takes_the_spares_steps_over(station: Station) -> None:
    broken = playing(station)
    spare = swapped(station)
    spare.ends_turns(1)
    spare.sends()
    broken.obeys()
    swap(station, broken)
    broken.meets()
    spare.obeys()
    assert same_game(broken.game, spare.game)
    assert spare.keeper.is_relieved
    assert not broken.keeper.is_relieved
    broken.ends_turns(1)
    broken.sends()
    assert telling(station).terminal == broken.id
    assert station.service.floor(OPEN)[0].game == broken.game


def test_a_table_whose_terminal_never_told_anything_is_seated_anew(station: Station) -> None:
    station.opens(10)
    silent = unit(station, 1)
    station.publishes()
    spare = unit(station, None, "spare")
    swap(station, spare)
    assert len(orders(station, spare, SeatGame)) == 1
    spare.meets()
    silent.obeys()
    assert silent.keeper.is_relieved or silent.keeper.game is None


def test_late_steps_that_go_on_where_the_spare_stands_are_merged(station: Station) -> None:
    broken = playing(station)
    broken.ends_turns(2)
    spare = swapped(station)
    assert not same_game(spare.game, broken.game)
    broken.sends()
    spare.meets()
    assert same_game(spare.game, broken.game)
    assert late_steps(spare.game.game, station.context.projections, station.context.terminals_by_table) == ()
    spare.ends_turns(1)
    spare.sends()
    assert station.service.floor(OPEN)[0].game == spare.game


def test_late_steps_of_a_table_that_the_spare_has_seated_anew_are_merged_too(station: Station) -> None:
    station.opens(10)
    broken = unit(station, 1)
    station.publishes()
    broken.obeys()
    broken.begins()
    broken.ends_turns(1)
    spare = swapped(station)
    broken.sends()
    spare.meets()
    assert same_game(spare.game, broken.game)


def test_late_steps_beside_the_spares_own_are_kept_and_not_counted(station: Station) -> None:
    broken = playing(station)
    broken.hits(4)
    broken.hits(4)
    spare = swapped(station)
    spare.ends_turns(1)
    spare.sends()
    broken.sends()
    spare.meets()
    (late,) = late_steps(spare.game.game, station.context.projections, station.context.terminals_by_table)
    assert late.track.terminal == broken.id
    assert [step.step.events for step in late.steps] == [
        msgspec.msgpack.decode(content_of(entry.raw).body, type=type(late.steps[0].step)).events
        for entry in broken.entries[-2:]
    ]
    assert station.service.floor(OPEN)[0].game == spare.game


def test_a_spare_that_was_quicker_than_the_merge_keeps_its_own(station: Station) -> None:
    broken = playing(station)
    broken.hits(4)
    spare = swapped(station)
    spare.ends_turns(1)
    broken.sends()
    assert len(orders(station, spare, TakeGame)) == 2
    before = spare.game
    spare.meets()
    assert spare.game == before
    (late,) = late_steps(spare.game.game, station.context.projections, station.context.terminals_by_table)
    assert len(late.steps) == 1


def test_a_unit_with_a_new_journal_gets_its_own_game_back(station: Station) -> None:
    broken = playing(station)
    renewed = KeptTerminal(station, broken.id, "b" * 16)
    renewed.meets()
    assert same_game(renewed.game, broken.game)
    assert station.service.floor(OPEN)[0].game == broken.game
