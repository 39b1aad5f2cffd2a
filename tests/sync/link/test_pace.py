import pytest

from sync.link.pace import Pace

BAUD = 115_200


def test_the_first_timer_is_three_of_the_shortest_and_frames_are_large() -> None:
    pace = Pace(BAUD)
    assert pace.rto_ms == 3 * 128
    assert pace.payload == 488


@pytest.mark.parametrize(("baud", "least_ms"), [(115_200, 128), (57_600, 216), (9_600, 1_088)])
def test_no_timer_is_shorter_than_two_frames_and_the_adapters_patience(baud: int, least_ms: int) -> None:
    pace = Pace(baud)
    for _ in range(50):
        pace.on_delivery(1)
    assert pace.rto_ms == least_ms


def test_the_timer_follows_round_trips_and_never_passes_three_seconds() -> None:
    pace = Pace(BAUD)
    pace.on_delivery(400)
    assert (pace.srtt_ms, pace.rto_ms) == (400, 1_200)
    for _ in range(40):
        pace.on_delivery(400)
    assert pace.srtt_ms == 400
    assert 400 <= pace.rto_ms < 410
    for _ in range(40):
        pace.on_delivery(9_000)
    assert pace.rto_ms == 3_000


def test_a_frame_that_was_sent_twice_teaches_no_round_trip() -> None:
    pace = Pace(BAUD)
    pace.on_delivery(None)
    assert pace.rto_ms == 3 * 128


def many(pace: Pace, frames: int, every: int) -> None:
    """Record frames, of which every ``every``-th one is lost first."""
    for i in range(1, frames + 1):
        if i % every == 0:
            pace.on_loss(i * 10)
        pace.on_delivery(20)


def test_frames_shrink_when_one_in_ten_is_lost_and_grow_back_slowly() -> None:
    pace = Pace(BAUD)
    many(pace, 50, 10)
    assert pace.payload == 240
    many(pace, 50, 10)
    assert pace.payload == 120
    many(pace, 254, 1_000)
    assert pace.payload == 120
    many(pace, 2, 1_000)
    assert pace.payload == 240
    many(pace, 256, 1_000)
    assert pace.payload == 488


def test_frames_shrink_within_ten_when_a_third_is_lost() -> None:
    pace = Pace(BAUD)
    many(pace, 10, 3)
    assert pace.payload == 240


def test_one_lost_in_thirty_leaves_frames_large() -> None:
    pace = Pace(BAUD)
    many(pace, 2_000, 30)
    assert pace.payload == 488


def test_frames_do_not_grow_while_two_in_a_hundred_are_lost() -> None:
    pace = Pace(BAUD)
    many(pace, 50, 10)
    many(pace, 2_000, 50)
    assert pace.payload == 240


def test_a_burst_that_hits_many_in_a_row_is_one_error() -> None:
    pace = Pace(BAUD)
    for number in range(20):
        pace.on_loss(number)
    assert pace.payload == 488


def test_a_timer_that_ended_doubles_once_in_its_time_and_falls_back_with_the_next_measure() -> None:
    pace = Pace(BAUD)
    pace.on_delivery(1)
    for now_ms, rto_ms in (
        (1_000, 256),
        (1_001, 256),
        (1_255, 256),
        (1_256, 512),
        (1_768, 1_024),
        (9_999, 1_024),
    ):
        pace.on_timeout(now_ms)
        assert pace.rto_ms == rto_ms
    pace.on_delivery(None)
    assert pace.rto_ms == 1_024
    pace.on_delivery(1)
    assert pace.rto_ms == 128


def test_long_round_trips_mean_that_the_line_is_behind() -> None:
    pace = Pace(BAUD)
    assert not pace.is_behind
    for round_trip_ms, is_behind in ((100, False), (400, True), (100, False)):
        for _ in range(30):
            pace.on_delivery(round_trip_ms)
        assert pace.is_behind == is_behind
