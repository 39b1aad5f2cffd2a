"""A payload arrives whole over any wire, and leaves a slow one free for more important messages."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from sync.update.bundle import Manifest
from sync.update.fetcher import ASK_AGAIN_MS, SLOW_MS, BundleDownload
from sync.update.messages import LARGEST_PIECE, UpdatePiece
from tests.sync.update.rig import NEW


def manifest_of(payload: bytes) -> Manifest:
    return Manifest(NEW, hashlib.sha256(payload).digest(), len(payload))


def pulled(payload: bytes, bytes_a_second: int, *, latency_ms: int = 2) -> tuple[bytes, list[int], int]:
    """Return the bytes that arrive at this speed, how long each piece took, and the total time."""
    pull, got, took, now_ms = BundleDownload(manifest_of(payload), 0), b"", [], 0
    while not pull.is_whole:
        want = pull.want(now_ms)
        if want is None:
            due = pull.next_deadline_ms()
            assert due is not None
            now_ms = max(now_ms + 1, due)
            continue
        data = payload[want.offset : want.offset + want.length]
        ms = latency_ms + len(data) * 1000 // bytes_a_second
        now_ms += ms
        took.append(ms)
        got += pull.on_piece(UpdatePiece(want.digest, want.offset, data), now_ms)
    return got, took, now_ms


def test_a_serial_line_rests_half_of_the_time_and_nothing_waits_long() -> None:
    payload = bytes(400_000)
    got, took, all_ms = pulled(payload, 11_520)
    assert got == payload
    assert max(took) <= 2 * SLOW_MS
    assert sum(took) <= all_ms * 0.55
    assert all_ms < 2.4 * 400_000 / 11.52


def test_a_shared_pair_of_wires_that_is_busy_gets_small_pieces() -> None:
    _, took, _ = pulled(bytes(60_000), 1_000, latency_ms=60)
    assert max(took[3:]) <= 2 * SLOW_MS + 60


def test_a_network_is_used_in_large_pieces() -> None:
    got, took, all_ms = pulled(bytes(20_000_000), 10_000_000)
    assert len(got) == 20_000_000
    assert len(took) < 20_000_000 / LARGEST_PIECE + 20
    assert all_ms < 10_000


def test_a_station_that_has_it_no_more_is_not_asked_again_and_again() -> None:
    pull = BundleDownload(manifest_of(bytes(5_000)), 0)
    assert pull.on_piece(UpdatePiece(bytes(32), 0, b"not asked for"), 0) == b""
    count = 0
    for now_ms in range(0, 3_000, 2):
        want = pull.want(now_ms)
        if want is not None:
            count += 1
            assert pull.on_piece(UpdatePiece(want.digest, want.offset, b""), now_ms + 1) == b""
    assert count == 1
    assert pull.want(ASK_AGAIN_MS + 1) is not None


@given(st.binary(min_size=1, max_size=5_000), st.integers(0, 5_000), st.data())
def test_whatever_comes_only_what_was_asked_for_is_taken(
    payload: bytes, have: int, data: st.DataObject
) -> None:
    have = min(have, len(payload))
    pull, got, now_ms = BundleDownload(manifest_of(payload), have), payload[:have], 0
    wants = []
    for _ in range(300):
        if pull.is_whole:
            break
        now_ms += data.draw(st.sampled_from([0, 1, 700, ASK_AGAIN_MS]))
        want = pull.want(now_ms)
        if want is not None:
            wants.append(want)
        match data.draw(st.sampled_from(["right", "right", "old", "stranger", "cut"])):
            case "right" if want is not None:
                more = payload[want.offset : want.offset + want.length] + b"more than that"
                got += pull.on_piece(UpdatePiece(want.digest, want.offset, more), now_ms)
            case "old" if len(wants) > 1:
                got += pull.on_piece(UpdatePiece(wants[0].digest, wants[0].offset, b""), now_ms)
            case "stranger":
                assert pull.on_piece(UpdatePiece(bytes(32), have, b"nonsense"), now_ms) == b""
            case "cut":
                pull.cut()
            case _:
                pass
    assert pull.have == len(got)
    assert got == payload[: len(got)]
