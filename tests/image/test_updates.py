"""The scripts that choose, try, keep and undo a version: real shells in a root of files, mounts recorded."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.image.laid_out import IMAGE, TERMINAL, lay_out

LIB = "usr/lib/saloon"


class Board:
    """A terminal's files, and what its scripts would mount and start."""

    def __init__(self, root: Path) -> None:
        self.root = root
        lay_out(root, *TERMINAL.trees)
        self.updates = root / "data/updates"
        for folder in ("opt/saloon/bin", "data", "run/saloon-terminal"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        self.commands = root / "commands"
        self.log = self.commands / "log"
        self.commands.mkdir()
        for name in ("mount", "systemctl"):
            self.stand_in(name, 'echo "${0##*/} $*" >> "${0%/*}/log"\n')

    def stand_in(self, name: str, text: str) -> None:
        path = self.commands / name
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)

    def run(self, script: str, **environment: str) -> list[str]:
        """Run a script of the image; what it mounted and started."""
        self.log.write_text("")
        subprocess.run(
            [self.root / LIB / script],
            env={"ROOT": str(self.root), "PATH": f"{self.commands}:{os.environ['PATH']}", **environment},
            check=True,
            timeout=20,
        )
        return self.log.read_text().splitlines()

    def version(self, payload: bytes) -> str:
        """A version on the card; its name."""
        name = hashlib.sha256(payload).hexdigest()
        self.updates.mkdir(parents=True, exist_ok=True)
        (self.updates / f"{name}.squashfs").write_bytes(payload)
        return name

    def note(self, file: str, text: str) -> None:
        (self.updates / file).parent.mkdir(parents=True, exist_ok=True)
        (self.updates / file).write_text(text + "\n")

    def noted(self, file: str) -> str:
        path = self.updates / file
        return path.read_text().strip() if path.exists() else ""

    def runs(self) -> str:
        mounts = self.run("choose-app")
        assert len(mounts) == 1
        app = self.root / "run/saloon/app"
        if mounts == [f"mount --bind {self.root}/opt/saloon {app}"]:
            return "the image's"
        words = mounts[0].split()
        assert words[:5] == ["mount", "-t", "squashfs", "-o", "ro,nodev,nosuid"]
        assert words[6] == str(app)
        return Path(words[5]).stem

    def is_on_trial(self) -> bool:
        return (self.root / "run/saloon/trial").exists()

    def says(self, *words: str) -> None:
        for word in words:
            (self.root / "run/saloon-terminal" / word).write_text("0.3.0\n")


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path / "root")


def test_without_an_update_the_images_own_program_runs(board: Board) -> None:
    assert board.runs() == "the image's"
    assert (board.updates / "incoming").is_dir()
    assert not board.is_on_trial()


def test_the_first_root_leaves_to_the_service_what_the_service_does_not_pass_over() -> None:
    unit = (IMAGE / "common/root/usr/lib/systemd/system/saloon-app.service").read_text(encoding="utf-8")
    init = (IMAGE / "initramfs/init").read_text(encoding="utf-8")
    waits = set(re.findall(r"(?m)^ConditionPathExists=\|/data/updates/(\w+)$", unit))
    assert waits == set(re.findall(r"! \[ -e \$updates/(\w+) \]", init)) == {"trial", "kept"}
    assert "ConditionPathExists=|!/run/saloon/app/release\n" in unit


def test_a_machine_without_data_runs_the_images_own_program(board: Board) -> None:
    (board.root / "data").rmdir()
    assert board.runs() == "the image's"
    assert not board.updates.exists()


def test_a_version_on_trial_is_started_three_times_and_counted_before_each(board: Board) -> None:
    name = board.version(b"new")
    board.note("trial", f"{name} 0")
    for count in (1, 2, 3):
        assert board.runs() == name
        assert board.noted("trial") == f"{name} {count}"
        assert board.is_on_trial()
    (board.root / "run/saloon/trial").unlink()
    assert board.runs() == "the image's"
    assert board.noted(f"refused/{name}") == "starts"
    assert board.noted("trial") == ""
    assert not board.is_on_trial()
    assert list(board.updates.glob("*.squashfs")) == []


