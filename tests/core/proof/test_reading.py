"""Every altered byte of a proof pack is noticed, and its line named; so is every line out of place."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.proof.reading import PackFault, read_pack
from tests.core.cli.conftest import Exported, game_lines, pack_of, whole_tournament
from tests.examples import examples


def texts() -> list[bytes]:
    judge, steps = whole_tournament()
    return pack_of(judge, game_lines(steps)).texts()


PACK = texts()
WHOLE = b"".join(PACK)


def faults(whole: bytes) -> tuple[PackFault, ...]:
    return read_pack(_lines(whole)).faults


def _lines(whole: bytes) -> list[bytes]:
    """As a file gives them: at line feeds and nowhere else."""
    return [line for line in re.split(rb"(?<=\n)", whole) if line]


def line_of(position: int) -> int:
    return WHOLE[:position].count(b"\n") + 1


def test_a_pack_as_it_was_written_has_no_fault() -> None:
    assert faults(WHOLE) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mask", "step"),
    [(0x20, 37), *(pytest.param(mask, 11, marks=pytest.mark.nightly) for mask in (0x01, 0x20, 0x80))],
)
def test_every_line_notices_a_changed_byte_wherever_it_is(mask: int, step: int) -> None:
    # Every byte would take minutes; a step that shares no factor with the lines' lengths meets all columns.
    for position in [*range(mask, len(WHOLE), step), *(WHOLE.find(line) for line in PACK)]:
        changed = bytearray(WHOLE)
        changed[position] ^= mask
        problems = faults(bytes(changed))
        assert problems, position
        assert problems[0].line == line_of(position), (position, problems[0])


@settings(max_examples=examples(150), deadline=None)
@given(position=st.integers(0, len(WHOLE) - 1), value=st.integers(0, 255))
def test_any_other_byte_in_any_place_is_named(position: int, value: int) -> None:
    changed = bytearray(WHOLE)
    changed[position] = value
    problems = faults(bytes(changed))
    if bytes(changed) == WHOLE:
        assert problems == ()
    else:
        assert problems[0].line == line_of(position)


@settings(max_examples=examples(60), deadline=None)
@given(end=st.integers(0, len(WHOLE) - 1))
def test_a_pack_cut_off_anywhere_is_noticed(end: int) -> None:
    problems = faults(WHOLE[:end])
    assert any(
        said in fault.problem
        for fault in problems
        for said in ("without its foot", "is empty", "has no line feed at its end")
    )


@settings(max_examples=examples(60), deadline=None)
@given(order=st.permutations(range(8)))
def test_lines_in_another_order_are_noticed(order: list[int]) -> None:
    problems = read_pack([PACK[place] for place in order] + PACK[8:]).faults
    assert (problems == ()) is (order == sorted(order))


@settings(max_examples=examples(60), deadline=None)
@given(junk=st.binary(min_size=1))
def test_anything_behind_the_foot_is_noticed(junk: bytes) -> None:
    problems = faults(WHOLE + junk)
    assert problems[0].line == len(PACK) + 1


@settings(max_examples=examples(100), deadline=None)
@given(junk=st.binary())
def test_no_bytes_at_all_break_the_reader(junk: bytes) -> None:
    assert faults(junk)


@pytest.mark.parametrize(
    ("spoilt", "line", "problem"),
    [
        ([*PACK[:4], *PACK[5:]], 5, "it was written as line 6; line 5 should stand before it"),
        ([*PACK[:4], *PACK[7:]], 5, "it was written as line 8; lines 5 to 7 should stand before it"),
        (
            [*PACK[:4], PACK[3], *PACK[4:]],
            5,
            "it was written as line 4; it stands twice, or in the wrong place",
        ),
        ([*PACK[:4], b"\n", *PACK[4:]], 5, "an empty line"),
        ([PACK[0], *PACK], 2, "it was written as line 1; it stands twice, or in the wrong place"),
        ([line.replace(b"\n", b"\r\n") for line in PACK], 1, "it ends with a carriage return"),
        ([b"\xef\xbb\xbf" + PACK[0], *PACK[1:]], 1, "a byte order mark stands before it"),
        ([*PACK[:3], PACK[3].replace(b"cactus", b"cact\xfcs").replace(b"seal", b"s\xe9al")], 4, "not UTF-8"),
        ([*PACK[:-1], PACK[-1][:-1]], len(PACK), "it has no line feed at its end"),
        (PACK[:-1], len(PACK) - 1, "the file ends here, without its foot"),
        ([*PACK, b"{}\n"], len(PACK) + 1, "it cannot be read"),
        ([*PACK, PACK[-1]], len(PACK) + 1, "it stands behind the foot"),
        (["".join(map(chr, WHOLE)).encode("utf-16")], 1, "a byte order mark"),
        ([], None, "the file is empty"),
    ],
)
def test_what_happened_to_a_file_is_said_in_words(
    spoilt: list[bytes], line: int | None, problem: str
) -> None:
    problems = read_pack(spoilt).faults
    assert any(fault.line == line and problem in fault.problem for fault in problems), problems


def test_a_changed_digest_and_a_changed_line_are_each_named_once() -> None:
    digest = bytearray(PACK[3])
    digest[-10] = ord("0") if digest[-10] != ord("0") else ord("1")
    name = PACK[0].replace(b'"Open"', b'"Oben"')
    for number, line in ((4, bytes(digest)), (1, name)):
        spoilt = list(PACK)
        spoilt[number - 1] = line
        (fault,) = read_pack(spoilt).faults
        assert (fault.line, "do not give its digest" in fault.problem) == (number, True)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"seq": 4}, "tournament/open: entry 4 follows entry 1; none may be missing"),
        ({"wall_ms": 5}, "wall_ms is not the one in its bytes"),
        ({"hash": "00" * 32}, "do not give its hash in its writer's chain"),
        ({"hash": "Ab" * 32}, "its hash is not 64 hex digits"),
        ({"raw": "AAAA"}, "do not give its hash in its writer's chain"),
    ],
)
def test_a_file_made_anew_meets_the_writers_own_chain(change: dict[str, object], problem: str) -> None:
    """Even with all digests of the file made again, a changed line contradicts the entries' hashes."""
    judge, steps = whole_tournament()
    pack = pack_of(judge, game_lines(steps))
    pack.changed[2] = change
    problems = read_pack(pack.texts()).faults
    assert (problems[0].line, problem in problems[0].problem) == (3, True), problems


def test_a_step_that_is_not_the_one_in_its_bytes_is_named() -> None:
    judge, steps = whole_tournament()
    pack = pack_of(judge, game_lines(steps))
    pack.changed[2] = {"step": {**dict(pack.lines[2]["step"]), "at": "yesterday"}}  # type: ignore[call-overload]
    problems = read_pack(pack.texts()).faults
    assert [(fault.line, fault.problem) for fault in problems] == [
        (3, "tournament/open, entry 2: its step is not the one in its bytes")
    ]


def test_a_pack_is_the_same_bytes_each_time(exported: Exported, tmp_path: Path) -> None:
    assert exported.written(tmp_path / "a").read_bytes() == WHOLE
