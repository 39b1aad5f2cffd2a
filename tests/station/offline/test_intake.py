"""Parcels at the station: imported once, alongside the network, or refused with the next step."""

import msgspec
import pytest

from base.errors import Refused
from base.signing import signer
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.result import result_bytes
from core.terms import Ending, RoundNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.sheets import AcceptSheet, ContestSheet, CorrectSheet, SettleDispute
from core.tournament.state.rounds import Source
from station.offline.service import ImportOutcome, ImportResult, ParcelImporter, ParcelRefusal
from station.projections.cards import FloorCard, SheetState
from station.terminals.service import Terminals
from sync.protocol.entry import Epoch
from sync.protocol.parcel import CarriedSheet, seal_parcel
from tests.station.conftest import JUDGE, OPEN, ScriptedTerminal, Station, outlaws_won, present


@pytest.fixture
def away(station: Station) -> ScriptedTerminal:
    """The terminal of table 1, which was given its game and then disconnected."""
    return station.round_with_terminal()


def takes(station: Station, parcel: bytes, *, confirms: bool = False) -> ImportResult:
    taken = station.run(
        station.service.of(ParcelImporter).import_parcel(parcel, "picture", JUDGE, confirms=confirms)
    )
    station.settle()
    return taken


def problem_of(station: Station, parcel: bytes) -> ParcelRefusal:
    with pytest.raises(Refused) as refused:
        takes(station, parcel)
    assert isinstance(refused.value.reason, ParcelRefusal)
    return refused.value.reason


def card(station: Station) -> FloorCard:
    return station.card()


def raws(station: Station, terminal: ScriptedTerminal) -> list[bytes]:
    return [entry.raw for entry in station.store.entries(terminal.stream, 0, 1000)]


def sheets(station: Station) -> list[object]:
    return [
        event
        for step in station.service.history(OPEN)
        for event in step.events
        if isinstance(event, AcceptSheet | ContestSheet)
    ]


def result_of(terminal: ScriptedTerminal) -> FinishedGame:
    assert terminal.timeline is not None
    return finished_game(terminal.timeline.state)


def other_than(result: FinishedGame) -> FinishedGame:
    """Return the same game, but with the shot fired by seat 4."""
    (shot,) = result.eliminations
    return msgspec.structs.replace(result, eliminations=(msgspec.structs.replace(shot, by=4),))


def holds(station: Station) -> bool:
    verdict = station.verdict()
    assert verdict.faults == ()
    return verdict.holds


def test_a_carried_game_is_accepted_as_by_wire(station: Station, away: ScriptedTerminal) -> None:
    game = away.plays_unsent()
    taken = takes(station, away.seals_entries())
    assert taken == ImportResult(
        ImportOutcome.ENTRIES_TAKEN,
        away.id,
        OPEN,
        RoundNo(1),
        TableNo(1),
        len(away.entries),
        1,
        len(away.entries),
    )
    assert raws(station, away) == [entry.raw for entry in away.entries]
    assert card(station).sheet is SheetState.ACCEPTED
    assert [len(station.service.story(game))] == [len(away.entries)]
    assert holds(station)


