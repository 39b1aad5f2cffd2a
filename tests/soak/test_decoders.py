"""Junk for decoders: each fuzzing target on its examples, damaged ones and random bytes; damaged frames."""

import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.soak.counts import Counts
from tests.soak.fuzzing import target, target_names
from tests.soak.part_decoders import damaged_block, line_in_bad_weather, run_link


def damaged(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """Return some of these one after the other, cut, with some bytes changed."""

    @st.composite
    def one(draw: st.DrawFn) -> bytes:
        data = bytearray(b"".join(draw(st.lists(st.sampled_from(seeds), min_size=1, max_size=3))))
        for _ in range(draw(st.integers(0, 3))):
            if data:
                data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
        return bytes(data[: draw(st.integers(0, len(data)))])

    return one()


@pytest.mark.slow
@pytest.mark.parametrize("name", target_names())
def test_whatever_bytes_come_nothing_breaks(name: str) -> None:
    module = target(name)
    for example in module.SEEDS:
        module.one_input(example)

    @settings(max_examples=examples(80))
    @given(st.binary(max_size=200) | damaged(list(module.SEEDS)))
    def any_bytes(data: bytes) -> None:
        module.one_input(data)

    any_bytes()


@pytest.mark.slow
def test_no_damaged_frame_is_believed() -> None:
    progress: list[Counts] = []
    done = run_link(3, 0.5, progress.append)
    assert progress
    assert not done.failures
    assert done.octets > 100_000


def test_a_reader_without_a_check_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zlib, "crc32", lambda _: 0)
    assert damaged_block(1, 1).failures
    assert line_in_bad_weather(1).failures