def test_what_a_cut_left_of_a_version_takes_no_room(board: Board) -> None:
    before = board.version(b"before")
    board.note("kept", before)
    (board.updates / f"{'a' * 64}.squashfs.new").write_bytes(b"half of the n")
    assert board.runs() == before
    assert [file.name for file in board.updates.glob("*.squashfs*")] == [f"{before}.squashfs"]


def test_after_a_trial_in_vain_the_version_before_it_returns(board: Board) -> None:
    before, name = board.version(b"before"), board.version(b"new")
    board.note("kept", before)
    board.note("trial", f"{name} 3")
    assert board.runs() == before
    assert board.noted("kept") == before


@pytest.mark.parametrize("starts", [1, 3])
def test_a_cut_before_a_refused_trial_is_forgotten_leaves_its_reason(board: Board, starts: int) -> None:
    before, name = board.version(b"before"), "ab" * 32
    board.note("kept", before)
    board.note(f"refused/{name}", "no-station")
    board.note("trial", f"{name} {starts}")
    assert board.runs() == before
    assert board.noted(f"refused/{name}") == "no-station"
    assert board.noted("trial") == ""


def test_a_start_that_cannot_be_counted_is_not_made(board: Board) -> None:
    name = board.version(b"new")
    board.note("trial", f"{name} 0")
    (board.updates / "trial.new").mkdir()
    assert board.runs() == "the image's"
    assert board.noted("trial") == f"{name} 0"


@pytest.mark.parametrize("file", ["trial", "kept"])
def test_a_card_that_has_forgotten_bytes_falls_back_to_the_image(board: Board, file: str) -> None:
    name = board.version(b"new")
    board.note(file, f"{name} 0" if file == "trial" else name)
    (board.updates / f"{name}.squashfs").write_bytes(b"nex")
    assert board.runs() == "the image's"
    assert board.noted(f"refused/{name}") == "damaged"
    assert board.noted(file) == ""
    assert not (board.updates / f"{name}.squashfs").exists()


@pytest.mark.slow
@pytest.mark.parametrize("file", ["trial", "kept"])
@pytest.mark.parametrize("text", ["", "../../etc/shadow 0", "$(reboot) 0", "zz", "a" * 63, "A" * 64, "\n\n"])
def test_nonsense_on_the_card_means_nothing(board: Board, file: str, text: str) -> None:
    board.note(file, text)
    assert board.runs() == "the image's"


def test_a_count_that_is_no_number_counts_as_too_many(board: Board) -> None:
    name = board.version(b"new")
    board.note("trial", f"{name} many")
    assert board.runs() == "the image's"
    assert board.noted(f"refused/{name}") == "starts"


def test_what_cannot_be_mounted_is_left(board: Board) -> None:
    name = board.version(b"new")
    board.note("trial", f"{name} 0")
    refusing = 'case "$*" in *squashfs*) exit 32 ;; esac\necho "mount $*" >> "${0%/*}/log"\n'
    board.stand_in("mount", refusing)
    assert board.runs() == "the image's"
    assert board.noted(f"refused/{name}") == "damaged"


def on_trial(board: Board) -> tuple[str, str]:
    """A board whose start has just begun a trial; the version before and the new one."""
    before, name = board.version(b"before"), board.version(b"new")
    board.note("kept", before)
    board.note("trial", f"{name} 0")
    assert board.runs() == name
    return before, name


