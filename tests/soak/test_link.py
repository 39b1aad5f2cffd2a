"""A short bulk fuzzing of frames, and proof that it would detect a reader that accepts too much."""

import zlib

import pytest

from tests.soak.counts import Counts
from tests.soak.part_link import damaged_block, line_in_bad_weather, run


@pytest.mark.slow
def test_no_damaged_frame_is_believed() -> None:
    progress: list[Counts] = []
    done = run(3, 0.5, progress.append)
    assert progress
    assert not done.failures
    assert done.octets > 100_000


def test_a_reader_without_a_check_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zlib, "crc32", lambda _: 0)
    assert damaged_block(1, 1).failures
    assert line_in_bad_weather(1).failures
