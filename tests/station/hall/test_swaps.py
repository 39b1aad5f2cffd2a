"""A spare takes over a table in the middle of a game, without losing any saved step."""

import msgspec
import pytest

from base.errors import Refused
from core.game import takeover
from core.game.orders import ConfirmFromStation, RelieveTable, SeatGame, TakeGame
from core.game.play.wounds import LoseLife
from core.game.state.decisions import Undo
from core.game.state.reasons import GameReason
from core.game.timeline import undoable
from core.proof.games import copy_faults
from core.proof.reading import read_pack
from core.terms import GameId, SeatNo, TableNo
from core.tournament.sheets import WaiveOwedEntries
from core.tournament.state.tournament import Waivers
from station.hall.authoritative_log import LateTrack, authoritative_log, late_steps
from station.projections.game_logs import GameTrack
from sync.protocol.entry import content_of
from tests.station.conftest import OPEN, Station, present
from tests.station.kept import KeptTerminal, kept_round, same_game, unit


def playing(station: Station) -> KeptTerminal:
    """Table 1 in its third turn, fully reported."""
    broken = kept_round(station)
    broken.ends_turns(2)
    broken.tells(LoseLife(SeatNo(3)))
    return broken


def swapped(station: Station) -> KeptTerminal:
    """A spare that the judge assigned to table 1 and that has connected."""
    spare = unit(station, None, "spare")
    station.assigns(spare.id, 1)
    spare.meets()
    return spare


def telling(station: Station) -> GameTrack:
    track = authoritative_log(
        game_at(station), station.context.projections, station.context.terminals_by_table
    )
    assert track is not None
    return track


def late(station: Station) -> tuple[LateTrack, ...]:
    return late_steps(game_at(station), station.context.projections, station.context.terminals_by_table)


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
    assert late(station) == ()


def test_the_story_keeps_the_times_at_which_the_replaced_terminal_wrote(station: Station) -> None:
    playing(station)
    before = [timed.wall_ms for timed in station.service.story(game_at(station))]
    station.clock.passed_ms += 60_000
    spare = swapped(station)
    spare.tells(LoseLife(SeatNo(4)))
    times = [timed.wall_ms for timed in station.service.story(game_at(station))]
    assert times[:-1] == before
    assert times[-1] > before[-1]


def test_undo_goes_on_over_the_steps_that_were_taken_over(station: Station) -> None:
    broken = playing(station)
    spare = swapped(station)
    broken.asks(Undo(2))
    spare.tells(Undo(2))
    assert same_game(spare.game, broken.game)
    assert station.service.floor(OPEN)[0].game == spare.game


def test_a_game_that_was_taken_over_ends_on_the_spare(station: Station) -> None:
    playing(station)
    spare = swapped(station)
    spare.ends()
    spare.confirms()
    assert station.accepted_by == ["terminal 1 (PIN)"]


def test_the_proof_pack_of_a_swapped_table_holds(station: Station) -> None:
    broken = playing(station)
    broken.hits(4)
    spare = swapped(station)
    spare.plays_turns()
    broken.sends()
    spare.meets()
    spare.ends()
    spare.confirms()
    verdict = station.verdict()
    assert verdict.faults == ()
    assert present(verdict.games).replayed == 1


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
    assert broken.ordered(RelieveTable) == [RelieveTable(broken.game.game)]
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
    station.assigns(spare.id, 1)
    assert len(spare.ordered(TakeGame)) > 3
    spare.obeys()
    whole = len(spare.entries)
    spare.restarts(min(kept, whole))
    spare.meets()
    assert same_game(spare.game, broken.game)
    assert len(spare.entries) == whole == len(broken.entries)


def test_a_spare_without_the_last_part_takes_no_taps(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "PART_BYTES", 600)
    broken = playing(station)
    spare = unit(station, None, "spare")
    station.assigns(spare.id, 1)
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


def test_a_station_that_starts_anew_in_the_middle_gives_nothing_twice(station: Station) -> None:
    broken = playing(station)
    spare = unit(station, None, "spare")
    station.assigns(spare.id, 1)
    said = station.orders(spare.id), station.orders(broken.id)
    again = station.restarts()
    assert (again.orders(spare.id), again.orders(broken.id)) == said
    spare.station = broken.station = again
    spare.meets()
    assert same_game(spare.game, broken.game)
    assert again.service.floor(OPEN)[0].game == broken.game


