"""The connections of terminals, as shown by one of several stations."""

import pytest

from station.cluster import ConnectedTerminal, OtherStations
from station.enrolment.enrolments import EnrolledTerminal
from station.hall.links import Links
from station.projections.cards import TerminalCard, TerminalLink
from sync.protocol.entry import TerminalId

TERMINAL = TerminalId("aa")
KNOWN = EnrolledTerminal(TERMINAL, None, "certificate", 0, revoked=False)
ALONE = OtherStations()
EMPTY = OtherStations(names=("Hall B",))


class Clock:
    def __init__(self) -> None:
        self.now_ms = 100_000

    def monotonic_ms(self) -> int:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def links(clock: Clock) -> Links:
    return Links(clock.monotonic_ms)


def at_hall_b(heard_ago_ms: int, owes: int | None = 0, alarm: str = "") -> OtherStations:
    line = ConnectedTerminal(TERMINAL, "serial", heard_ago_ms, owes, alarm, "Hall B")
    return OtherStations(names=("Hall B",), lines=(line,))


def fields_of(card: TerminalCard) -> tuple[TerminalLink, float | None, int | None, str]:
    return card.link, card.last_word_s, card.owes, card.station


def test_a_station_alone_names_no_station(links: Links) -> None:
    links.on_change(TERMINAL, "tcp")
    links.on_message(TERMINAL, 0)
    assert links.set_others("Hall A", ALONE) == ()
    assert fields_of(links.card(KNOWN)) == (TerminalLink.TCP, 0.0, 0, "")


def test_a_terminal_elsewhere_is_shown_with_its_station_and_its_age(links: Links, clock: Clock) -> None:
    assert links.set_others("Hall A", at_hall_b(2_000, owes=3, alarm="forked")) == (TERMINAL,)
    clock.now_ms += 1_000
    card = links.card(KNOWN)
    assert fields_of(card) == (TerminalLink.SERIAL, 3.0, 3, "Hall B")
    assert card.alarm == "forked"
    assert not links.is_caught_up(TERMINAL)
    assert links.set_others("Hall A", at_hall_b(0)) == (TERMINAL,)
    assert links.is_caught_up(TERMINAL)


def test_of_two_lines_the_one_that_heard_last_counts(links: Links, clock: Clock) -> None:
    links.on_change(TERMINAL, "tcp")
    links.on_message(TERMINAL, 0)
    clock.now_ms += 9_000
    # The line here is half dead; the terminal has long been over there.
    links.set_others("Hall A", at_hall_b(1_000))
    assert links.card(KNOWN).station == "Hall B"
    links.on_message(TERMINAL, 0)
    assert links.card(KNOWN).station == "Hall A"


def test_what_a_terminal_owed_at_a_station_that_is_gone_is_remembered(links: Links, clock: Clock) -> None:
    links.on_change(TERMINAL, "tcp")
    links.on_message(TERMINAL, 0)
    links.on_change(TERMINAL, None)
    links.set_others("Hall A", at_hall_b(0, owes=5))
    clock.now_ms += 4_000
    assert links.set_others("Hall A", EMPTY) == (TERMINAL,)
    assert fields_of(links.card(KNOWN)) == (TerminalLink.AWAY, 4.0, 5, "")


def test_only_lines_of_this_station_are_told_to_the_others(links: Links, clock: Clock) -> None:
    other = TerminalId("bb")
    links.on_change(other, "tcp")
    links.on_message(other, 2)
    links.set_others("Hall A", at_hall_b(0))
    clock.now_ms += 1_500
    assert links.connected_terminals() == (ConnectedTerminal(other, "tcp", 1_500, 2),)
    links.on_change(other, None)
    assert links.connected_terminals() == ()


def test_whoever_watches_is_told_of_every_change_and_of_no_beat(links: Links) -> None:
    calls: list[int] = []
    links.watch(lambda: calls.append(1))
    links.on_change(TERMINAL, "tcp")
    links.on_message(TERMINAL, 4)
    links.on_message(TERMINAL, 4)
    links.on_message(TERMINAL, 0)
    links.alarm(TERMINAL, "forked")
    assert len(calls) == 4
