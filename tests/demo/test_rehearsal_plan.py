import pytest

from base.errors import BadData
from demo.plan import MOST_TABLES, new_access, player_list, players_for


@pytest.mark.parametrize("tables", [2, 3, 7, 25, MOST_TABLES])
def test_there_are_players_for_any_number_of_tables_and_no_two_share_a_name(tables: int) -> None:
    count = players_for(tables, "championship-2022")
    assert 5 * tables <= count <= 7 * tables
    rows = player_list(count).decode().splitlines()[1:]
    assert len(rows) == len(set(rows)) == count


def test_a_single_table_is_no_tournament() -> None:
    with pytest.raises(BadData):
        players_for(1, "championship-2022")


def test_every_rehearsal_has_words_of_its_own() -> None:
    assert new_access().password != new_access().password
