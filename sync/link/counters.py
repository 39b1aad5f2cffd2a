"""Statistics of a link, as shown by ``doctor``."""

import msgspec


class Tally(msgspec.Struct):
    """The counts of a port, which continue across resets of its links."""

    frames_sent: int = 0
    frames_sent_again: int = 0
    bytes_sent: int = 0
    bytes_sent_again: int = 0
    frames_received: int = 0
    frames_invalid: int = 0
    noise_bytes: int = 0
    line_bytes_received: int = 0
    bytes_delivered: int = 0
    resets: int = 0
    echoes: int = 0


class Counters(msgspec.Struct, frozen=True):
    """A snapshot of a link's counters. Bytes without *line* in their name are the stream's, unframed.

    is_up: the other end answers.
    frames_sent: data frames, including repeats.
    frames_received: frames of every kind.
    frames_invalid, noise_bytes: pieces that weren't valid frames, and their bytes.
    line_bytes_received: everything received. None at all means that nobody is there, and many without a valid
        frame mean that the speed is wrong.
    resets: how often the other end restarted or was given up.
    payload: current size of new frames in bytes.
    """

    is_up: bool
    frames_sent: int
    frames_sent_again: int
    bytes_sent: int
    bytes_sent_again: int
    frames_received: int
    frames_invalid: int
    noise_bytes: int
    line_bytes_received: int
    bytes_delivered: int
    resets: int
    payload: int
    srtt_ms: int
    rto_ms: int
    echoes: int = 0


def counters_from(tally: Tally, *, is_up: bool, payload: int, srtt_ms: int, rto_ms: int) -> Counters:
    """Combine the counts with the link's current state."""
    counts = msgspec.structs.asdict(tally)
    return Counters(is_up=is_up, payload=payload, srtt_ms=srtt_ms, rto_ms=rto_ms, **counts)
