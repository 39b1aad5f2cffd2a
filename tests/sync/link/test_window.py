import pytest

from sync.link.pace import Pace
from sync.link.window import NUMBERS, WINDOW, ReceiveWindow, SendWindow, ranges_of


def filled(count: int) -> SendWindow:
    window = SendWindow()
    for i in range(count):
        window.add(bytes([i]), i)
    return window


def test_an_ack_takes_away_all_before_it_and_ranges_mark_the_rest() -> None:
    window = filled(6)
    gone = window.acknowledge(2, ((4, 1),))
    assert [sent.number for sent in gone] == [0, 1]
    assert [sent.number for sent in window if sent.sacked] == [4]


@pytest.mark.parametrize("ack", [7, 40, NUMBERS - 1])
def test_an_ack_for_what_was_never_sent_takes_nothing(ack: int) -> None:
    window = filled(6)
    assert window.acknowledge(ack, ((0, 6),)) == ()
    assert len(window) == 6
    assert not any(sent.sacked for sent in window)


@pytest.mark.slow
def test_numbers_go_round_after_65536_frames() -> None:
    sender, receiver = SendWindow(), ReceiveWindow()
    for i in range(NUMBERS + 10):
        sent = sender.add(i.to_bytes(3), i)
        assert receiver.receive(sent.number, sent.payload) == i.to_bytes(3)
        assert len(sender.acknowledge(receiver.expected, ())) == 1
    assert receiver.expected == 10


def test_early_frames_wait_and_doubled_or_late_ones_are_dropped() -> None:
    window = ReceiveWindow()
    assert window.receive(2, b"c") == b""
    assert window.receive(1, b"b") == b""
    assert window.receive(1, b"b") == b""
    assert ranges_of(window.ranges()) == ((1, 2),)
    assert window.receive(0, b"a") == b"abc"
    assert window.receive(0, b"a") == b""
    assert window.ranges() == b""


def test_frames_beyond_the_window_are_not_kept() -> None:
    window = ReceiveWindow()
    assert window.receive(WINDOW, b"far") == b""
    assert window.ranges() == b""


def test_what_left_before_a_frame_that_arrived_is_lost_and_what_left_later_is_not() -> None:
    window = filled(6)
    window.acknowledge(1, ((3, 1),))
    window.find_lost()
    assert [sent.number for sent in window if sent.is_lost] == [1, 2]


def test_a_frame_sent_twice_proves_nothing_about_others() -> None:
    window = filled(3)
    for sent in window:
        if sent.number == 2:
            sent.times = 2
    window.acknowledge(0, ((2, 1),))
    window.find_lost()
    assert not any(sent.is_lost for sent in window)


def test_noise_is_believed_only_of_a_frame_that_is_on_the_line() -> None:
    window = filled(3)
    window.broken(2, now_ms=1)
    window.broken(77, now_ms=9)
    SendWindow().broken(0, now_ms=9)
    assert not any(sent.is_lost for sent in window)
    window.broken(2, now_ms=2)
    assert [sent.number for sent in window if sent.is_lost] == [2]


def test_what_comes_next_lies_behind_the_newest() -> None:
    window = ReceiveWindow()
    assert window.behind_newest() == 0
    window.receive(3, b"d")
    assert window.behind_newest() == 4
    window.expected = NUMBERS - 1
    window.receive(NUMBERS - 1, b"")
    assert window.behind_newest() == 4


def test_an_ack_names_at_most_twelve_ranges_and_a_broken_tail_is_ignored() -> None:
    window = ReceiveWindow()
    for number in range(1, WINDOW, 2):
        window.receive(number, b"x")
    assert len(ranges_of(window.ranges())) == 12
    assert ranges_of(window.ranges()[:-1]) == ranges_of(window.ranges())[:-1]


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


@pytest.mark.parametrize(
    "stretches",
    [
        pytest.param(
            [(50, 10, 240), (50, 10, 120), (254, 1_000, 120), (2, 1_000, 240), (256, 1_000, 488)],
            id="one in ten is lost: they shrink, and grow back slowly",
        ),
        pytest.param([(10, 3, 240)], id="a third is lost: they shrink within ten"),
        pytest.param([(2_000, 30, 488)], id="one in thirty is lost: they stay large"),
        pytest.param([(50, 10, 240), (2_000, 50, 240)], id="two in a hundred are lost: they do not grow"),
    ],
)
def test_frames_are_as_large_as_the_losses_allow(stretches: list[tuple[int, int, int]]) -> None:
    pace = Pace(BAUD)
    for frames, every, payload in stretches:
        for i in range(1, frames + 1):
            if i % every == 0:
                pace.on_loss(i * 10)
            pace.on_delivery(20)
        assert pace.payload == payload


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
