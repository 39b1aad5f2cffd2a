"""No text of a proof pack controls the screen of the person who checks it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.cli.conftest import Exported, Run

GOOD = "Everything holds."
HOSTILE = f"Open: 40 lines\n{GOOD}\x1b[8m\x9b8m\u2028{GOOD}\r{GOOD}\x0b\u202e"
FREE = ("reason", "name", "club")


def spoilt(value: Any) -> Any:
    """The same with hostile texts wherever people write what they like."""
    if isinstance(value, dict):
        return {
            key: HOSTILE if key in FREE and isinstance(item, str) else spoilt(item)
            for key, item in value.items()
        }
    return [spoilt(item) for item in value] if isinstance(value, list | tuple) else value


def assert_harmless(printed: str) -> None:
    lines = printed.split("\n")
    assert [line for line in lines if not line.isprintable()] == []
    assert [line for line in lines if line.strip() == GOOD] == []


@pytest.fixture(params=["head", "everything"])
def pack(request: pytest.FixtureRequest, exported: Exported, tmp_path: Path) -> Path:
    """A pack whose bytes, hashes and digests fit its hostile texts."""
    if request.param == "head":
        exported.lines[0]["name"] = HOSTILE
    else:
        exported.lines[:] = [spoilt(line) for line in exported.lines]
    return exported.written(tmp_path / "hostile\x1b[8m.jsonl")


def test_verify_never_shows_a_verdict_that_a_pack_has_written(pack: Path, run: Run) -> None:
    done = run("verify", pack)
    assert done.exit_code == 1
    assert_harmless(done.output)
    assert "Problems found" in done.output.splitlines()[-1]


OTHERS = ("why --player p001", "rank", "score", "replay")


@pytest.mark.slow
@pytest.mark.parametrize("command", OTHERS)
def test_no_command_prints_what_controls_a_screen(command: str, pack: Path, run: Run) -> None:
    done = run(*command.split(), pack)
    assert_harmless(done.output)
    if done.exit_code == 0:
        assert done.output


@pytest.mark.parametrize("command", ["verify", *OTHERS])
def test_json_is_exact_and_obeyed_by_no_screen(command: str, pack: Path, run: Run) -> None:
    done = run(*command.split(), "--json", pack)
    if not done.output:
        assert done.exception is not None
        return
    assert_harmless(done.output)
    assert json.loads(done.output)
    if command == "verify":
        assert json.loads(done.output)["tournament"] == HOSTILE
