"""The contents of logs, and what they never contain."""

import json
from collections.abc import Iterator

import pytest
import structlog

from kiosk.terminal.logs import set_up_logs


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def failing(pin: str) -> None:
    try:
        len(pin) // 0
    except ZeroDivisionError:
        structlog.get_logger().exception("the terminal failed", code="4711")


@pytest.mark.parametrize("for_the_system", [True, False])
def test_a_fault_is_logged_whole_but_not_what_its_variables_held(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, for_the_system: bool
) -> None:
    if for_the_system:
        monkeypatch.setenv("JOURNAL_STREAM", "9:1")
    else:
        monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    set_up_logs()
    failing("judge-only")
    said = capsys.readouterr().err
    assert "4711" in said
    assert "ZeroDivisionError: " in said
    assert "judge-only" not in said
    if for_the_system:
        assert said.startswith("<3>{")
        assert json.loads(said.removeprefix("<3>"))["level"] == "error"


def test_single_requests_at_the_door_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs()
    structlog.get_logger().debug("door", request="GET /screen.png")
    assert capsys.readouterr().err == ""
