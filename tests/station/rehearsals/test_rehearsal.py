"""The page of rehearsals, which starts, disturbs and ends a hall of its own."""

import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from base.errors import Refused
from demo.processes import poll_until_timeout
from station.rehearsals.contract import (
    ActionResult,
    FaultKind,
    GetState,
    JudgeAction,
    RehearsalStage,
    RehearsalState,
    SetupStep,
    Solved,
)
from station.rehearsals.runner import RehearsalOptions, RehearsalReason, RehearsalRunner
from station.rehearsals.text import ADVICE, REHEARSAL_LABELS
from tests.station.browser import Browser
from tests.station.conftest import Station, present

# The whole protocol of a hall, with two tables that nobody plays at.
HALL = textwrap.dedent(
    """
    import sys, threading
    from pathlib import Path
    from demo.rehearsal.program import control_server
    from station.rehearsals.contract import *
    import msgspec
    folder = Path(sys.argv[sys.argv.index("--directory") + 1])
    over = threading.Event()
    faults = (FaultNow(1, FaultKind.CUT_CABLE, 2, 65.0, 65.0, 90.0, 95.0, Solved.BY_HAND),
              FaultNow(2, FaultKind.DEAD_UNIT, 1, 80.0, 80.0))
    now = RehearsalState(RehearsalStage.PLAYING, pages="127.0.0.1:4711", judge="judge", password="pw-1",
               tournament="abc",
               round=1,
               sheets=2, seconds=100.0, faults=faults, spares=1,
               tables=(TableNow(1, "serial", "http://127.0.0.1:9001"),
                       TableNow(2, "tls", "http://127.0.0.1:9002", "play", True)))
    def answer(request):
        if isinstance(request, End):
            over.set()
        said = {MakeFault: ActionResult.BEGUN, PerformAction: ActionResult.STAYS_DARK,
                SetPace: ActionResult.DONE}.get(type(request))
        (folder / "asked").open("ab").write(msgspec.json.encode(request) + b"\\n")
        return msgspec.structs.replace(now, said=said)
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    with control_server(folder / "control", answer):
        over.wait()
    over_now = msgspec.structs.replace(now, stage=RehearsalStage.OVER)
    (folder / "debrief.json").write_bytes(msgspec.json.encode(over_now))
    """
)
WITHOUT_TABLES = (sys.executable, "-c", HALL)


@pytest.fixture
def rehearsals() -> Iterator[RehearsalRunner]:
    own = RehearsalRunner(WITHOUT_TABLES)
    yield own
    own.end()


def playing(rehearsals: RehearsalRunner) -> RehearsalState:
    for _ in poll_until_timeout(20, 0.05):
        state = rehearsals.now()
        if state is not None and state.stage is not RehearsalStage.STARTING:
            return state
    raise AssertionError("it never played")


@pytest.fixture
def trainer(station: Station, rehearsals: RehearsalRunner) -> Browser:
    browser = Browser(station, rehearsals)
    browser.log_in()
    return browser


def begins(trainer: Browser) -> None:
    """Start a rehearsal on the page, and look at it."""
    trainer.get("/judge/rehearsal")
    trainer.send("/judge/rehearsal/start", {"tables": "2"})
    playing(trainer.rehearsals)
    trainer.get("/judge/rehearsal")


@pytest.mark.slow
def test_a_rehearsal_is_started_looked_at_and_ended_and_leaves_nothing(rehearsals: RehearsalRunner) -> None:
    assert rehearsals.now() is None
    rehearsals.start(RehearsalOptions(tables=2))
    state = playing(rehearsals)
    assert [table.table for table in state.tables] == [1, 2]
    folder = present(rehearsals.folder)
    with pytest.raises(Refused) as second:
        rehearsals.start(RehearsalOptions())
    assert second.value.reason is RehearsalReason.ONE_RUNS
    rehearsals.end()
    assert not folder.exists()
    last = present(rehearsals.now())
    assert last.stage is RehearsalStage.OVER
    assert len(last.faults) == 2


def test_an_installation_without_rehearsals_says_so(station: Station, tmp_path: Path) -> None:
    browser = Browser(station, RehearsalRunner((str(tmp_path / "saloon-demo"), "rehearsal")))
    browser.log_in()
    page = browser.send("/judge/rehearsal/start", {"tables": "2"})
    assert "Rehearsals need Linux" in page


def test_a_program_that_dies_is_told_with_its_last_words() -> None:
    broken = RehearsalRunner((sys.executable, "-c", "import sys; sys.exit('no room in this hall')"))
    broken.start(RehearsalOptions())
    state = playing(broken)
    assert state.stage is RehearsalStage.FAILED
    assert "no room in this hall" in state.why
    with pytest.raises(Refused):
        broken.ask(GetState())


def test_judges_who_press_at_once_start_one() -> None:
    asleep = RehearsalRunner((sys.executable, "-c", "import sys; sys.stdin.read()"))
    together = Barrier(4)

    def start() -> bool:
        together.wait()
        try:
            asleep.start(RehearsalOptions())
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(4) as judges:
        started = [judges.submit(start) for _ in range(4)]
    assert sorted(one.result() for one in started) == [False, False, False, True]
    asleep.end()


