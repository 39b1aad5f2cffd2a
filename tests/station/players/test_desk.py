"""The desk: presence that is set and never toggled, requests that are answered once."""

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.game.state.game import Abandonment
from core.terms import PlayerId, SeatNo
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from station.players import service
from station.players.codes import PlayerCodes
from station.players.service import Desk, DeskRecord, DeskRefusal, Presence, PresenceState
from station.store.settings import Settings
from tests.station.conftest import OPEN, Station, outlaws_won

ANNA, BEPPE = PlayerId("p001"), PlayerId("p002")
HERE, NOT_COMING = PresenceState.HERE, PresenceState.NOT_COMING


def test_two_helpers_who_scan_the_same_badge_leave_the_player_here() -> None:
    first = DeskRecord().with_presence(ANNA, Presence(HERE, 1_000, "Zoe"))
    second = first.with_presence(ANNA, Presence(HERE, 2_000, "Roy"))
    assert second == first
    assert second.presence[ANNA] == Presence(HERE, 1_000, "Zoe")


@given(st.lists(st.sampled_from(PresenceState), min_size=1))
def test_the_last_word_counts_however_often_it_is_said(said: list[PresenceState]) -> None:
    record = DeskRecord()
    for at_ms, state in enumerate(said):
        record = record.with_presence(ANNA, Presence(state, at_ms))
    assert record.state_of(ANNA) is said[-1]
    assert record.state_of(BEPPE) is PresenceState.NOT_YET


@given(st.lists(st.tuples(st.sampled_from((ANNA, BEPPE)), st.sampled_from(PresenceState))))
def test_an_undone_check_in_leaves_the_desk_as_if_nobody_had_pressed(
    changes: list[tuple[PlayerId, PresenceState]],
) -> None:
    record = DeskRecord()
    for at_ms, (player, state) in enumerate(changes):
        record = record.with_presence(player, Presence(state, at_ms))
    arrived = record.with_presence(ANNA, Presence(HERE, 1_000, "Zoe"))
    undone = arrived.without_arrival(ANNA, 1_000, by="Roy", now_ms=2_000)
    assert undone.state_of(ANNA) is record.state_of(ANNA)
    assert undone.presence.keys() == record.presence.keys()
    assert undone.presence.get(BEPPE) == record.presence.get(BEPPE)
    assert undone.without_arrival(ANNA, 1_000, by="Roy", now_ms=2_000) == undone


def test_a_check_in_that_another_helper_has_changed_is_not_undone() -> None:
    record = DeskRecord().with_presence(ANNA, Presence(HERE, 1_000, "Zoe"))
    changed = record.with_presence(ANNA, Presence(NOT_COMING, 2_000, "Roy"))
    again = changed.with_presence(ANNA, Presence(HERE, 3_000, "Roy"))
    for later in (changed, again):
        assert later.without_arrival(ANNA, 1_000, by="Zoe", now_ms=4_000) is later
    undone = again.without_arrival(ANNA, 3_000, by="Zoe", now_ms=4_000)
    assert undone.presence[ANNA] == Presence(NOT_COMING, 4_000, "Zoe")


def test_nobody_is_missing_before_check_in_begins(station: Station) -> None:
    station.opens(10)
    state = station.service.tournament(OPEN)
    assert station.service.of(Desk).missing(state, DeskRecord()) == ()
    record = station.run(station.service.of(Desk).set_presence(OPEN, ANNA, HERE, "Zoe"))
    assert len(station.service.of(Desk).missing(state, record)) == 9


def test_who_has_played_the_last_round_is_here_and_who_left_is_not(station: Station) -> None:
    station.opens(10)
    station.run(station.service.of(Desk).set_presence(OPEN, ANNA, HERE, "Zoe"))
    round_ = station.publishes()
    desk = station.service.of(Desk)
    for drawn in round_.tables:
        result = outlaws_won(round_, drawn.table)
        if drawn.table == 1:
            result = msgspec.structs.replace(result, abandonments=(Abandonment(SeatNo(3), 0),))
        station.does(AcceptSheet(drawn.game, result, Source.PAPER))
    state = station.service.tournament(OPEN)
    gone = round_.tables[0].players[2]
    played = desk.played(state)
    assert len(played) == 9
    assert gone not in played
    record = station.run(desk.record(OPEN))
    assert set(desk.missing(state, record)) == {gone} - {ANNA}
    home = next(player for player in played if player != ANNA)
    record = station.run(desk.set_presence(OPEN, home, NOT_COMING, "Zoe"))
    assert home in desk.missing(state, record)


