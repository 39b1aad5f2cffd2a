"""The plan of a demonstration with as many tables as requested, and its folder, which keeps one run."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from base.errors import BadData
from core.editions.loader import edition
from core.tournament.draw.rounds import table_sizes
from demo import demonstration
from demo.main import main
from demo.plan import MOST_TABLES, plan, plan_for_tables, player_list, players_for, random_login
from demo.rehearsal import program
from demo.rehearsal.program import folder_for_run


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
    with pytest.raises(BadData):
        players_for(1, "championship-2022")


def test_a_count_that_fits_the_tables_is_kept_and_any_other_is_refused() -> None:
    assert plan_for_tables("championship-2022", (), 2, count=14).count == 14
    assert len(plan("championship-2022", (), None, 12).player_list().decode().splitlines()) == 13
    with pytest.raises(BadData, match="14 sits at 2 tables: give --virtual 2"):
        plan_for_tables("championship-2022", (), 3, count=14)
    with pytest.raises(BadData, match="3 cannot be seated"):
        plan_for_tables("championship-2022", (), 2, count=3)


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


def test_every_rehearsal_has_words_of_its_own() -> None:
    assert random_login() != random_login()


@pytest.fixture(autouse=True)
def _starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise click.ClickException("started")

    monkeypatch.setattr(demonstration, "running_hall", start)
    monkeypatch.setattr(program, "_rehearse", start)


kept_by = pytest.mark.parametrize("options", [("--keep",), ("rehearsal", "--directory")])


def refusal(*arguments: str) -> str:
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code == 2
    return refused.output


@kept_by
@pytest.mark.parametrize("left", ["logs", "export.jsonl"])
def test_the_folder_of_an_earlier_run_is_refused(tmp_path: Path, options: tuple[str, ...], left: str) -> None:
    earlier = tmp_path / left
    earlier.write_text("earlier")
    assert "an earlier run is kept in this folder" in refusal(*options, str(tmp_path))
    assert earlier.read_text() == "earlier"


@kept_by
def test_a_new_folder_is_made_and_one_with_other_files_is_used(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "log").touch()
    for folder in (tmp_path, tmp_path / "a" / "new"):
        assert "started" in CliRunner().invoke(main, [*options, str(folder)]).output
        assert folder.is_dir()


def test_a_run_that_is_not_kept_leaves_nothing() -> None:
    with folder_for_run(None, "saloon-demo-") as folder:
        (folder / "logs").mkdir()
        assert folder.name.startswith("saloon-demo-")
    assert not folder.exists()


@kept_by
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "file").touch()
    assert "Not a directory" in refusal(*options, str(tmp_path / "file" / "folder"))


def test_a_folder_is_no_list_of_players(tmp_path: Path) -> None:
    assert "is a directory" in refusal("--players", str(tmp_path))


@pytest.mark.parametrize("speed", ["0", "-1", "20000"])
def test_a_speed_that_nobody_can_play_at_is_refused_before_the_start(speed: str) -> None:
    assert "--speed" in refusal("--speed", speed)
