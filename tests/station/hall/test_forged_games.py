"""A terminal that forges the game of another table: none of it counts, and the judge gets an alarm."""

import msgspec
import pytest

from core.cli.proof_pack import games_of
from core.editions.loader import rules_of
from core.game.decide import decide
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    DisputeEnding,
    VoidGame,
    open_disputes,
)
from core.game.events import GameStep, StepOrigin
from core.game.orders import SeatGame, TakeGame
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.setup import SeatTable
from core.game.state.game import Cause, Confirmation, Phase, SeatedPlayer
from core.game.takeover import is_confirmation
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.terms import GameId, MatchKind, Role, RoundNo, SeatNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.state.tournament import Waivers
from kiosk.terminal.orders_about_games import copy_of
from station.offline.service import ImportOutcome, ParcelRefusal
from station.projections.cards import SheetState
from sync.protocol.entry import content_of
from tests.core.game.duel.conftest import WITH_FINALS
from tests.station.conftest import JUDGE, OPEN, ROLES, ScriptedTerminal, Station, players, present
from tests.station.hall.test_duels_at_tables import duels, finals
from tests.station.hall.test_swaps import swapped
from tests.station.kept import KeptTerminal, kept_round, unit
from tests.station.offline.test_intake import problem_of, takes

TABLE_1 = GameId("open-2026-r1-t1-a1")
NEVER_GIVEN = "never assigned to it (round 1, table 1)"


def drawn_with_thief(station: Station, table: int | None = 9) -> tuple[ScriptedTerminal, ScriptedTerminal]:
    """Publish a round, and return the terminal of table 1 and one of a table that does not play."""
    station.opens()
    pair = station.terminal(1), station.terminal(table, "thief")
    station.publishes()
    return pair


def forges(thief: ScriptedTerminal, seating: SeatTable) -> None:
    """Send a whole game of another table, confirmed by PIN, without any order."""
    thief.begins_anew(seating)
    thief.ends()
    thief.confirms()


def guessed(station: Station, table: int = 9) -> SeatTable:
    """Return the seating of table 1 as anybody can guess it before the draw."""
    rules = station.service.tournament(OPEN).rules
    seats = tuple(SeatedPlayer(one.player, one.name) for one in players(5))
    return SeatTable(TABLE_1, OPEN, "Open", rules, RoundNo(1), TableNo(table), seats)


def nothing_counts(station: Station) -> bool:
    current = station.card()
    untouched = current.game is None and current.reported is None and current.late == ()
    return untouched and current.sheet is SheetState.PLAYING and station.service.story(current.game_id) == ()


@pytest.mark.parametrize("table", [9, None], ids=["of another table", "a spare"])
def test_a_forged_result_is_not_handed_to_the_table_and_never_accepted(
    station: Station, table: int | None
) -> None:
    honest, thief = drawn_with_thief(station, table)
    forges(thief, honest.seating)
    assert nothing_counts(station)
    assert honest.ordered(TakeGame) == []
    assert NEVER_GIVEN in station.alarm(thief.id)
    honest.plays()
    assert station.accepted_by == ["terminal 1 (PIN)"]
    assert [step.step for step in station.service.story(TABLE_1)] == honest.steps


def test_a_table_that_is_switched_on_later_is_seated_and_not_handed_the_forged_game(station: Station) -> None:
    station.opens(10)
    thief = station.terminal(9, "thief")
    station.publishes()
    forges(thief, guessed(station, 1))
    honest = station.terminal(1)
    assert len(honest.ordered(SeatGame)) == 1
    assert honest.ordered(TakeGame) == []
    assert nothing_counts(station)
    assert station.latest_round.sheets == ()


def test_a_game_that_was_forged_before_its_draw_counts_for_nothing_after_it(station: Station) -> None:
    station.opens(10)
    honest, thief = station.terminal(1), station.terminal(9, "thief")
    forges(thief, guessed(station))
    assert station.alarm(thief.id) == ""
    station.publishes()
    assert NEVER_GIVEN in station.alarm(thief.id)
    assert nothing_counts(station)
    assert honest.ordered(TakeGame) == []
    honest.plays()
    assert station.card().sheet is SheetState.ACCEPTED


