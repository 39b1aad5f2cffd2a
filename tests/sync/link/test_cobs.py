import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import PeerFault
from sync.link.envelope import cobs_decode, cobs_encode


@pytest.mark.parametrize(
    ("plain", "line"),
    [
        ("", "01"),
        ("00", "0101"),
        ("0000", "010101"),
        ("11", "0211"),
        ("1100", "021101"),
        ("11220033", "0311220233"),
        ("0011", "010211"),
    ],
)
def test_bytes_become_distances_to_the_next_zero_and_back(plain: str, line: str) -> None:
    assert cobs_encode(bytes.fromhex(plain)).hex() == line
    assert cobs_decode(bytes.fromhex(line)).hex() == plain


@pytest.mark.parametrize("length", [1, 253, 254, 255, 507, 508, 509])
@pytest.mark.parametrize("tail", [b"", b"\0", b"\0\x07"])
def test_long_runs_without_a_zero_are_cut_after_254_bytes(length: int, tail: bytes) -> None:
    plain = b"\x05" * length + tail
    line = cobs_encode(plain)
    assert cobs_decode(line) == plain
    assert len(line) <= len(plain) + 1 + len(plain) // 254


@given(st.binary(max_size=1200))
def test_any_bytes_come_back_and_no_zero_is_on_the_line(plain: bytes) -> None:
    line = cobs_encode(plain)
    assert 0 not in line
    assert cobs_decode(line) == plain


@given(st.binary(max_size=300))
def test_any_line_gives_bytes_or_a_fault_of_the_peer(line: bytes) -> None:
    try:
        plain = cobs_decode(line)
    except PeerFault:
        return
    assert len(plain) <= len(line)


@pytest.mark.parametrize("line", ["00", "0311", "05112233", "021100"])
def test_a_line_that_no_stuffing_gives_is_a_fault_of_the_peer(line: str) -> None:
    with pytest.raises(PeerFault, match="stuffing"):
        cobs_decode(bytes.fromhex(line))
