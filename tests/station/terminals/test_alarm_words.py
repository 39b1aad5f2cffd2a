"""Alarms, noticed in plain English, are read in the language of the page."""

import pytest

from core.terms import RoundNo, TableNo
from station.hall.alarms import problem_at
from station.store.changed_entries import FLIPPED
from station.store.game_index import RUN_CHANGED
from station.store.streams import BROKEN_CHAIN, OTHER_CONTENT
from station.terminals.text import alarm_words
from station.text.i18n import Words
from sync.station.entry_quota import TOO_MUCH

ITALIAN = Words("it").gettext


@pytest.mark.parametrize(
    "noticed",
    [
        OTHER_CONTENT,
        BROKEN_CHAIN,
        FLIPPED,
        RUN_CHANGED,
        f"{TOO_MUCH} (entry 70000)",
        f"{OTHER_CONTENT} (entry 12)",
        "no room for terminal ab12: 32 are already on the shared cable",
        "ab12: probably jamming the shared cable: unplug it",
        problem_at(RoundNo(1), TableNo(2)),
        "sent data without being polled; ignored for 60 s",
    ],
)
def test_a_known_alarm_is_said_in_italian(noticed: str) -> None:
    said = alarm_words(noticed, ITALIAN)
    assert said != noticed
    assert "{" not in said


def test_what_an_alarm_names_is_kept() -> None:
    said = alarm_words(f"{OTHER_CONTENT} (entry 12)", ITALIAN)
    assert "12" in said
    assert "ab12" in alarm_words("no room for terminal ab12: 32 are already on the shared cable", ITALIAN)


@pytest.mark.parametrize("noticed", ["", "step 4: {nobody} knows: this", "the other end said: (entry x)"])
def test_an_alarm_that_is_not_known_stays_as_it_was_noticed(noticed: str) -> None:
    assert alarm_words(noticed, ITALIAN) == noticed


def test_in_english_an_alarm_stays_as_it_was_noticed() -> None:
    noticed = f"{OTHER_CONTENT} (entry 12)"
    assert alarm_words(noticed, Words("en").gettext) == noticed