def test_even_a_terminal_that_is_given_the_game_later_had_nothing_to_say_of_it_before(
    station: Station,
) -> None:
    station.opens(10)
    thief = station.terminal(1, "thief")
    forges(thief, guessed(station, 1))
    station.publishes()
    assert thief.ordered(SeatGame)[0].seating.game == TABLE_1
    assert nothing_counts(station)
    thief.ask(VoidGame("again"))
    thief.plays()
    assert station.card().sheet is SheetState.ACCEPTED


def test_copies_of_a_table_in_play_with_an_ending_behind_them_are_not_merged(station: Station) -> None:
    honest, thief = drawn_with_thief(station)
    honest.starts()
    for seq, step in enumerate(honest.steps, 1):
        origin = StepOrigin(honest.id, honest.epoch, seq)
        thief.writes(msgspec.structs.replace(step, origin=origin))
    thief.ends()
    thief.confirms()
    assert honest.ordered(TakeGame) == []
    assert station.card().late == ()
    assert station.card().game == honest.state
    assert NEVER_GIVEN in station.alarm(thief.id)


def test_a_result_told_by_another_disputes_no_accepted_sheet(station: Station) -> None:
    honest, thief = drawn_with_thief(station)
    honest.plays()
    thief.begins(honest.seating)
    thief.ask(*(LoseLife(SeatNo(1)) for _ in range(5)))
    thief.tells(Eliminate(SeatNo(1), SeatNo(4), Role.SHERIFF, Cause.PLAYER), DeclareRoles(ROLES[5]))
    assert station.card().sheet is SheetState.ACCEPTED


def test_the_judge_hears_of_one_game_at_a_time_also_after_a_restart(station: Station) -> None:
    station.opens(10)
    thief = station.terminal(9, "thief")
    station.publishes()
    for table in (1, 2):
        seating = msgspec.structs.replace(
            guessed(station, table), game=GameId(f"open-2026-r1-t{table}-a1"), table=TableNo(table)
        )
        forges(thief, seating)
    assert "table 1" in station.alarm(thief.id)
    again = station.restarts()
    assert "table 1" in again.alarm(thief.id)
    again.run(again.service.problems.mark_terminal_seen(thief.id, JUDGE))
    thief.station = again
    forges(thief, guessed(again))
    assert "table 2" in again.alarm(thief.id)
    again.run(again.service.problems.mark_terminal_seen(thief.id, JUDGE))
    forges(thief, guessed(again))
    assert again.alarm(thief.id) == ""


def test_games_that_nobody_drew_here_are_kept_without_an_alarm(station: Station) -> None:
    """A terminal sends the games that it played at another station."""
    station.opens(10)
    thief = station.terminal(9, "thief")
    station.publishes()
    forges(thief, msgspec.structs.replace(guessed(station), game=GameId("elsewhere-r1-t1-a1")))
    assert station.alarm(thief.id) == ""
    assert station.context.projections.games == {}
    assert len(thief.entries) == len(station.store.entries(thief.stream, 0, 1000))


def test_a_game_without_a_name_is_kept_apart_after_a_start_too(station: Station) -> None:
    station.opens(10)
    forges(thief := station.terminal(9, "thief"), msgspec.structs.replace(guessed(station), game=GameId("")))
    fresh = station.read_anew()
    assert (list(fresh.games), list(fresh.apart)) == ([], [GameId("")])
    assert len(fresh.apart[GameId("")][0].steps) == len(thief.entries)


def test_what_is_kept_apart_is_the_same_after_every_start(station: Station) -> None:
    honest, thief = drawn_with_thief(station)
    forges(thief, honest.seating)
    honest.plays()
    station.does(UndoSteps(1, "look again"))
    fresh = station.read_anew()
    assert (fresh.games, fresh.apart) == (
        station.context.projections.games,
        station.context.projections.apart,
    )
    assert [len(track.steps) for track in fresh.apart[TABLE_1]] == [len(thief.entries)]
    assert all(track.timeline is None for track in fresh.apart[TABLE_1])


