"""Amounts of money on the glass, as each language writes them."""

import re

import pytest

from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.moments import moments

ENGLISH = re.compile(r"\d,\d{3}")
SHOWN = {"en": "$1,700", "it": "$1.700", "de": "$1.700", "es": "$1.700", "fr": "$1\xa0700"}


@pytest.mark.slow
@pytest.mark.parametrize("language", SHOWN)
def test_a_record_sheet_and_an_auction_write_thousands_as_the_reader_does(language: str) -> None:
    named = {"sheet", "confirmed", "auction-hand", "auction-sheet"}
    seen = [moment for moment in (*moments(7), *auction_moments(7)) if moment.picture in named]
    texts = [
        text for moment in seen for text in laid_out(GLASSES["800x480"], moment, language).visible_text()
    ]
    assert {moment.picture for moment in seen} == named
    assert SHOWN[language] in texts
    assert (language == "en") == any(ENGLISH.search(text) for text in texts)