def test_what_is_carried_and_comes_by_wire_is_there_once(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    takes(station, away.seals_entries(last=20))
    takes(station, away.seals_entries(first=15, last=30))
    away.sends()
    assert takes(station, away.seals_entries()).outcome is ImportOutcome.ENTRIES_KNOWN
    assert raws(station, away) == [entry.raw for entry in away.entries]
    assert len(sheets(station)) == 1
    assert station.store.quarantined_entries() == ()


def test_a_gap_is_named_and_nothing_behind_it_is_kept(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    with pytest.raises(Refused, match="Entries 1 to 9 of this terminal are missing"):
        takes(station, away.seals_entries(first=10))
    assert raws(station, away) == []
    takes(station, away.seals_entries(last=4))
    with pytest.raises(Refused, match="Entries 5 to 9 of this terminal are missing"):
        takes(station, away.seals_entries(first=10))
    assert station.store.quarantined_entries() == ()


def test_entries_that_disagree_are_kept_apart_and_ring(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    kept = away.entries
    takes(station, away.seals_entries(last=10))
    clone = ScriptedTerminal(station, away.id, away.key)
    clone.entries.clear()
    for number in range(12):
        clone.writes_body(msgspec.msgpack.encode(number))
    assert problem_of(station, clone.seals_entries()) is ParcelRefusal.DISAGREES
    assert raws(station, away) == [entry.raw for entry in kept[:10]]
    assert station.store.quarantined_entries()
    assert station.service.terminals()[0].alarm


def test_a_carried_sheet_is_accepted_with_its_origin(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    parcel = away.seals_sheet()
    taken = takes(station, parcel)
    assert taken == ImportResult(ImportOutcome.SHEET_ACCEPTED, away.id, OPEN, RoundNo(1), TableNo(1))
    assert card(station).sheet is SheetState.ACCEPTED
    assert card(station).accepted == result_of(away)
    (accepted,) = sheets(station)
    assert isinstance(accepted, AcceptSheet)
    assert (accepted.source, accepted.by) == (Source.CARRIED, JUDGE)
    assert accepted.origin is not None
    assert (accepted.origin.terminal, accepted.origin.seq) == (away.id, len(away.entries))
    assert accepted.origin.hash == away.entries[-1].hash.hex()
    assert accepted.origin.sealed == parcel
    assert holds(station)


def test_a_sheet_again_or_its_entries_double_nothing(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    takes(station, away.seals_sheet())
    assert takes(station, away.seals_sheet()).outcome is ImportOutcome.SHEET_KNOWN
    away.sends()
    assert takes(station, away.seals_sheet()).outcome is ImportOutcome.SHEET_KNOWN
    assert takes(station, away.seals_entries()).outcome is ImportOutcome.ENTRIES_KNOWN
    assert len(sheets(station)) == 1
    assert card(station).sheet is SheetState.ACCEPTED
    assert holds(station)


def test_later_entries_dispute_a_carried_sheet(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    takes(station, away.seals_sheet(other_than(result_of(away))))
    away.sends()
    current = card(station)
    assert current.sheet is SheetState.DISPUTED
    assert current.reported == result_of(away)
    assert current.accepted == other_than(result_of(away))
    assert holds(station)


@pytest.mark.parametrize("by_wire", [False, True])
def test_a_carried_sheet_that_says_other_than_the_accepted_one_is_kept_beside_it(
    station: Station, away: ScriptedTerminal, *, by_wire: bool
) -> None:
    away.plays_unsent()
    if by_wire:
        away.sends()
        accepted, carried = result_of(away), other_than(result_of(away))
    else:
        game = away.seating.game
        accepted, carried = other_than(result_of(away)), result_of(away)
        station.does(AcceptSheet(game, accepted, Source.PAPER))
    assert takes(station, away.seals_sheet(carried)).outcome is ImportOutcome.SHEET_CONTESTED
    assert takes(station, away.seals_sheet(carried)).outcome is ImportOutcome.SHEET_CONTESTED
    current = card(station)
    assert (current.sheet, current.accepted, current.reported) == (SheetState.DISPUTED, accepted, carried)
    assert current.is_carried
    assert len(sheets(station)) == 2
    assert holds(station)
    station.does(CorrectSheet(current.game_id, carried, "the table is right"))
    assert card(station).sheet is SheetState.ACCEPTED
    assert holds(station)


def test_a_settled_code_does_not_ring_again(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    takes(station, away.seals_sheet())
    parcel = away.seals_sheet(other_than(result_of(away)))
    takes(station, parcel)
    current = card(station)
    assert current.sheet is SheetState.DISPUTED
    station.does(SettleDispute(current.game_id, "the code was of a slip that was mended"))
    assert card(station).sheet is SheetState.ACCEPTED
    takes(station, parcel)
    assert card(station).sheet is SheetState.ACCEPTED
    assert holds(station)


def test_a_sheet_taken_back_is_not_accepted_by_wire(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    takes(station, away.seals_sheet())
    station.does(UndoSteps(1, "wrong table"))
    away.sends()
    assert card(station).accepted is None
    assert takes(station, away.seals_sheet()).outcome is ImportOutcome.SHEET_ACCEPTED


def test_a_sheet_that_nobody_confirmed_waits_for_a_judge(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent(None)
    parcel = away.seals_sheet()
    assert takes(station, parcel).outcome is ImportOutcome.SHEET_UNCONFIRMED
    assert card(station).accepted is None
    assert takes(station, parcel, confirms=True).outcome is ImportOutcome.SHEET_ACCEPTED
    assert takes(station, parcel).outcome is ImportOutcome.SHEET_KNOWN
    (accepted,) = sheets(station)
    assert isinstance(accepted, AcceptSheet)
    assert present(accepted.origin).confirmed is None
    assert holds(station)


def test_after_a_restart_the_carried_sheets_are_the_same(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    takes(station, away.seals_sheet())
    takes(station, away.seals_sheet(other_than(result_of(away))))
    before = msgspec.structs.replace(card(station), terminal=None)
    assert before.sheet is SheetState.DISPUTED
    again = station.restarts()
    assert msgspec.structs.replace(card(again), terminal=None) == before


def test_strangers_the_revoked_and_forgers_are_told_apart(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    stranger = ScriptedTerminal(station, type(away.id)("ab" * 16), away.key)
    stranger.timeline, stranger.entries = away.timeline, away.entries
    assert problem_of(station, stranger.seals_sheet()) is ParcelRefusal.UNKNOWN_TERMINAL
    forger = station.terminal(2)
    forger.timeline, forger.entries = away.timeline, away.entries
    forger.id = away.id
    assert problem_of(station, forger.seals_sheet()) is ParcelRefusal.NOT_SIGNED
    assert problem_of(station, b"SP\x02" + away.seals_sheet()[3:]) is ParcelRefusal.OTHER_VERSION
    assert problem_of(station, b"a picture of a cat" * 10) is ParcelRefusal.NO_PARCEL
    station.run(station.service.of(Terminals).revoke(away.id, JUDGE))
    assert problem_of(station, away.seals_sheet()) is ParcelRefusal.REVOKED
    assert problem_of(station, away.seals_entries()) is ParcelRefusal.REVOKED
    assert sheets(station) == []


def test_a_terminal_tells_only_of_games_that_it_seats(station: Station, away: ScriptedTerminal) -> None:
    other = station.terminal(2)
    away.plays_unsent()
    other.timeline, other.entries = away.timeline, away.entries
    assert problem_of(station, other.seals_sheet()) is ParcelRefusal.NOT_SEATED
    other.plays_unsent()
    content = CarriedSheet(
        Epoch("e" * 16), 1, bytes(32), "another tournament's", "pin", result_bytes(result_of(away))
    )
    parcel = seal_parcel(other.id, content, signer(other.key.encode(), "key"))
    assert problem_of(station, parcel) is ParcelRefusal.UNKNOWN_GAME


def test_a_sheet_of_a_journal_known_otherwise_is_refused(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    away.sends()
    away.entries[-1] = msgspec.structs.replace(away.entries[-1], hash=bytes(32))
    assert problem_of(station, away.seals_sheet()) is ParcelRefusal.DISAGREES
    assert station.service.terminals()[0].alarm


def test_an_impossible_result_is_refused_by_the_rules(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    impossible = msgspec.structs.replace(result_of(away), ending=Ending.LAW_WINS)
    with pytest.raises(Refused):
        takes(station, away.seals_sheet(impossible))
    assert sheets(station) == []


def test_the_same_on_paper_makes_a_carried_sheet_known(station: Station, away: ScriptedTerminal) -> None:
    away.plays_unsent()
    round_ = station.latest_round
    game = round_.tables[0].game
    station.does(AcceptSheet(game, outlaws_won(round_, 1), Source.PAPER))
    assert takes(station, away.seals_sheet()).outcome is ImportOutcome.SHEET_KNOWN
    assert card(station).sheet is SheetState.ACCEPTED