def test_changes_at_the_same_moment_are_all_kept(station: Station) -> None:
    station.opens(40)
    desk = station.service.of(Desk)

    async def _all() -> None:
        players = [PlayerId(f"p{number:03}") for number in range(1, 41)]
        await asyncio.gather(*(desk.set_presence(OPEN, player, HERE) for player in players))

    station.run(_all())
    assert len(service.read_desk(Settings(station.database), OPEN).presence) == 40


def test_an_application_is_answered_once() -> None:
    record = msgspec.structs.replace(DeskRecord(), registration=True).with_application("Anna", "", 5)
    number = record.applications[0].number
    answered = record.without_application(number)
    with pytest.raises(Refused) as refused:
        answered.without_application(number)
    assert refused.value.reason is DeskRefusal.GONE
    assert answered.with_application("Beppe", "", 6).applications[0].number == number + 1
    assert answered.with_returned(record.applications[0]) == record


def test_nobody_fills_the_list_of_applications() -> None:
    record = msgspec.structs.replace(DeskRecord(), registration=True)
    for number in range(500):
        record = record.with_application(f"Player {number}", "", number)
    with pytest.raises(Refused) as refused:
        record.with_application("One more", "", 501)
    assert refused.value.reason is DeskRefusal.TOO_MANY
    with pytest.raises(Refused) as closed:
        DeskRecord().with_application("Anna", "", 1)
    assert closed.value.reason is DeskRefusal.NO_REGISTRATION


def test_codes_are_each_ones_own_and_survive_a_restart(station: Station) -> None:
    station.opens(10)
    states = station.service.tournaments()
    codes = PlayerCodes(b"secret")
    badges = {codes.badge(OPEN, entrant.player) for entrant in states[0].entrants}
    private = {codes.private(OPEN, entrant.player, 0) for entrant in states[0].entrants}
    assert len(badges | private) == 20
    assert {len(code) for code in badges | private} == {10}
    typed = codes.badge(OPEN, ANNA)
    entry = PlayerCodes(b"secret").find(f" {typed[:5]}-{typed[5:].lower()} ", states)
    assert entry is not None
    assert entry.player == ANNA
    assert PlayerCodes(b"other").find(typed, states) is None
    assert codes.find(codes.private(OPEN, ANNA, 0), states) is None
    assert codes.private(OPEN, ANNA, 0) != codes.private(OPEN, ANNA, 1)


def test_a_removed_players_number_brings_nothing_to_the_next_one() -> None:
    record = DeskRecord().with_presence(ANNA, Presence(HERE, 1)).with_leaving(ANNA, 5)
    cleaned = record.without_player(ANNA)
    assert cleaned.state_of(ANNA) is PresenceState.NOT_YET
    assert cleaned.leaving == {}
    assert cleaned.keys == {ANNA: 1}


def test_a_player_seen_at_a_table_can_be_marked_as_gone(station: Station) -> None:
    terminal = station.round_with_terminal()
    terminal.plays()
    round_ = station.service.tournament(OPEN).rounds[0]
    station.accepts(round_, 2)
    desk, state = station.service.of(Desk), station.service.tournament(OPEN)
    assert set(round_.tables[0].players) <= desk.played(state), "the terminal tells who is here"
    record = station.run(desk.record(OPEN))
    assert desk.is_here(record, ANNA, desk.played(state))
    record = station.run(desk.set_presence(OPEN, ANNA, PresenceState.NOT_YET, "Zoe"))
    assert not desk.is_here(record, ANNA, desk.played(state))
