import pytest

from saloon.sync.link.pace import Pace

BAUD = 115_200


def test_the_first_timer_is_a_second_and_frames_are_large() -> None:
    pace = Pace(BAUD)
    assert pace.rto_ms == 1_000
    assert pace.payload == 488


@pytest.mark.parametrize(("baud", "least_ms"), [(115_200, 128), (57_600, 216), (9_600, 1_088)])
def test_no_timer_is_shorter_than_two_frames_and_the_adapters_patience(baud: int, least_ms: int) -> None:
    pace = Pace(baud)
    for _ in range(50):
        pace.delivered(1)
    assert pace.rto_ms == least_ms


def test_the_timer_follows_round_trips_and_never_passes_three_seconds() -> None:
    pace = Pace(BAUD)
    pace.delivered(400)
    assert (pace.srtt_ms, pace.rto_ms) == (400, 1_200)
    for _ in range(40):
        pace.delivered(400)
    assert pace.srtt_ms == 400
    assert 400 <= pace.rto_ms < 410
    for _ in range(40):
        pace.delivered(9_000)
    assert pace.rto_ms == 3_000


def test_a_frame_that_was_sent_twice_teaches_no_round_trip() -> None:
    pace = Pace(BAUD)
    pace.delivered(None)
    assert pace.rto_ms == 1_000


def test_frames_shrink_when_one_in_ten_is_lost_and_grow_back_slowly() -> None:
    pace = Pace(BAUD)
    for _ in range(3):
        pace.lost()
    assert pace.payload == 240
    for _ in range(30):
        pace.lost()
    assert pace.payload == 120
    for _ in range(255):
        pace.delivered(20)
    assert pace.payload == 120
    pace.delivered(20)
    assert pace.payload == 240
    for _ in range(256):
        pace.delivered(20)
    assert pace.payload == 488


def test_two_lost_of_every_32_leave_frames_large() -> None:
    pace = Pace(BAUD)
    for _ in range(20):
        pace.lost()
        pace.lost()
        for _ in range(32):
            pace.delivered(20)
    assert pace.payload == 488
