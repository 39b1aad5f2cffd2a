"""An update begins only when nobody needs the terminal, and anybody can postpone it."""

import os
from pathlib import Path

import pytest

from kiosk.terminal.link.update_progress import LATER_MS, QUIET_MS, SOON_MS, UpdateScheduler
from kiosk.view.table_view import UpdateShown
from sync.terminal.agent_contract import IdleChanged, UpdateProgress, UpdateRequest
from sync.update.messages import UpdateNews, UpdateReason, UpdateReported, UpdateStage
from tests.sync.update.rig import NEW, head_for, image_in

MANIFEST = head_for(bytes(1000)).manifest


class Screen:
    """The app's handling of an update, second by second."""

    def __init__(self, root: Path) -> None:
        self.place = image_in(root)
        self.reports: list[UpdateRequest] = []
        self.updating = UpdateScheduler(self.place, self.reports.append)
        self.now_ms = 0
        self.is_idle = True
        self.request = root / "run/saloon-terminal/update"
        self.look()

    def look(self, after_ms: int = 0) -> UpdateShown:
        self.now_ms += after_ms
        self.updating.advance(self.now_ms, is_idle=self.is_idle)
        return self.updating.view(self.now_ms).phase

    def fetched(self, stage: UpdateStage = UpdateStage.WAITING, have: int = 1000) -> UpdateShown:
        self.updating.on_news(UpdateNews(UpdateReported(stage, MANIFEST.digest, have), NEW, 1000))
        return self.look()

    def applies(self) -> None:
        """Let time pass until the system is asked to install it."""
        self.fetched()
        assert self.look(QUIET_MS + SOON_MS) is UpdateShown.APPLYING


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    return Screen(tmp_path)


def test_the_agent_may_fetch_while_the_table_is_idle(screen: Screen) -> None:
    assert screen.reports == [IdleChanged(is_idle=True)]
    screen.is_idle = False
    screen.look()
    screen.look()
    assert screen.reports[1:] == [IdleChanged(is_idle=False)]
    screen.updating.on_connected()
    screen.look()
    assert screen.reports[2:] == [IdleChanged(is_idle=False)]


@pytest.mark.parametrize(("have", "percent"), [(400, 40), pytest.param(1_500, 100, id="more than all")])
def test_progress_is_shown_between_games_only(screen: Screen, have: int, percent: int) -> None:
    assert screen.fetched(UpdateStage.FETCHING, have) is UpdateShown.FETCHING
    assert screen.updating.view(screen.now_ms).percent == percent
    screen.is_idle = False
    assert screen.look() is UpdateShown.NOTHING


def test_it_is_announced_and_then_the_system_is_asked(screen: Screen) -> None:
    assert screen.fetched() is UpdateShown.NOTHING
    due = screen.updating.next_deadline_ms(screen.now_ms)
    assert due == QUIET_MS
    assert screen.look(QUIET_MS) is UpdateShown.SOON
    assert screen.updating.next_deadline_ms(screen.now_ms) == QUIET_MS + SOON_MS
    assert not screen.request.exists()
    assert screen.look(SOON_MS) is UpdateShown.APPLYING
    assert screen.request.read_text().strip() == MANIFEST.name
    assert screen.reports[-1] == UpdateProgress(UpdateStage.APPLYING)


def test_a_touch_means_not_yet(screen: Screen) -> None:
    screen.fetched()
    screen.look(QUIET_MS + SOON_MS - 1)
    screen.updating.on_touch(screen.now_ms)
    assert screen.look(2) is UpdateShown.NOTHING
    assert screen.look(QUIET_MS) is UpdateShown.SOON


def test_put_off_is_put_off_for_ten_minutes(screen: Screen) -> None:
    screen.fetched()
    assert screen.look(QUIET_MS) is UpdateShown.SOON
    screen.updating.put_off(screen.now_ms)
    screen.updating.on_touch(screen.now_ms)
    assert screen.look(LATER_MS - SOON_MS - 1) is UpdateShown.NOTHING
    assert screen.look(1) is UpdateShown.SOON
    assert screen.look(SOON_MS) is UpdateShown.APPLYING


def test_a_game_comes_first_however_near_the_version_is(screen: Screen) -> None:
    screen.fetched()
    screen.look(QUIET_MS + SOON_MS - 1)
    screen.is_idle = False
    assert screen.look(1_000_000) is UpdateShown.NOTHING
    assert not screen.request.exists()
    screen.is_idle = True
    assert screen.look() is UpdateShown.NOTHING
    assert screen.look(QUIET_MS + SOON_MS) is UpdateShown.APPLYING


def test_a_game_seated_while_the_system_works_takes_the_wish_back(screen: Screen) -> None:
    screen.applies()
    screen.is_idle = False
    assert screen.look(10) is UpdateShown.NOTHING
    assert not screen.request.exists()
    assert screen.reports[-1] == UpdateProgress(UpdateStage.WAITING)


def test_why_the_system_refused_is_told(screen: Screen) -> None:
    screen.applies()
    (screen.place.updates / "refused").mkdir()
    (screen.place.updates / "refused" / MANIFEST.name).write_text("not-signed\n")
    assert screen.look(1_000) is UpdateShown.NOTHING
    assert screen.reports[-1] == UpdateProgress(UpdateStage.DECLINED, UpdateReason.NOT_SIGNED)
    assert not screen.request.exists()


@pytest.mark.parametrize("word", ["no-station", "no-room"])
def test_what_was_noted_before_is_no_answer_of_the_system(screen: Screen, word: str) -> None:
    note = screen.place.updates / "refused" / MANIFEST.name
    note.parent.mkdir()
    note.write_text(f"{word}\n")
    os.utime(note, ns=(1, 1))
    screen.applies()
    assert screen.look(1_000) is UpdateShown.APPLYING
    assert screen.request.exists()
    note.write_text("no-room\n")
    screen.look(1_000)
    assert screen.reports[-1] == UpdateProgress(UpdateStage.DECLINED, UpdateReason.NO_ROOM)


def test_a_system_that_does_nothing_is_not_waited_for_for_ever(screen: Screen) -> None:
    screen.applies()
    assert screen.look(119_000) is UpdateShown.APPLYING
    screen.look(1_000)
    assert screen.reports[-1] == UpdateProgress(UpdateStage.DECLINED, UpdateReason.SYSTEM)


def test_a_withdrawn_version_is_not_asked_for(screen: Screen) -> None:
    screen.fetched()
    screen.updating.on_news(UpdateNews())
    assert screen.look(QUIET_MS + SOON_MS) is UpdateShown.NOTHING
    assert not screen.request.exists()


def test_the_first_picture_is_told_to_the_system(screen: Screen) -> None:
    screen.updating.on_first_picture()
    assert (screen.request.parent / "drawn").read_text() == "0.2.0-a1b2c3d4\n"
