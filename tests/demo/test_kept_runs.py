"""A folder keeps one run, which is never mixed with another or replaced."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from demo import main as demo_program
from demo.main import main
from demo.rehearsal import program
from demo.rehearsal.program import folder_for_run


@pytest.fixture(autouse=True)
def _starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise click.ClickException("started")

    monkeypatch.setattr(demo_program, "running_hall", start)
    monkeypatch.setattr(program, "_rehearse", start)


@pytest.mark.parametrize("options", [("--keep",), ("rehearsal", "--directory")])
@pytest.mark.parametrize("left", ["logs", "export.jsonl"])
def test_the_folder_of_an_earlier_run_is_refused(tmp_path: Path, options: tuple[str, ...], left: str) -> None:
    earlier = tmp_path / left
    earlier.write_text("earlier")
    refused = CliRunner().invoke(main, [*options, str(tmp_path)])
    assert refused.exit_code == 2
    assert "an earlier run is kept in this folder" in refused.output
    assert earlier.read_text() == "earlier"


@pytest.mark.parametrize("options", [("--keep",), ("rehearsal", "--directory")])
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


@pytest.mark.parametrize("options", [("--keep",), ("rehearsal", "--directory")])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "file").touch()
    refused = CliRunner().invoke(main, [*options, str(tmp_path / "file" / "folder")])
    assert refused.exit_code == 2
    assert "Not a directory" in refused.output


def test_a_folder_is_no_list_of_players(tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, ["--players", str(tmp_path)])
    assert refused.exit_code == 2
    assert "is a directory" in refused.output


@pytest.mark.parametrize("speed", ["0", "-1", "20000"])
def test_a_speed_that_nobody_can_play_at_is_refused_before_the_start(speed: str) -> None:
    refused = CliRunner().invoke(main, ["--speed", speed])
    assert refused.exit_code == 2
    assert "--speed" in refused.output
