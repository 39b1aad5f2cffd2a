import fcntl
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from image.recipe.build import working_folder
from image.recipe.checkout import CHECKOUT
from image.recipe.requirements_check import CannotBuild

INTERRUPTED = """
import signal, sys, time
from pathlib import Path
from image.recipe.__main__ import leave_when_ended
from image.recipe.build import working_folder

# As at a terminal: who starts the tests may have them ignore this.
signal.signal(signal.SIGINT, signal.default_int_handler)
leave_when_ended()
with working_folder(Path(sys.argv[1])) as work:
    (work / "half").write_text("made")
    print("working", flush=True)
    # A signal just before a sleep is heard after it: many short ones.
    for _ in range(6000):
        time.sleep(0.01)
"""


def test_what_was_half_made_is_gone_after_a_fault(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), working_folder(tmp_path / "out") as work:
        (work / "root" / "deep").mkdir()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["lock"]


def test_what_a_power_cut_left_is_cleared_by_the_next_build(tmp_path: Path) -> None:
    (tmp_path / "work-old/root").mkdir(parents=True)
    (tmp_path / "cache").mkdir()
    with working_folder(tmp_path) as work:
        assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "lock", work.name]


def test_two_builds_into_one_folder_do_not_meet(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(CannotBuild, match="--out"), working_folder(tmp_path):
            pass


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_build_that_is_ended_leaves_nothing_half_made(tmp_path: Path, sent: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path / "out")],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as build:
        assert build.stdout is not None
        assert build.stdout.readline() == "working\n"
        build.send_signal(sent)
        assert build.wait(timeout=30) != 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["lock"]
