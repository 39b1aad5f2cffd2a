"""The suspects reported to the judge, once each time they change."""

from sync.bus.events import PairJammed, PairQuiet
from sync.bus.frame import MOST_TERMINALS
from sync.bus.interference import Suspects

A, B, C = b"a", b"b", b"c"


def test_suspects_are_told_when_they_change_and_when_all_is_well() -> None:
    suspects = Suspects(lambda _: False)
    assert suspects.noisy((A, B)) == PairJammed((A, B))
    assert suspects.noisy((A, B)) is None
    assert suspects.noisy((B, A)) == PairJammed((B, A))
    assert suspects.quiet() == PairQuiet()
    assert suspects.quiet() is None


def test_who_was_lost_stays_a_suspect_until_it_is_heard() -> None:
    here: set[bytes] = set()
    suspects = Suspects(here.__contains__)
    suspects.suspect(C)
    assert suspects.noisy((A,)) == PairJammed((A, C))
    here.add(C)
    assert suspects.noisy((A,)) == PairJammed((A,))


def test_no_more_are_told_than_a_pair_has() -> None:
    suspects = Suspects(lambda _: False)
    for number in range(MOST_TERMINALS + 9):
        suspects.suspect(bytes([number]))
    report = suspects.noisy(())
    assert report is not None
    assert len(report.suspects) == MOST_TERMINALS
