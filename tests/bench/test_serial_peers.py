"""A peer that carries nothing is an error with its own words, never a rate of zero."""

import pytest

from bench.figure import Effort
from bench.serial.cuts import after_cuts
from bench.serial.line import peer_share
from bench.serial.peers import Peer

REFUSES = Peer(
    "a peer that refuses",
    ("sh", "-c", "sleep 0.1; echo Failure; exit 2"),
    ("sh", "-c", "echo Its banner; echo; echo Refused by user; echo; exit 4"),
)


@pytest.mark.bench
def test_a_peer_that_refuses_a_file_is_an_error_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match="nothing arrived; Refused by user"):
        peer_share(REFUSES, 0.0, Effort(0.01))
    with pytest.raises(RuntimeError, match="nothing arrived; Refused by user"):
        after_cuts(REFUSES, Effort(0.01))
