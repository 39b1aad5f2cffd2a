"""Options that commands share: where the station's data is, and a file of options."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from base.errors import BadData
from station.cli.main import commands
from station.cli.options import config_option, new_data_option
from station.cli.serve import serve
from station.store.data_folder import DataFolder

BEGIN_ONE = {"serve", "restore", "add", "enrol", "cards", "update", "take"}
ARGUMENTS = {
    "add": ["Roy"], "role": ["Roy", "organiser"], "invite": ["Roy", "--role", "organiser"], "remove": ["Roy"],
    "backup": ["out"], "export": ["open", "out"], "report": ["badges", "out.pdf"],
}  # fmt: skip


def with_data() -> list[tuple[str, ...]]:
    """Return all commands that have a data folder, by name."""
    options: list[tuple[str, ...]] = []
    context = click.Context(commands)
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        assert command is not None
        inside = command.commands if isinstance(command, click.Group) else {}
        options += [
            (name, part) for part, one in inside.items() if any(p.name == "folder" for p in one.params)
        ]
        options += [(name,)] if any(p.name == "folder" for p in command.params) else []
    return options


@pytest.mark.parametrize(
    "words", [words for words in with_data() if words[-1] not in BEGIN_ONE], ids=" ".join
)
def test_reading_never_makes_a_station(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SALOON_STATION_DATA", raising=False)
    Path("file").write_text("x", encoding="utf-8")
    ran = CliRunner().invoke(
        commands, [*words, *ARGUMENTS.get(words[-1], []), "--data", "nothing"], input="a\n"
    )
    assert isinstance(ran.exception, BadData), ran.output
    assert "nothing has no station" in str(ran.exception)
    assert not Path("nothing").exists()


def test_the_commands_that_write_are_these() -> None:
    assert len(with_data()) >= 14
    assert {words[-1] for words in with_data()} >= BEGIN_ONE


@click.command()
@config_option
@new_data_option
@click.option("--http", default="127.0.0.1:8080")
@click.option("--https", is_flag=True)
@click.option("--tls-port", default=7373, type=click.IntRange(0, 65_535))
@click.option("--serial", multiple=True)
def print_options(folder: DataFolder, http: str, https: bool, tls_port: int, serial: tuple[str, ...]) -> None:  # noqa: FBT001
    click.echo(f"{folder.path} {http} {https} {tls_port} {serial}")


FILE = """\
data = "hall"
http = "0.0.0.0:8443"
https = true
tls-port = 7400
serial = ["/dev/ttyUSB0", "/dev/ttyUSB1"]
"""


def run(tmp_path: Path, text: str, *arguments: str, **environment: str) -> str:
    file = tmp_path / "station.toml"
    file.write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(print_options, ["--config", str(file), *arguments], env=environment)
    if ran.exception is not None:
        raise ran.exception
    return ran.output.strip()


def test_a_file_has_the_options_of_the_command(tmp_path: Path) -> None:
    assert run(tmp_path, FILE) == "hall 0.0.0.0:8443 True 7400 ('/dev/ttyUSB0', '/dev/ttyUSB1')"


def test_what_is_typed_comes_first(tmp_path: Path) -> None:
    said = run(tmp_path, FILE, "--http", "127.0.0.1:1", "--data", "mine", "--serial", "/dev/ttyS0")
    assert said == "mine 127.0.0.1:1 True 7400 ('/dev/ttyS0',)"
    assert run(tmp_path, FILE, SALOON_STATION_DATA="elsewhere").startswith("elsewhere ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("http = ", "this is not TOML"),
        ('data = "x"\nhttps = "yes"', r"line 2, https: found 'yes'; expected true or false"),
        ('htp = "x"', "line 1, htp: unknown option; allowed: data, database, http"),
        ("tls-port = 70000", "line 1, tls-port: 70000 is not in the range"),
        ('serial = "x"', "expected a list of a text"),
        ("http = 5", "expected a text"),
        ("tls-port = true", "expected a number"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadData, match=problem):
        run(tmp_path, text)


def test_serve_reads_such_a_file(tmp_path: Path) -> None:
    file = tmp_path / "station.toml"
    file.write_text('http = "nowhere"\n', encoding="utf-8")
    ran = CliRunner().invoke(serve, ["--config", str(file), "--data", str(tmp_path / "data")])
    assert isinstance(ran.exception, BadData)
    assert "--http" in str(ran.exception)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    ran = CliRunner().invoke(commands, ["completion", shell])
    assert "_SALOON_STATION_COMPLETE" in ran.output
    environment = {
        "_SALOON_STATION_COMPLETE": "bash_complete",
        "COMP_WORDS": "saloon-station ju",
        "COMP_CWORD": "1",
    }
    ran = CliRunner().invoke(commands, prog_name="saloon-station", env=environment)
    assert "plain,judge" in ran.output
