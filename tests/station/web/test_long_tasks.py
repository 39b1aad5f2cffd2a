"""Work that takes longer than a second shows itself: its progress, its end, and Cancel."""

import asyncio
import itertools
import sys
import threading
import time
from html import unescape
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tournament.state.tournament import Waivers
from station.accounts.permissions import AccountRole
from station.audit import AuditFilter
from station.paper.worker import PaperFailure, PaperWorker
from station.web.long_tasks import LongJob, LongTask, LongTasks, MadeFile, TaskProgress, TaskStep
from tests.station.browser import Browser, logged_in_as, shows
from tests.station.conftest import OPEN, Station, on_loop

BADGES = f"/judge/t/{OPEN}/print/badges/file"
PAGE = {"accept": "text/html"}
POLL = {"hx-request": "true"}
_GATED = """
import pathlib, sys, time
with open(sys.argv[1], "a") as ran:
    ran.write("x")
while not pathlib.Path(sys.argv[1]).with_name("gate").exists():
    time.sleep(0.01)
sys.stdin.buffer.read()
sys.stdout.buffer.write(b"\\x91\\xc4\\x04%PDF")
"""
"""A program that typesets only once the gate is open, and writes that it ran."""


class Press:
    """Typesets papers only when it's let, for browsers that don't wait."""

    def __init__(self, folder: Path, *browsers: Browser) -> None:
        self.ran = folder / "ran"
        self.browsers = browsers
        self.tasks = LongTasks(patience_s=0.0)
        for browser in browsers:
            browser.app.state.papers = PaperWorker((sys.executable, "-c", _GATED, str(self.ran)))
            browser.app.state.site.tasks = self.tasks

    def begins(self) -> None:
        """Wait until the program runs."""
        while not self.ran.exists():
            self.browsers[0].station.run(asyncio.sleep(0.01))

    def opens(self) -> None:
        """Finish what is being typeset."""
        self.ran.with_name("gate").touch()
        finish(*self.browsers)


def finish(*browsers: Browser) -> None:
    """Wait for the end of the tasks of these judges."""
    for browser in browsers:
        for task in browser.app.state.site.tasks.news_for("Roy"):
            browser.station.run(asyncio.wait({task.running}))


def begun(browser: Browser, path: str = BADGES) -> str:
    """Open a page that takes long, and return the address of its progress."""
    return progress_after(browser.status(path, **PAGE))


def progress_after(answer: httpx.Response) -> str:
    assert answer.status_code == 302
    assert answer.headers["location"].startswith("/judge/tasks/")
    return str(answer.headers["location"])


@pytest.fixture
def press(station: Station, judge: Browser, tmp_path: Path) -> Press:
    station.opens(10)
    return Press(tmp_path, judge)


def test_a_long_printout_shows_its_progress_and_then_itself(press: Press, judge: Browser) -> None:
    task = begun(judge)
    shows(judge.get(task), "<h1>Badges · Open</h1>", "Cancel", 'http-equiv="refresh"', never="It's ready")
    press.opens()
    ready = judge.status(task, **POLL).text
    shows(ready, "data-open-result", never=("hx-trigger", "http-equiv"))
    file = judge.status(task, **PAGE).headers["location"]
    assert judge.status(file, **PAGE).content == b"%PDF"
    assert press.ran.read_text() == "x"


def test_programs_get_the_file_itself_however_long_it_takes(press: Press, judge: Browser) -> None:
    press.ran.with_name("gate").touch()
    assert judge.status(BADGES).content == b"%PDF"


def test_other_pages_show_what_is_being_made_and_then_that_it_is_ready(press: Press, judge: Browser) -> None:
    assert 'id="tasks"' not in judge.get("/judge/terminals")
    task = begun(judge)
    shows(judge.get("/judge/terminals"), f'<a href="{task}">Badges · Open</a>', 'hx-get="/judge/tasks"')
    press.opens()
    shows(judge.get("/judge/tasks"), "Open: Badges · Open", never="hx-get")
    judge.status(task)
    assert 'id="tasks"' not in judge.get("/judge/terminals")


def test_cancelling_ends_the_work_and_the_next_one_begins_again(press: Press, judge: Browser) -> None:
    task = begun(judge)
    press.begins()
    judge.get(task)
    shows(judge.post(f"{task}/cancel"), "Cancelled: Badges · Open")
    judge.get(task, expected=404)
    assert begun(judge) != task
    press.opens()
    assert judge.status(BADGES, **PAGE).content == b"%PDF"
    assert press.ran.read_text() == "xx"


def test_two_judges_share_one_run_and_one_who_cancels_leaves_it_to_the_other(
    station: Station, judge: Browser, tmp_path: Path
) -> None:
    station.opens(10)
    floor = logged_in_as(station, AccountRole.ORGANISER)
    press = Press(tmp_path, judge, floor)
    task = begun(judge)
    assert begun(floor) == task
    press.begins()
    floor.get(task)
    floor.post(f"{task}/cancel")
    floor.get(task, expected=404)
    press.opens()
    assert judge.status(BADGES, **PAGE).content == b"%PDF"
    assert press.ran.read_text() == "x"


def test_whoever_has_the_address_of_a_secret_result_still_needs_the_right(
    station: Station, judge: Browser, tmp_path: Path
) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    floor = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    press = Press(tmp_path, judge, floor)
    task = begun(judge, f"/judge/t/{OPEN}/print/standings/file")
    press.opens()
    result = judge.status(task).headers["location"]
    assert judge.status(result, **PAGE).status_code == 200
    assert floor.status(result, **PAGE).status_code == 403
    assert floor.status(task, **PAGE).status_code == 404
    # A key opens nothing but what it was given for.
    other = result.replace("/standings/", "/badges/")
    assert judge.status(other, **PAGE).headers["location"] != task