def test_a_unit_that_comes_back_to_its_table_takes_the_spares_steps_over(station: Station) -> None:
    broken = playing(station)
    spare = swapped(station)
    spare.plays_turns()
    broken.obeys()
    station.assigns(broken.id, 1)
    broken.meets()
    spare.obeys()
    assert same_game(broken.game, spare.game)
    assert spare.keeper.is_relieved
    assert not broken.keeper.is_relieved
    broken.plays_turns()
    assert telling(station).terminal == broken.id
    assert station.service.floor(OPEN)[0].game == broken.game


def test_a_table_whose_terminal_never_told_anything_is_seated_anew(station: Station) -> None:
    station.opens(10)
    silent = unit(station, 1)
    station.publishes()
    spare = unit(station, None, "spare")
    station.assigns(spare.id, 1)
    assert len(spare.ordered(SeatGame)) == 1
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
    assert late(station) == ()
    spare.plays_turns()
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
    spare.plays_turns()
    broken.sends()
    spare.meets()
    (beside,) = late(station)
    assert beside.track.terminal == broken.id
    assert [step.step.events for step in beside.steps] == [
        msgspec.msgpack.decode(content_of(entry.raw).body, type=type(beside.steps[0].step)).events
        for entry in broken.entries[-2:]
    ]
    assert station.service.floor(OPEN)[0].game == spare.game


def test_a_spare_that_was_quicker_than_the_merge_keeps_its_own(station: Station) -> None:
    broken = playing(station)
    broken.hits(4)
    spare = swapped(station)
    spare.ends_turns(1)
    broken.sends()
    assert len(spare.ordered(TakeGame)) == 2
    before = spare.game
    spare.meets()
    assert spare.game == before
    (beside,) = late(station)
    assert len(beside.steps) == 1


def test_a_unit_with_a_new_journal_gets_its_own_game_back(station: Station) -> None:
    broken = playing(station)
    renewed = KeptTerminal(station, broken.id, "b" * 16)
    renewed.meets()
    assert same_game(renewed.game, broken.game)
    assert station.service.floor(OPEN)[0].game == broken.game


def comes_back(station: Station, terminal: KeptTerminal) -> None:
    """Connect a terminal to a restored station, and send all entries that the station lacks."""
    terminal.station = station
    known = station.store.head(terminal.entries[0].stream)
    terminal.sent = 0 if known is None else known.seq
    station.connects(terminal.id, owes=len(terminal.entries) - terminal.sent)
    terminal.sends()
    station.connects(terminal.id)


def lost(station: Station) -> tuple[Station, KeptTerminal, KeptTerminal]:
    """A station restored to before a swap, with the terminals' entries."""
    station.opens(10, Waivers(rounds=1))
    broken, spare = unit(station, 1), unit(station, None, "spare")
    station.publishes()
    broken.starts()
    content = station.run(station.service.backup())
    broken.plays_turns(2)
    station.assigns(spare.id, 1)
    spare.meets()
    broken.obeys()
    spare.plays_turns(3)
    return station.restores(content), broken, spare


def test_the_spare_stands_at_its_table_again_and_nothing_doubles(station: Station) -> None:
    again, broken, spare = lost(station)
    assert again.context.terminals_by_table == {TableNo(1): broken.id}
    comes_back(again, broken)
    comes_back(again, spare)
    assert again.context.terminals_by_table == {TableNo(1): spare.id}
    card = again.service.floor(OPEN)[0]
    assert card.game == spare.game
    assert late(again) == ()
    assert spare.ordered(TakeGame) == []
    assert spare.ordered(SeatGame) == []
    assert broken.ordered(RelieveTable) == [RelieveTable(card.game_id)]
    assert len(list(again.service.story(card.game_id))) == len(spare.entries)


def test_the_spare_alone_brings_the_whole_game_back(station: Station) -> None:
    again, broken, spare = lost(station)
    comes_back(again, spare)
    card = again.service.floor(OPEN)[0]
    assert telling(again).terminal == spare.id
    assert card.game == spare.game
    comes_back(again, broken)
    assert again.context.terminals_by_table == {TableNo(1): spare.id}
    assert again.service.floor(OPEN)[0].late == ()


def test_a_spare_that_comes_back_after_the_ranking_learns_that_its_game_is_over(station: Station) -> None:
    again, _, spare = lost(station)
    (drawn,) = again.service.tournament(OPEN).rounds
    again.accepts_paper()
    again.assigns(spare.id, 1)
    missing = again.service.problems.tables_with_missing_entries(OPEN)
    again.does(WaiveOwedEntries(missing, "both are switched off"))
    again.publishes_ranking()
    comes_back(again, spare)
    game = drawn.tables[0].game
    assert spare.ordered(ConfirmFromStation) == [ConfirmFromStation(game, is_corrected=True)]