def test_the_proof_pack_names_who_wrote_about_a_game_it_was_never_given(station: Station) -> None:
    honest, thief = drawn_with_thief(station)
    forges(thief, honest.seating)
    honest.plays()
    pack = read_pack(list(station.service.export(OPEN)))
    verdict = verify_pack(pack)
    assert verdict.faults == ()
    (note,) = verdict.notes
    said = f"table/{thief.id} wrote {len(thief.entries)} steps of game {TABLE_1}, which it was never given"
    assert said in note.problem
    assert verdict.reported == 1
    assert games_of(pack)[TABLE_1] == tuple(honest.steps)
    assert [line.counts for line in pack.terminals].count(False) == len(thief.entries)


def test_a_sheet_that_only_a_forger_supports_is_no_proof(station: Station) -> None:
    """An earlier version of the station let the table's terminal record the forged steps again."""
    honest, thief = drawn_with_thief(station)
    forges(thief, honest.seating)
    for seq, step in enumerate(thief.steps, 1):
        honest.writes(msgspec.structs.replace(step, origin=StepOrigin(thief.id, thief.epoch, seq)))
    honest.sends()
    assert station.latest_round.sheets == ()
    verdict = station.verdict()
    assert len(verdict.faults) == len(thief.entries)
    assert "that terminal was never given the game" in verdict.faults[0].problem
    assert any("copied the confirmation of" in note.problem for note in verdict.notes)


def test_a_forged_duel_of_the_finals_counts_as_little(station: Station) -> None:
    station.opens(10, Waivers(rounds=1), WITH_FINALS)
    honest, thief = station.terminal(1), station.terminal(9, "thief")
    station.plays_round()
    station.breaks_ties()
    station.does(PublishRoundsRanking())
    station.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    thief.rules = honest.rules = rules_of(WITH_FINALS)
    duels(thief, honest.seating)
    assert finals(station).begun[-1].sheets == ()
    assert honest.ordered(TakeGame) == []
    assert "never assigned to it (round 2, table 1)" in station.alarm(thief.id)
    duels(honest)
    assert [accepted.by for accepted in finals(station).begun[-1].sheets] == ["terminal 1 (PIN)"]


def test_a_parcel_brings_no_more_than_the_wire(station: Station) -> None:
    honest, thief = drawn_with_thief(station)
    thief.begins(honest.seating)
    thief.ends()
    thief.ask(ConfirmSheet(Confirmation.PIN))
    assert takes(station, thief.seals_entries()).new == len(thief.entries)
    assert nothing_counts(station)
    assert NEVER_GIVEN in station.alarm(thief.id)
    assert problem_of(station, thief.seals_sheet()) is ParcelRefusal.NOT_SEATED


def test_a_carried_sheet_of_a_relieved_terminal_waits_for_the_judge(station: Station) -> None:
    broken = station.round_with_terminal()
    broken.plays_unsent()
    station.terminal(1, "spare")
    assert takes(station, broken.seals_sheet()).outcome is ImportOutcome.SHEET_UNCONFIRMED
    assert station.card().sheet is SheetState.PLAYING
    assert takes(station, broken.seals_sheet(), confirms=True).outcome is ImportOutcome.SHEET_ACCEPTED


def test_a_seating_that_is_not_the_draws_is_not_followed(station: Station) -> None:
    liar = station.round_with_terminal()
    seating = liar.seating
    liar.begins(msgspec.structs.replace(seating, table=TableNo(2)))
    liar.sends()
    assert "it seats table 2 of round 1" in station.alarm(liar.id)
    assert station.card().game is None
    liar.begins_anew(seating)
    liar.sends()
    assert station.card().game == liar.state


def test_a_step_that_seats_another_game_than_its_own_is_not_followed(station: Station) -> None:
    liar = station.round_with_terminal()
    seating = liar.seating
    events = decide(None, msgspec.structs.replace(seating, game=GameId("open-2026-r1-t2-a1")), liar.rules)
    liar.writes_body(msgspec.msgpack.encode(GameStep(TABLE_1, events)))
    liar.sends()
    assert "seats game open-2026-r1-t2-a1" in station.alarm(liar.id)
    assert station.card().game is None


