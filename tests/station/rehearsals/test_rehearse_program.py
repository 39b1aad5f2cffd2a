"""Requests to a running rehearsal from the command line."""

import contextlib
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from base.errors import Unavailable
from demo.rehearsal.program import control_server
from station.cli.main import commands
from station.rehearsals.contract import (
    ActionResult,
    End,
    FaultKind,
    FaultNow,
    JudgeAction,
    MakeFault,
    PerformAction,
    RehearsalStage,
    RehearsalState,
    RehearsalStep,
    Request,
    SetPace,
    SetupStep,
    TableNow,
)

NOW = RehearsalState(
    RehearsalStage.PLAYING,
    round=2,
    sheets=2,
    sheets_done=1,
    tables=(TableNow(1, "tls", "http://127.0.0.1:1", "play", raises_hand=True), TableNow(2, "tls", "")),
    faults=(FaultNow(1, FaultKind.DEAD_UNIT, 2, 5.0, 5.0),),
)


@pytest.fixture
def short_path() -> Iterator[str]:
    """A folder with a short path, as a socket's path is limited to 107 characters."""
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "control")


def said_by(control: str, *words: str) -> str:
    done = CliRunner().invoke(commands, ["rehearse", words[0], "--control", control, *words[1:]])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_faults_hands_and_pace_reach_the_hall(short_path: str) -> None:
    requests: list[Request] = []

    def answer(request: Request) -> RehearsalState:
        requests.append(request)
        said = ActionResult.STAYS_DARK if isinstance(request, PerformAction) else None
        return msgspec.structs.replace(NOW, said=said)

    with control_server(Path(short_path), answer):
        said_by(short_path, "fault", "dead-unit", "2")
        assert "Table 2: the terminal stays dark" in said_by(short_path, "hand", "power", "2")
        said_by(short_path, "pace", "--speed", "5")
        said_by(short_path, "end")
        looked = said_by(short_path, "look")
        assert "1 of 2 record sheets" in looked
        assert "Tables calling a judge: 1." in looked
        assert "dark: 2." in looked
        assert "dead-unit" not in looked
        assert "dead-unit" in said_by(short_path, "look", "--solutions")
    assert requests[:4] == [
        MakeFault(2, FaultKind.DEAD_UNIT),
        PerformAction(2, JudgeAction.POWER),
        SetPace(5.0),
        End(),
    ]


def test_how_far_the_setting_up_is_and_why_it_failed_is_said(short_path: str) -> None:
    state = RehearsalState(RehearsalStage.STARTING, step=RehearsalStep(SetupStep.SPARE, 1, 2))
    with control_server(Path(short_path), lambda _: state):
        assert said_by(short_path, "look").startswith("starting spare 1 of 2 · round 0")
        state = RehearsalState(RehearsalStage.FAILED, why="no room in this hall")
        assert said_by(short_path, "look").startswith("failed no room in this hall · round 0")


def test_a_control_that_nobody_answers_is_told(short_path: str) -> None:
    with pytest.raises(Unavailable):
        said_by(short_path, "look")


def test_words_that_are_no_request_get_no_answer_and_the_next_ones_do(short_path: str) -> None:
    with control_server(Path(short_path), lambda _: NOW):
        for junk in (b"earthquake\n", b"{}\n", b"\xff" * 200_000):
            with socket.socket(socket.AF_UNIX) as asker:
                asker.connect(short_path)
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    asker.sendall(junk)
                    asker.shutdown(socket.SHUT_WR)
                    assert asker.recv(100) == b""
        assert "playing" in said_by(short_path, "look")


@pytest.mark.nightly
@pytest.mark.slow
def test_usage_names_the_command_that_was_typed() -> None:
    program = Path(sys.executable).with_name("saloon-station")
    wrong = subprocess.run(
        [program, "rehearse", "start", "--wrong"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
    assert "Usage: saloon-station rehearse start [OPTIONS]" in wrong.stderr
    assert "'saloon-station rehearse start --help'" in wrong.stderr
    assert "saloon-demo" not in wrong.stderr
    result = subprocess.run(
        [program, "rehearse", "start", "--help"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("Usage: saloon-station rehearse start [OPTIONS]")
    demo = Path(sys.executable).with_name("saloon-demo")
    own = subprocess.run([demo, "rehearsal", "--help"], capture_output=True, text=True, check=True)
    assert own.stdout.startswith("Usage: saloon-demo rehearsal [OPTIONS]")
