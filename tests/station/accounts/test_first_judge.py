"""The code that opens the first judge's account, and nothing after it."""

import pytest

from base.errors import BadData, Refused
from station.accounts.invitations import FirstJudge, FirstJudgeRefusal
from station.accounts.judges import Judges
from tests.station.conftest import Station

PASSWORD = "tumbleweed in the wind"


@pytest.fixture
def judges(station: Station) -> Judges:
    return Judges(station.database, station.clock.wall_ms)


def test_whoever_reads_the_code_opens_the_first_account_and_it_is_worth_nothing_then(judges: Judges) -> None:
    first = FirstJudge(judges)
    code = first.code()
    assert first.open(code.lower().replace("-", " "), "Ada", PASSWORD).name == "Ada"
    assert judges.check("Ada", PASSWORD) is not None
    assert first.code() == ""
    with pytest.raises(Refused) as caught:
        first.open(code, "Mallory", PASSWORD)
    assert caught.value.reason is FirstJudgeRefusal.TAKEN
    assert [judge.name for judge in judges.all()] == ["Ada"]


def test_a_short_password_does_not_use_the_code_up(judges: Judges) -> None:
    first = FirstJudge(judges)
    with pytest.raises(BadData):
        first.open(first.code(), "Ada", "short")
    first.check(first.code())
    assert first.open(first.code(), "Ada", PASSWORD).name == "Ada"


def test_however_many_wrong_codes_a_stranger_types_the_organisers_opens(judges: Judges) -> None:
    first = FirstJudge(judges)
    code = first.code()
    for typed in ("11111-11111", "", "x", "22222 22222", "é" * 10) * 20:
        with pytest.raises(Refused) as caught:
            first.check(typed)
        assert caught.value.reason is FirstJudgeRefusal.WRONG_CODE
    assert first.code() == code
    assert first.open(code, "Ada", PASSWORD).name == "Ada"


def test_a_station_with_judges_has_no_code(judges: Judges) -> None:
    judges.add("Ada", PASSWORD)
    assert FirstJudge(judges).code() == ""