def test_a_copy_that_says_otherwise_than_its_original_is_not_followed(station: Station) -> None:
    honest = station.running_round()
    honest.sends()
    liar = station.terminal(1, "liar")
    (order,) = liar.ordered(TakeGame)
    *steps, last = order.steps
    for step in steps:
        liar.writes(copy_of(step, 2, 1))
    honest_game = station.card().game
    forged = GameStep(TABLE_1, (LoseLife(SeatNo(3), 1),), origin=last.origin)
    liar.writes_body(msgspec.msgpack.encode(forged))
    liar.sends()
    assert "its original" in station.alarm(liar.id)
    assert station.card().game == honest_game


def confirmed_unsent(station: Station) -> KeptTerminal:
    """Play table 1 to its confirmed end while its terminal is offline."""
    broken = kept_round(station)
    broken.ends()
    broken.asks(ConfirmSheet(Confirmation.PIN))
    return broken


def test_a_confirmation_does_not_travel_with_a_game_that_is_handed_on(station: Station) -> None:
    broken = confirmed_unsent(station)
    spare = swapped(station)
    broken.sends()
    spare.meets()
    assert spare.game.phase is Phase.SHEET
    assert station.latest_round.sheets == ()
    assert station.card().sheet is SheetState.PROPOSED
    assert [late.is_seen for late in station.card().late] == [True]
    spare.confirms()
    assert station.accepted_by == ["terminal 1 (PIN)"]


def test_after_the_hand_over_the_confirmation_of_the_first_terminal_accepts_nothing(
    station: Station,
) -> None:
    broken = confirmed_unsent(station)
    spare = unit(station, None, "spare")
    station.assigns(spare.id, 1)
    broken.sends()
    assert station.latest_round.sheets == ()
    assert station.card().sheet is SheetState.PROPOSED
    assert not any(is_confirmation(step.step) for order in spare.ordered(TakeGame) for step in order.steps)
    spare.meets()
    assert spare.game.phase is Phase.SHEET


def test_the_players_agree_anew_at_the_terminal_that_takes_over(station: Station) -> None:
    broken = kept_round(station)
    broken.asks(*(LoseLife(SeatNo(1)) for _ in range(broken.game.seats[0].life)))
    broken.asks(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
    broken.tells(DisputeEnding(SeatNo(3)), AgreeEnding(SeatNo(2)), AgreeEnding(SeatNo(4)))
    spare = swapped(station)
    assert len(spare.entries) == len(broken.entries) - 2
    assert open_disputes(spare.game) == (SeatNo(3),)
    assert all(late.is_seen for late in station.card().late)


def test_a_copied_confirmation_is_no_confirmation(station: Station) -> None:
    """Orders of earlier versions handed confirmations on."""
    broken = confirmed_unsent(station)
    broken.sends(len(broken.entries) - broken.sent - 1)
    spare = swapped(station)
    step = msgspec.msgpack.decode(content_of(broken.entries[-1].raw).body, type=GameStep)
    origin = StepOrigin(broken.id, broken.epoch, len(broken.entries))
    spare.writes_body(msgspec.msgpack.encode(msgspec.structs.replace(step, origin=origin)))
    spare.sends()
    current = station.card()
    assert present(current.game).phase is Phase.CONFIRMED
    assert current.sheet is SheetState.PROPOSED


def restored(station: Station) -> tuple[Station, ScriptedTerminal, ScriptedTerminal]:
    """A station restored to before it gave table 1 its game, the terminal of table 1 and a thief."""
    station.opens(10)
    thief = station.terminal(None, "thief")
    round_ = station.publishes()
    content = station.run(station.service.backup())
    honest = station.terminal(1)
    assert honest.seating.game == round_.tables[0].game
    honest.seats()
    again = station.restores(content)
    honest.station = thief.station = again
    return again, honest, thief


def test_a_restored_station_believes_no_copies_of_what_it_never_heard(station: Station) -> None:
    again, honest, thief = restored(station)
    for seq, step in enumerate(honest.steps, 1):
        thief.writes(msgspec.structs.replace(step, origin=StepOrigin("f" * 64, "a" * 16, seq)))
    again.connects(thief.id)
    thief.sends()
    assert again.context.terminals_by_table == {}
    assert nothing_counts(again)
    assert NEVER_GIVEN in again.alarm(thief.id)
    again.assigns(thief.id, 1)
    assert again.card().game == thief.state
