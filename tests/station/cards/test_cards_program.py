"""``saloon-station cards``: images and cards of many tables from the command line."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.terms import TableNo
from station.cli.main import commands
from sync.enrolment.provisioning import Provisioning, StationPart, provisioning_of, provisioning_text
from sync.tls.certificates import generate_certificate
from tests.station.browser import shows
from tests.station.card_rig import image_file, is_sound, read_back


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image_file(tmp_path_factory.mktemp("image") / "saloon-terminal-arm64.img")


def run(*options: object, typed: str = "") -> Result:
    return CliRunner().invoke(commands, ["cards", *map(str, options)], input=typed)


def said(card: Path) -> Provisioning:
    return provisioning_of(read_back(card).decode(), str(card))


def made(*options: object, typed: str = "") -> str:
    """Run the program, which succeeds, and return what it says."""
    result = run(*options, typed=typed)
    assert result.exit_code == 0, result.output
    return result.output


def made_zip(path: Path, *tables: int) -> Path:
    station = StationPart(generate_certificate("station")[1], ("192.0.2.1:7373",))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README.txt", "hello")
        for table in tables:
            text = provisioning_text(station, TableNo(table), f"token {table}")
            archive.writestr(f"table-{table:02}/saloon.toml", text)
    return path


@pytest.mark.slow
def test_an_image_is_made_for_each_table_and_spare(image: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    data = tmp_path / "data"
    options = ("--data", data, "--image", image, "--address", "10.0.0.5:7373")
    made(*options, "--tables", "1, 3", "--spares", "1", "--out", out)
    names = ["spare-1", "table-01", "table-03"]
    assert sorted(path.name for path in out.iterdir()) == [f"{image.stem}-{name}.img" for name in names]
    cards = [said(out / f"{image.stem}-{name}.img") for name in names]
    assert [card.terminal.table for card in cards] == [None, 1, 3]
    assert len({card.terminal.token for card in cards}) == 3
    assert {card.station.addresses for card in cards} == {("10.0.0.5:7373",)}
    assert is_sound(out / f"{image.stem}-table-01.img")


@pytest.mark.slow
def test_files_that_were_not_used_are_replaced_only_after_a_question(image: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ("--data", tmp_path / "data", "--image", image, "--address", "10.0.0.5:7373", "--out", out)
    made(*options, "--tables", "1-2")
    first = said(out / f"{image.stem}-table-02.img")
    result = run(*options, "--tables", "2-3", typed="n\n")
    assert result.exit_code == 1
    assert "Files that were not used yet, for 2, will no longer work." in result.output
    assert said(out / f"{image.stem}-table-02.img") == first
    declined = run(*options, "--tables", "2-3", typed="y\nn\n")
    assert f"will be lost: {image.stem}-table-02.img. Overwrite them?" in declined.output
    assert said(out / f"{image.stem}-table-02.img") == first
    made(*options, "--tables", "2-3", typed="y\ny\n")
    assert said(out / f"{image.stem}-table-02.img").terminal.token != first.terminal.token


def test_one_card_is_written_from_the_zip_of_the_page(image: Path, tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.write_bytes(b"what was there")
    files = made_zip(tmp_path / "a.zip", 7)
    options = ("--data", tmp_path / "none", "--image", image, "--files", files, "--into", card)
    assert run(*options, typed="n\n").exit_code == 1
    assert card.read_bytes() == b"what was there"
    shows(made(*options, typed="y\n"), f"Everything on {card} will be lost", "Written and compared: 1.")
    assert said(card).terminal.token == "token 7"
    assert not (tmp_path / "none").exists()


def test_of_a_zip_only_the_tables_that_are_named_are_written(image: Path, tmp_path: Path) -> None:
    options = ("--data", tmp_path, "--image", image, "--files", made_zip(tmp_path / "a.zip", 1, 2, 3))
    made(*options, "--tables", "2-3", "--out", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"{image.stem}-table-02.img", f"{image.stem}-table-03.img"]


def test_whoever_stops_is_told_what_is_left(image: Path, tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.touch()
    options = ("--data", tmp_path, "--image", image, "--files", made_zip(tmp_path / "a.zip", 1, 2, 3))
    result = run(*options, "--into", card, typed="y\n\n")
    assert result.exit_code == 1
    shows(result.output, "table-01: done", "Not written: table-02, table-03.")


class Hands(io.BytesIO):
    """A person at the keyboard who does something before typing each line."""

    def __init__(self, *done: Callable[[], object]) -> None:
        super().__init__()
        self._done = list(done)

    def read1(self, _size: int | None = -1, /) -> bytes:
        if not self._done:
            return b""
        self._done.pop(0)()
        return b"y\n"


@pytest.mark.slow
def test_cards_are_changed_round_by_round_and_a_failed_one_comes_again(image: Path, tmp_path: Path) -> None:
    readers = [tmp_path / "reader1", tmp_path / "reader2"]
    box = tmp_path / "box"
    box.mkdir()
    for reader in readers:
        reader.touch()

    def break_second() -> None:
        readers[1].unlink()
        readers[1].mkdir()

    def change() -> None:
        readers[0].rename(box / "first")
        readers[1].rmdir()

    def change_again() -> None:
        for reader in readers:
            reader.rename(box / f"second-{reader.name}")

    files = made_zip(tmp_path / "a.zip", 1, 2, 3, 4)
    hands = Hands(str, str, break_second, change, change_again)
    options = ["cards", "--image", image, "--files", files, "--into", readers[0], "--into", readers[1]]
    result = CliRunner().invoke(commands, [str(option) for option in options], input=hands)
    assert result.exit_code == 0, result.output
    both = f"Cards for table-01 into {readers[0]}, table-02 into {readers[1]}; then press Enter"
    again = f"Cards for table-02 into {readers[0]}"
    shows(result.output, both, "table-02: ", "no disk and no file", again)
    cards = [box / "first", box / "second-reader1", box / "second-reader2", readers[0]]
    assert [said(card).terminal.table for card in cards] == [1, 3, 4, 2]


@pytest.mark.slow
def test_several_readers_are_written_at_the_same_time(image: Path, tmp_path: Path) -> None:
    cards = [tmp_path / f"card{number}" for number in range(3)]
    into = [option for card in cards for option in ("--into", card)]
    made("--image", image, "--files", made_zip(tmp_path / "a.zip", 1, 2, 3), *into, "--yes")
    assert [said(card).terminal.table for card in cards] == [1, 2, 3]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--tables", "1"), "name --tables or --files, and --out or --into"),
        (("--out", "x"), "name --tables or --files"),
        (("--tables", "9", "--files", "{two}", "--out", "x"), "there is no file for table-09"),
        (("--files", "{image}", "--out", "x"), "no ZIP of the station's page"),
        (("--files", "{empty}", "--out", "x"), "no folder with a file saloon.toml"),
        (("--files", "{wrong}", "--out", "x"), "line 1: rotation = 45"),
        (("--files", "{two}", "--into", "card", "--yes"), "more cards than readers"),
        (("--tables", "0", "--out", "x"), "isn't a list of tables"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("wrong.zip", "w") as archive:
        archive.writestr("table-01/saloon.toml", "rotation = 45\n")
    made_zip(tmp_path / "empty.zip")
    made_zip(tmp_path / "two.zip", 1, 2)
    files = {"image": image, "empty": "empty.zip", "wrong": "wrong.zip", "two": "two.zip"}
    result = run("--image", image, *(option.format(**files) for option in options))
    assert result.exit_code != 0
    assert words in result.output + str(result.exception)
    assert not {"x", "card"} & {path.name for path in tmp_path.iterdir()}
