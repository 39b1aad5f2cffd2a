"""The plan of a demonstration, with as many tables as requested."""

import pytest

from base.errors import BadData
from core.editions.loader import edition
from core.tournament.draw.rounds import table_sizes
from demo.plan import MOST_TABLES, plan, plan_for_tables, player_list, players_for, random_login


@pytest.mark.parametrize("tables", [2, 3, 6, 11])
def test_a_hall_has_as_many_tables_as_were_asked_for_and_no_player_too_many(tables: int) -> None:
    planned = plan_for_tables("championship-2022", (), tables)
    rules = edition("championship-2022")
    assert len(table_sizes(planned.count, rules)) == tables
    assert len(table_sizes(max(10, planned.count - 1), rules)) <= tables
    lines = planned.player_list().decode().splitlines()
    assert len(lines) == planned.count + 1
    assert len(set(lines)) == len(lines)


def test_groups_of_the_2003_system_have_a_table_each() -> None:
    assert plan_for_tables("official-2003", ("rebel",), 1).count >= 4
    assert plan_for_tables("official-2003", (), 2).count == 9
    with pytest.raises(BadData, match="1 tables; try 2"):
        plan_for_tables("championship-2022", (), 1)


def test_a_count_that_fits_the_tables_is_kept_and_any_other_is_refused() -> None:
    assert plan_for_tables("championship-2022", (), 2, count=14).count == 14
    with pytest.raises(BadData, match="14 sits at 2 tables: give --virtual 2"):
        plan_for_tables("championship-2022", (), 3, count=14)
    with pytest.raises(BadData, match="3 cannot be seated"):
        plan_for_tables("championship-2022", (), 2, count=3)


def test_a_short_list_is_played_as_it_is() -> None:
    planned = plan("championship-2022", (), None, 12)
    assert len(planned.player_list().decode().splitlines()) == 13


def test_an_unknown_edition_or_option_is_refused_before_anything_starts() -> None:
    with pytest.raises(BadData, match=r"no edition 'championship-1999'; allowed: .*championship-2022"):
        plan("championship-1999", (), None, None)
    with pytest.raises(BadData, match="rebel is not offered"):
        plan("championship-2010", ("rebel",), None, None)


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
    assert random_login() != random_login()
