import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from station.appliance.stick import Copy, copies_of, deletable_copies, next_copy, stale_copies

MARK = "1a2b3c4d"
NOON = dt.datetime(2026, 11, 21, 12, 0, 0)  # noqa: DTZ001 (the hall's)


def copies(*numbers: int, mark: str = MARK) -> tuple[Copy, ...]:
    return tuple(Copy(mark, number, NOON) for number in numbers)


def test_a_name_says_of_which_station_which_number_and_when() -> None:
    (copy,) = copies(42)
    assert copy.name == "saloon-1a2b3c4d-000042-20261121-120000.backup"
    assert copies_of([copy.name, "holiday.jpg", "saloon-x.backup", f"{copy.name}.tmp"]) == (copy,)


def test_a_name_with_an_impossible_time_is_no_copy() -> None:
    assert copies_of(["saloon-1a2b3c4d-000042-20261321-120000.backup"]) == ()


def test_the_next_one_counts_on_whatever_the_clock_says() -> None:
    earlier = NOON - dt.timedelta(days=900)
    assert next_copy((*copies(7), *copies(9, mark="ffffffff")), MARK, earlier) == Copy(MARK, 8, earlier)
    assert next_copy((), MARK, NOON).number == 1


def test_of_a_day_stay_the_newest_and_one_of_six() -> None:
    gone = {copy.number for copy in stale_copies(copies(*range(1, 145)), MARK)}
    stay = [number for number in range(1, 145) if number not in gone]
    assert stay == [*range(6, 133, 6), *range(133, 145)]


def test_copies_of_another_station_stay() -> None:
    others = copies(*range(1, 500), mark="ffffffff")
    assert stale_copies(others, MARK) == ()
    assert deletable_copies(others, MARK, 0) == ()


@given(st.integers(0, 4000))
def test_written_one_by_one_there_are_never_many_and_always_the_newest(count: int) -> None:
    kept: tuple[Copy, ...] = ()
    for _ in range(count % 400):
        copy = next_copy(kept, MARK, NOON)
        kept = (*kept, copy)
        gone = stale_copies(kept, MARK)
        kept = tuple(copy for copy in kept if copy not in gone)
    assert len(kept) <= 12 + 22 + 30 + 1
    newest = [copy.number for copy in kept][-12:]
    assert newest == list(range(max(1, count % 400 - 11), count % 400 + 1))


def test_the_oldest_makes_room_first_and_the_newest_never() -> None:
    assert [copy.number for copy in deletable_copies(copies(3, 1, 2, 5, 4), MARK, 3)] == [1, 2]
