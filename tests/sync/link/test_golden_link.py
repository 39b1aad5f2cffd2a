"""One end of a link as a machine, written by another hand: what it says at each moment, to the byte."""

from pathlib import Path

import msgspec
import pytest

from sync.link.reliable import ReliableLink

FILE = Path(__file__).parents[2] / "golden" / "wire" / "link.json"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at_ms: int
    says: str
    hears: str = ""
    sends: str = ""
    gives: str = ""
    up: bool | None = None
    reset: bool = False


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    session: int
    baud: int
    steps: list[Step]


class Vectors(msgspec.Struct, frozen=True):
    cases: list[Case]


CASES = msgspec.json.decode(FILE.read_bytes(), type=Vectors).cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
@pytest.mark.parametrize("size", [1, 1_000])
def test_an_end_does_as_written(case: Case, size: int) -> None:
    link = ReliableLink(case.session, baud=case.baud)
    for step in case.steps:
        line = bytes.fromhex(step.hears)
        for at in range(0, len(line), size):
            link.receive(line[at : at + size], step.at_ms)
        if step.sends:
            assert link.send(bytes.fromhex(step.sends)) == len(step.sends) // 2
        assert link.to_line(step.at_ms).hex() == step.says
        assert link.take_received().hex() == step.gives
        assert link.was_reset() == step.reset
        assert step.up is None or link.is_up == step.up