@pytest.mark.slow
def test_the_page_starts_one_and_shows_how_to_get_in(trainer: Browser) -> None:
    assert "New rehearsal" in trainer.get("/judge/rehearsal")
    trainer.send("/judge/rehearsal/start", {"tables": "2", "speed": "2", "rate": "0"})
    playing(trainer.rehearsals)
    page = trainer.get("/judge/rehearsal")
    assert 'href="http://station:4711/judge/t/abc/floor"' in page
    assert "pw-1" in page
    assert "the screen is dark" in page
    assert "hand raised" in page
    assert "dead terminal" not in page.split("Cause a problem")[0]


@pytest.mark.slow
def test_solutions_are_hidden_until_somebody_asks_for_them(trainer: Browser) -> None:
    begins(trainer)
    assert "Current problems" not in trainer.get("/judge/rehearsal")
    text = trainer.get("/judge/rehearsal?solutions=yes").split("Current problems")[1]
    assert "Table 1: dead terminal" in text
    assert "Swap terminal" in text
    assert "no judge has come yet" in text
    assert "cable cut" not in text.split("Cause a problem")[0]


@pytest.mark.slow
def test_what_is_asked_reaches_the_hall_and_what_is_found_is_read(trainer: Browser) -> None:
    begins(trainer)
    assert "The problem has started." in trainer.send(
        "/judge/rehearsal/fault", {"table": "2", "kind": "cut-cable"}
    )
    assert "the terminal stays dark" in trainer.send("/judge/rehearsal/hand", {"table": "1", "hand": "power"})
    trainer.send("/judge/rehearsal/pace", {"speed": "10", "rate": "20"})
    assert trainer.rehearsals.folder is not None
    requests = (trainer.rehearsals.folder / "asked").read_text()
    assert '{"type":"make-fault","table":2,"kind":"cut-cable"}' in requests
    assert '{"type":"lend-hand","table":1,"hand":"power"}' in requests
    assert '{"type":"set-pace","speed":10.0,"per_hour":20' in requests
    assert "isn't possible here" in trainer.send("/judge/rehearsal/pace", {"speed": "999"})
    assert "isn't possible here" in trainer.send(
        "/judge/rehearsal/fault", {"table": "2", "kind": "earthquake"}
    )


@pytest.mark.slow
def test_the_live_part_tells_only_what_changes_and_reloads_at_another_stage(trainer: Browser) -> None:
    begins(trainer)
    live = trainer.get("/judge/rehearsal/live?stage=playing")
    assert 'id="rehearsal-table-2" hx-swap-oob="true"' in live
    assert "<form" not in live
    assert trainer.status("/judge/rehearsal/live?stage=starting").headers["hx-refresh"] == "true"


@pytest.mark.slow
def test_the_debrief_stays_when_it_has_ended(trainer: Browser) -> None:
    begins(trainer)
    page = trainer.send("/judge/rehearsal/end", {})
    debrief = page.split("Results of the last rehearsal")[1]
    assert "1:05" in debrief
    assert "0:25" in debrief
    assert "at the table, 0:30" in debrief
    assert "not solved" in debrief
    assert "New rehearsal" in page


def test_nothing_is_rehearsed_while_a_real_round_runs(station: Station, trainer: Browser) -> None:
    station.opens(10)
    station.publishes()
    trainer.get("/judge/rehearsal")
    page = trainer.send("/judge/rehearsal/start", {"tables": "2"})
    assert "the hall needs this computer" in page
    assert trainer.rehearsals.now() is None


def test_a_rehearsals_own_station_says_so_on_every_page_and_starts_no_other(station: Station) -> None:
    own = Browser(station, is_rehearsal=True)
    own.log_in()
    for path in ("/", "/judge", "/judge/terminals"):
        assert "Nothing here counts." in own.get(path)
    assert 'href="/judge/rehearsal"' not in own.get("/judge")
    assert "This station belongs to a rehearsal" in own.send("/judge/rehearsal/start", {"tables": "2"})


def test_every_fault_hand_finding_and_end_has_words() -> None:
    for kind in (FaultKind, JudgeAction, ActionResult, Solved, SetupStep):
        assert all(REHEARSAL_LABELS.get(member) for member in kind)
    assert set(ADVICE) == set(FaultKind)


@pytest.mark.slow
def test_how_far_the_setting_up_is_is_told_in_the_judges_language(station: Station) -> None:
    begins = HALL.replace(
        "RehearsalStage.PLAYING,", "RehearsalStage.STARTING, RehearsalStep(SetupStep.TABLE, 3, 5),"
    )
    rehearsals = RehearsalRunner((sys.executable, "-c", begins))
    browser = Browser(station, rehearsals)
    browser.log_in()
    rehearsals.start(RehearsalOptions(tables=2))
    for _ in poll_until_timeout(20, 0.05):
        state = rehearsals.now()
        if state is not None and state.step is not None:
            break
    assert "starting table 3 of 5 …" in browser.get("/judge/rehearsal")
    assert "si avvia il tavolo 3 di 5 …" in browser.get("/judge/rehearsal", "it")
    rehearsals.end()