def test_a_version_that_draws_and_reaches_the_station_is_kept(board: Board) -> None:
    before, name = on_trial(board)
    board.says("drawn", "reached")
    assert board.run("watch-trial") == []
    assert board.noted("kept") == name
    assert board.noted("trial") == ""
    assert not board.is_on_trial()
    assert not (board.updates / f"{before}.squashfs").exists()
    assert board.runs() == name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("says", "reason"), [((), "not-up"), (("drawn",), "no-station"), (("reached",), "not-up")]
)
def test_a_version_that_does_not_come_up_is_undone_by_itself(
    board: Board, says: tuple[str, ...], reason: str
) -> None:
    before, name = on_trial(board)
    board.says(*says)
    started = board.run("watch-trial", DRAW_S="0", REACH_S="0")
    assert started[-1] == "systemctl --no-block restart saloon-app.service"
    assert board.noted(f"refused/{name}") == reason
    assert board.noted("trial") == ""
    assert not board.is_on_trial()
    assert board.runs() == before


def test_a_version_that_crashes_again_and_again_is_not_waited_for(board: Board) -> None:
    _, name = on_trial(board)
    counting = 'case "$*" in show*) echo 20 ;; *) echo "systemctl $*" >> "${0%/*}/log" ;; esac\n'
    board.stand_in("systemctl", counting)
    board.stand_in("sleep", ":\n")
    assert board.run("watch-trial") == ["systemctl --no-block restart saloon-app.service"]
    assert board.noted(f"refused/{name}") == "not-up"


def test_a_picture_that_comes_late_is_waited_for(board: Board) -> None:
    _, name = on_trial(board)
    board.stand_in(
        "sleep",
        f"touch {board.root}/run/saloon-terminal/drawn\ntouch {board.root}/run/saloon-terminal/reached\n",
    )
    board.run("watch-trial")
    assert board.noted("kept") == name


def test_nothing_happens_where_nothing_is_on_trial(board: Board) -> None:
    assert board.runs() == "the image's"
    (board.root / "run/saloon/trial").touch()
    assert board.run("watch-trial", DRAW_S="0") == []
    assert not board.is_on_trial()


@pytest.mark.slow
@pytest.mark.parametrize("starts", [1, 3])
def test_a_cut_while_a_version_is_kept_does_not_put_it_on_trial_again(board: Board, starts: int) -> None:
    _, name = on_trial(board)
    board.note("kept", name)
    board.note("trial", f"{name} {starts}")
    for _ in range(2):
        assert board.runs() == name
        assert board.noted("trial") == ""
        assert board.noted(f"refused/{name}") == ""


@pytest.mark.parametrize("status", [0, 1])
def test_the_terminal_starts_anew_only_when_something_was_put_in_place(board: Board, status: int) -> None:
    text = (board.root / LIB / "apply-update").read_text()
    program = board.commands / "saloon-terminal"
    board.stand_in("saloon-terminal", f"exit {status}\n")
    moved = text.replace("/opt/saloon/bin/saloon-terminal", str(program)).replace(
        "/run/saloon-terminal", f"{board.root}/run/saloon-terminal"
    )
    (board.root / LIB / "apply-update").write_text(moved)
    board.says("update")
    restarts = ["systemctl --no-block restart saloon-app.service"]
    assert board.run("apply-update") == ([] if status else restarts)
    assert not (board.root / "run/saloon-terminal/update").exists()


def in_a_namespace(*command: str) -> bool:
    done = subprocess.run(["unshare", "-r", "-m", *command], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.skipif(
    shutil.which("unshare") is None or not in_a_namespace("true"), reason="this machine allows no namespaces"
)
def test_the_images_own_program_is_really_mounted(board: Board) -> None:
    (board.root / "opt/saloon/release").write_text("here")
    board.stand_in("mount", f'exec {shutil.which("mount")} "$@"\n')
    script = f"{board.root / LIB}/choose-app && cat {board.root}/run/saloon/app/release"
    result = subprocess.run(
        ["unshare", "-r", "-m", "sh", "-c", script],
        env={"ROOT": str(board.root), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "here"
