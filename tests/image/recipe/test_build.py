import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from image.recipe import requirements_check as rights
from image.recipe.build import working_folder
from image.recipe.checkout import CHECKOUT
from image.recipe.requirements_check import CannotBuild
from image.recipe.target import Architecture

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


REGISTERED = "enabled\ninterpreter /usr/bin/qemu-aarch64\nflags: PF\noffset 0\n"


def test_a_missing_program_is_named_by_its_package() -> None:
    assert rights.missing_tools(lambda _tool: "/usr/bin/it") == ()
    without = rights.missing_tools(lambda tool: None if tool in {"mcopy", "depmod"} else "/it")
    assert without == ("kmod", "mtools")


def test_a_compiler_is_asked_for_by_the_processor_it_compiles_for() -> None:
    arm64, amd64 = (
        rights.compiler_tools(board, "x86_64") for board in (Architecture.ARM64, Architecture.AMD64)
    )
    assert arm64 == {"swig": "swig", "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu"}
    assert amd64 == {"swig": "swig", "x86_64-linux-gnu-gcc": "gcc"}
    assert (
        rights.compiler_tools(Architecture.AMD64, "aarch64")["x86_64-linux-gnu-gcc"] == "gcc-x86-64-linux-gnu"
    )
    assert "swig" not in rights.tools_of(Architecture.ARM64, compiles=False)


def test_only_a_foreign_processor_needs_an_emulator() -> None:
    assert rights.emulator_of(Architecture.ARM64, "x86_64") == "qemu-aarch64"
    assert rights.emulator_of(Architecture.ARM64, "aarch64") is None
    assert rights.emulator_of(Architecture.AMD64, "x86_64") is None


@pytest.mark.parametrize(
    ("registered", "remedy"),
    [
        (None, "apt install qemu-user-static"),
        (REGISTERED.replace("enabled", "disabled"), "update-binfmts --enable qemu-aarch64"),
        (REGISTERED.replace("PF", "P"), "qemu-user-static"),
    ],
)
def test_an_emulator_that_is_not_there_is_a_command_to_type(registered: str | None, remedy: str) -> None:
    assert remedy in (rights.emulator_problem("qemu-aarch64", registered) or "")


def test_a_registered_emulator_is_no_problem() -> None:
    assert rights.emulator_problem("qemu-aarch64", REGISTERED) is None


def test_an_ordinary_user_without_numbers_is_told_how_to_get_them() -> None:
    assert rights.namespace_problem("ann", ["ann:100000:65536"], ["ann:100000:65536"]) is None
    problem = rights.namespace_problem("ann", ["ann:100000:65536"], ["bob:100000:65536"])
    assert problem is not None
    assert "--add-subgids" in problem


def test_everything_that_is_missing_is_said_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rights, "ROOM", 10**18)
    monkeypatch.setattr(rights, "find_tool", lambda _tool: None)
    with pytest.raises(rights.CannotBuild) as caught:
        rights.check(Architecture.AMD64, tmp_path / "not" / "there", compiles=True)
    assert "apt install" in str(caught.value)
    assert "GB free" in str(caught.value)


def test_a_program_that_is_missing_is_said_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rights, "find_tool", lambda tool: None if tool == "mksquashfs" else "/it")
    with pytest.raises(rights.CannotBuild, match="apt install squashfs-tools"):
        rights.check_tools(rights.TOOLS)


def recipe(*words: str, apt: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "image.recipe", "--apt", str(apt), *words],
        cwd=CHECKOUT,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def apt(tmp_path: Path) -> Path:
    (tmp_path / "sources.list").write_text("deb http://a.example/debian bookworm main\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_the_plan_is_printed_and_nothing_is_made(apt: Path, tmp_path: Path) -> None:
    done = recipe("--dry-run", "--arch", "amd64", "--out", str(tmp_path / "out"), apt=apt)
    assert done.returncode == 0, done.stderr
    assert "saloon-terminal-amd64" in done.stdout
    assert "linux-image-amd64" in done.stdout
    assert "a.example" not in done.stdout
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_without_debians_sources_the_program_ends_with_a_sentence(tmp_path: Path) -> None:
    done = recipe("--dry-run", apt=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "--apt" in done.stderr
