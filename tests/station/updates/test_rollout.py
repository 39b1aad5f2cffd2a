"""A version goes to one terminal first, and the terminals' reports decide how far it spreads."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.updates.rollout import (
    AT_ONCE,
    GONE_MS,
    STILL_MS,
    Rollout,
    RolloutPhase,
    TerminalProgress,
    allow_retry,
    has_rejected_version,
    next_step,
)
from sync.protocol.entry import TerminalId
from sync.update.messages import UpdateReason, UpdateReported, UpdateStage
from tests.sync.update.rig import NEW, OLD, head_for

MANIFEST = head_for(b"payload").manifest
NAMES = [TerminalId(f"t{number:02}") for number in range(12)]


class Hall:
    """Terminals with scripted reports, and the rollout that follows."""

    def __init__(self, count: int = 12, phase: RolloutPhase = RolloutPhase.ONE_FIRST) -> None:
        self.rollout = Rollout(MANIFEST.name, phase)
        self.now_ms = 0
        self.terminals = {name: TerminalProgress(OLD, None, is_here=True) for name in NAMES[:count]}
        self.offers: list[TerminalId] = []

    def step(self) -> tuple[TerminalId, ...]:
        self.rollout, offers = next_step(self.rollout, MANIFEST, self.terminals, NAMES, self.now_ms)
        for name in offers:
            self.changes(name, offered=MANIFEST.name, moved_ms=self.now_ms)
        self.offers += offers
        return offers

    def changes(self, name: TerminalId, **what: object) -> None:
        self.terminals[name] = msgspec.structs.replace(self.terminals[name], **what)

    def says(
        self, name: TerminalId, stage: UpdateStage, reason: UpdateReason = UpdateReason.NONE, have: int = 0
    ) -> None:
        report = UpdateReported(stage, MANIFEST.digest, have, reason)
        self.changes(name, report=report, moved_ms=self.now_ms)

    def stands(self) -> tuple[RolloutPhase, TerminalId | None]:
        return self.rollout.phase, self.rollout.first

    def may_try_again(self) -> None:
        self.rollout, again = allow_retry(self.rollout, MANIFEST, self.terminals)
        self.terminals.update(again)

    def starts_anew(self, name: TerminalId, *, with_new: bool) -> None:
        self.terminals[name] = TerminalProgress(
            NEW if with_new else OLD, None, is_here=True, moved_ms=self.now_ms
        )


def test_nobody_is_offered_what_was_only_brought() -> None:
    assert Hall(phase=RolloutPhase.KEPT).step() == ()


def test_one_terminal_is_first_and_the_others_wait_for_it() -> None:
    hall = Hall()
    assert hall.step() == (NAMES[0],)
    assert hall.step() == ()
    hall.says(NAMES[0], UpdateStage.FETCHING, have=5)
    hall.now_ms += 10 * STILL_MS
    assert hall.step() == ()
    assert hall.rollout.phase is RolloutPhase.ONE_FIRST


def test_when_the_first_one_runs_it_a_few_others_follow_at_a_time() -> None:
    hall = Hall()
    hall.step()
    hall.starts_anew(NAMES[0], with_new=True)
    assert hall.step() == tuple(NAMES[1 : 1 + AT_ONCE])
    assert hall.rollout.phase is RolloutPhase.EVERYWHERE
    hall.starts_anew(NAMES[1], with_new=True)
    assert hall.step() == (NAMES[1 + AT_ONCE],)


def test_a_table_that_plays_does_not_hold_up_the_others() -> None:
    hall = Hall(phase=RolloutPhase.EVERYWHERE)
    hall.step()
    for name in NAMES[:AT_ONCE]:
        hall.says(name, UpdateStage.FETCHING)
    assert hall.step() == ()
    hall.now_ms += STILL_MS
    assert hall.step() == tuple(NAMES[AT_ONCE : 2 * AT_ONCE])
    hall.says(NAMES[AT_ONCE], UpdateStage.WAITING)
    assert hall.step() == (NAMES[2 * AT_ONCE],)


def test_when_the_first_one_goes_back_nobody_else_is_offered_it() -> None:
    hall = Hall()
    hall.step()
    hall.starts_anew(NAMES[0], with_new=False)
    assert hall.step() == (NAMES[0],)
    hall.says(NAMES[0], UpdateStage.WENT_BACK, UpdateReason.NOT_UP)
    assert hall.step() == ()
    assert (hall.rollout.phase, hall.rollout.why) == (RolloutPhase.STOPPED, UpdateReason.NOT_UP)


def test_when_two_go_back_the_rest_is_spared() -> None:
    hall = Hall(phase=RolloutPhase.EVERYWHERE)
    hall.step()
    hall.says(NAMES[0], UpdateStage.WENT_BACK, UpdateReason.NO_STATION)
    assert hall.step() == (NAMES[AT_ONCE],)
    hall.says(NAMES[1], UpdateStage.WENT_BACK, UpdateReason.NO_STATION)
    assert hall.step() == ()
    assert (hall.rollout.phase, hall.rollout.why) == (RolloutPhase.STOPPED, UpdateReason.NO_STATION)


def test_those_that_met_no_station_are_offered_it_again_and_the_others_stay_away() -> None:
    hall = Hall(4, phase=RolloutPhase.EVERYWHERE)
    hall.step()
    hall.starts_anew(NAMES[3], with_new=True)
    for name in NAMES[:2]:
        hall.says(name, UpdateStage.WENT_BACK, UpdateReason.NO_STATION)
    hall.says(NAMES[2], UpdateStage.WENT_BACK, UpdateReason.NOT_UP)
    hall.step()
    assert hall.stands() == (RolloutPhase.STOPPED, None)
    hall.may_try_again()
    assert hall.step() == (NAMES[0], NAMES[1])
    assert hall.stands() == (RolloutPhase.EVERYWHERE, None)
    assert {name for name, one in hall.terminals.items() if one.again} == {NAMES[0], NAMES[1]}


def test_where_nobody_runs_it_yet_one_tries_again_first() -> None:
    hall = Hall(3)
    hall.step()
    hall.says(NAMES[0], UpdateStage.WENT_BACK, UpdateReason.NO_STATION)
    hall.step()
    assert hall.stands() == (RolloutPhase.STOPPED, NAMES[0])
    hall.may_try_again()
    assert hall.step() == (NAMES[0],)
    assert hall.stands() == (RolloutPhase.ONE_FIRST, NAMES[0])


def test_terminals_of_other_boards_and_without_an_image_are_left_out() -> None:
    hall = Hall(3, RolloutPhase.EVERYWHERE)
    hall.changes(NAMES[0], about=msgspec.structs.replace(OLD, architecture="amd64"))
    hall.changes(NAMES[1], about=msgspec.structs.replace(OLD, base=""))
    hall.changes(NAMES[2], about=None)
    assert hall.step() == ()


def test_a_terminal_that_is_away_is_offered_it_when_it_comes() -> None:
    hall = Hall(1)
    hall.changes(NAMES[0], is_here=False)
    assert hall.step() == ()
    assert hall.rollout.first is None
    hall.changes(NAMES[0], is_here=True)
    assert hall.step() == (NAMES[0],)


def test_another_one_is_first_when_the_first_one_stays_away() -> None:
    hall = Hall(3)
    hall.step()
    hall.says(NAMES[0], UpdateStage.WAITING)
    hall.changes(NAMES[0], is_here=False, offered="", moved_ms=hall.now_ms)
    hall.now_ms += GONE_MS - 1
    assert hall.step() == ()
    hall.now_ms += 1
    assert hall.step() == (NAMES[1],)
    hall.changes(NAMES[0], is_here=True)
    assert hall.step() == ()
    assert hall.stands() == (RolloutPhase.ONE_FIRST, NAMES[1])


def test_nobody_follows_a_first_one_that_went_away_while_it_was_installing() -> None:
    hall = Hall(3)
    hall.step()
    hall.says(NAMES[0], UpdateStage.APPLYING)
    hall.changes(NAMES[0], is_here=False, offered="")
    hall.now_ms += 10 * GONE_MS
    assert hall.step() == ()
    assert hall.stands() == (RolloutPhase.ONE_FIRST, NAMES[0])


@pytest.mark.slow
@given(st.data())
def test_no_more_than_a_few_fetch_at_once_and_who_left_is_not_asked_again(data: st.DataObject) -> None:
    hall = Hall(phase=data.draw(st.sampled_from(RolloutPhase)))
    for _ in range(40):
        before = {name: has_rejected_version(MANIFEST, one) for name, one in hall.terminals.items()}
        offers = hall.step()
        assert not any(before[name] for name in offers)
        assert len(offers) <= AT_ONCE
        assert not offers or hall.rollout.phase in {RolloutPhase.ONE_FIRST, RolloutPhase.EVERYWHERE}
        name = data.draw(st.sampled_from(NAMES))
        match data.draw(st.sampled_from(["says", "new", "old", "away"])):
            case "says":
                hall.says(
                    name, data.draw(st.sampled_from(UpdateStage)), data.draw(st.sampled_from(UpdateReason))
                )
            case "away":
                hall.changes(name, is_here=False, offered="")
            case what:
                hall.starts_anew(name, with_new=what == "new")
        hall.now_ms += data.draw(st.sampled_from([0, 1_000, STILL_MS]))
