import pytest

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