def downloads(judge: Browser) -> int:
    """Count the lines of the audit log about downloaded workbooks."""
    lines = judge.app.state.site.audit.lines(AuditFilter())
    return sum(line.route.endswith("/data/workbook.xlsx") for line in lines)


def test_a_download_is_in_the_audit_log_once(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.app.state.site.tasks.patience_s = 0.0
    task = begun(judge, f"/judge/t/{OPEN}/data/workbook.xlsx")
    finish(judge)
    judge.status(task, **POLL)
    assert downloads(judge) == 0
    file = judge.status(judge.status(task).headers["location"], **PAGE)
    assert file.content.startswith(b"PK")
    assert int(file.headers["content-length"]) == len(file.content)
    assert downloads(judge) == 1


def test_what_failed_says_why_and_can_be_tried_again(press: Press, judge: Browser) -> None:
    judge.app.state.papers = PaperWorker((sys.executable, "-c", "raise MemoryError"))
    task = begun(judge)
    finish(judge)
    shows(judge.get("/judge/tasks"), PaperFailure.MEMORY.value)
    shows(judge.get(task), PaperFailure.MEMORY.value, f'href="{BADGES}">Try again')
    assert begun(judge) != task


def test_a_judge_can_wait_for_four_files_at_a_time(press: Press, judge: Browser) -> None:
    for kind in ("badges", "check-in-list", "table-signs", "ejections"):
        begun(judge, BADGES.replace("badges", kind))
    refused = judge.status(BADGES.replace("badges", "duel-sheets"), **PAGE)
    assert refused.status_code == 404
    shows(unescape(refused.text), "You're waiting for 4 files already.")


def test_a_long_list_of_players_is_read_aside_and_then_previewed(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.app.state.site.tasks.patience_s = 0.0
    judge.get(f"/judge/t/{OPEN}/players")
    file = {"file": ("list.csv", b"name\nRita Longo\n")}
    sent = judge.sending_file(f"/judge/t/{OPEN}/players/import", file)
    task = progress_after(station.run(sent))
    finish(judge)
    preview = judge.get(judge.status(task).headers["location"])
    shows(preview, "Rita Longo", f'action="/judge/t/{OPEN}/players/import/confirm"')
    assert judge.status(f"/judge/t/{OPEN}/players/import").headers["location"] == f"/judge/t/{OPEN}/players"


@on_loop
async def test_only_the_last_results_are_kept_and_one_run_serves_equal_jobs() -> None:
    tasks, runs = LongTasks(), itertools.count()

    async def _work(_progress: TaskProgress) -> int:
        return next(runs)

    def _begin(number: int, version: int = 0) -> LongTask[int]:
        return tasks.begin(LongJob("Test", number, version, _work, lane="quick"), "Roy", "/", "/judge")

    gate = asyncio.Event()
    slow = tasks.begin(LongJob("Slow", 0, 0, lambda _: gate.wait()), "Roy", "/", "/judge")
    first = _begin(1)
    assert _begin(1) is first
    assert _begin(1, version=2) is not first
    for number in range(2, 20):
        await _begin(number).running
    assert tasks.find(first.key, 1) is None
    gate.set()
    await slow.running
    await asyncio.sleep(0)
    assert tasks.find(slow.key, 0) is slow
    assert len(tasks.news_for("Roy")) == 8


@on_loop
async def test_a_cancelled_thread_ends_at_its_next_report() -> None:
    tasks, reported, ended = LongTasks(), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def _blocks(progress: TaskProgress) -> None:
        try:
            for number in range(1000):
                progress.count(number)
                loop.call_soon_threadsafe(reported.set)
                time.sleep(0.001)
        finally:
            ended.set()

    async def _work(progress: TaskProgress) -> None:
        progress.begin(TaskStep.LINES, 1000)
        await asyncio.to_thread(_blocks, progress)

    task = tasks.begin(LongJob("Test", 1, 0, _work), "Roy", "/", "/judge")
    await reported.wait()
    assert tasks.leave(task, "Roy") == "/judge"
    await asyncio.wait({task.running})
    assert await asyncio.to_thread(ended.wait, 5)
    assert task.progress.done < 999


def test_what_is_left_follows_what_is_done_and_earlier_durations() -> None:
    now_s, paces = [0.0], {(TaskStep.LAYOUT, "badges"): 0.01}
    progress = TaskProgress(paces, lambda: now_s[-1])

    def _at(second: float) -> tuple[float | None, float | None]:
        now_s.append(second)
        return progress.share, progress.left_s

    assert _at(60) == (None, None)
    progress.begin(TaskStep.CODES, 100, until=0.5)
    progress.count(50)
    assert _at(70) == (0.25, 30)
    progress.begin(TaskStep.LAYOUT, size=1000, like="badges")
    assert _at(75) == (0.75, 5)
    assert _at(90) == (0.975, None)
    progress.end()
    assert paces == {(TaskStep.LAYOUT, "badges"): 0.02}


@given(st.lists(st.binary(max_size=50_000), max_size=6))
def test_a_file_is_read_by_several_at_once_as_it_was_written(pieces: list[bytes]) -> None:
    made = MadeFile(pieces)
    pairs = itertools.zip_longest(made.pieces(), made.pieces())
    both = [(first or b"", second or b"") for first, second in pairs]
    assert b"".join(first for first, _ in both) == b"".join(pieces)
    assert b"".join(second for _, second in both) == b"".join(pieces)
    assert made.size == len(b"".join(pieces))
