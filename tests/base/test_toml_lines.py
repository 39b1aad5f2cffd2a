"""The line that an error of a TOML file names: right in every way of writing the same thing."""

import enum
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from base.toml_lines import Key, ValueFault, explain, line_of, load_toml, nearest_line, positions

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(path for folder in ("core", "hardware", "kiosk") for path in (ROOT / folder).rglob("*.toml"))


def leaves(value: object, path: tuple[Key, ...] = ()) -> Iterator[tuple[Key, ...]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("[lamp] # over the table\nred = 1\ngreen = 2", ("lamp", "green"), 3),
        ("[lamp] # over the table\nred = 1", ("lamp",), 1),
        ("\nlamp = { pin = 2 }", ("lamp", "pin"), 2),
        ("\nkey.pin = 99", ("key", "pin"), 2),
        ("\nkey.pin = 99", ("key",), 2),
        ('note = """\nkey = 1\n[winnings]\n"""\nother = 2\n[winnings]\nkey = 3', ("winnings", "key"), 7),
        ('["a.b"]\n"c d" = 1', ("a.b", "c d"), 2),
        ("[a.b]\nc = 1", ("a",), 1),
        ("[[a]]\nb = 1\n[[a]]\nb = 2", ("a", 1, "b"), 4),
        ("[[a]]\nb = 1\n[[a]]\nb = 2", ("a", 1), 3),
        ("[[a]]\n[[a.b]]\nc = 1\n[[a]]\n[[a.b]]\nc = 2\n[a.d]\ne = 3", ("a", 1, "d", "e"), 8),
        ("[[a]]\n[[a.b]]\nc = 1\n[[a]]\n[[a.b]]\n[[a.b]]\nc = 2", ("a", 1, "b", 1, "c"), 7),
        ("a = [\n  # first\n  { b = 1 },\n\n  { b = 2 },\n]", ("a", 1, "b"), 5),
        ("a = [\n  # first\n  { b = 1 },\n\n  { b = 2 },\n]", ("a", 0), 3),
        ("a = [1, 2,\n  3]", ("a", 0), 1),
        ("a = [1, 2,\n  3]", ("a", 2), 2),
        ("a = [\n[1,\n2],\n[3]]", ("a", 1), 4),
        ("t.a = [\n1,\n2]", ("t", "a", 1), 3),
        ("a = 1\r\n[b]\r\nc = 2\r\n", ("b", "c"), 3),
    ],
)
def test_a_key_is_found_however_it_is_written(text: str, path: tuple[Key, ...], line: int) -> None:
    tomllib.loads(text)
    assert line_of(text, *path) == line


@pytest.mark.parametrize("path", [("b",), ("a", "c"), ("a", 0), ("a", "b", "c"), ("l", 3), ("l", 0, "x")])
def test_what_the_text_lacks_has_no_line(path: tuple[Key, ...]) -> None:
    assert line_of("a.b = 1\nl = [1,\n2]", *path) is None


def test_a_missing_key_is_reported_at_its_table() -> None:
    text = "x = 1\n[tables]\nsizes = [5]"
    assert nearest_line(positions(text), "tables", "min_players") == 2
    assert nearest_line(positions(text), "fan", "pin") is None


def test_a_statement_of_many_lines_is_read_once() -> None:
    before = time.process_time()
    assert line_of('a = """\n' + "x\n" * 20_000 + '"""\nb = 1', "b") == 20_003
    assert line_of(f"a = [{'1, ' * 20_000}\n2]", "a", 20_000) == 2
    assert time.process_time() - before < 2


@pytest.mark.parametrize("text", ["a", "a = [1", "[a", "= 1", 'a = "', "a = {b", "a = " + "[" * 90])
def test_a_text_that_is_no_toml_has_the_lines_before_its_fault(text: str) -> None:
    assert line_of(f"b = 1\n{text}", "b") == 1


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 30_000) + " = 1", '"a".' * 15_000 + "a = 1", "a = " + "[" * 60_000,
        "a = " + "{b=" * 20_000, "a = 0x" + "f" * 60_000, "a = " + "9" * 60_000,
    ],
    ids=["key", "quoted key", "arrays", "tables", "hex", "digits"],
)  # fmt: skip
def test_what_takes_long_to_parse_is_refused_first(text: str) -> None:
    before = time.process_time()
    with pytest.raises(tomllib.TOMLDecodeError):
        load_toml(text)
    assert time.process_time() - before < 1


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_keys_of_every_shipped_file_are_found_on_a_line_that_names_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    paths = list(leaves(tomllib.loads(text)))
    assert paths
    for keys in paths[:: 1 + len(paths) // 40]:
        line = line_of(text, *keys)
        assert line is not None, keys
        if isinstance(keys[-1], str):
            assert keys[-1] in lines[line - 1], keys


class Sound(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Lamp(msgspec.Struct, forbid_unknown_fields=True):
    blue: Annotated[int, msgspec.Meta(ge=0, le=27)]
    bright: Annotated[float, msgspec.Meta(gt=0, lt=1)] | None = None
    sound: Sound = Sound.LOW


class Panel(msgspec.Struct):
    lamp: Lamp
    buttons: dict[str, Lamp] = {}
    sounds: tuple[Sound, ...] | None = None
    name: str = ""


BLUE: dict[str, object] = {"blue": 1}
LOUD: dict[str, object] = {"sound": "loud"}
NOT_ALLOWED = "'loud' is not allowed; choose low, high"


@pytest.mark.parametrize(
    ("value", "key", "problem"),
    [
        ({"lamp": {"blue": 28}}, "lamp.blue", "must be a whole number, at most 27"),
        ({"lamp": {"blue": -1}}, "lamp.blue", "must be a whole number, at least 0"),
        ({"lamp": {"blue": "17"}}, "lamp.blue", "must be a whole number; it is a text"),
        ({"lamp": {"blue": 1, "bright": 2.0}}, "lamp.bright", "must be a number, less than 1.0"),
        ({"lamp": {"blue": 1, "bright": "x"}}, "lamp.bright", "must be a number or nothing; it is a text"),
        ({"lamp": BLUE | LOUD}, "lamp.sound", NOT_ALLOWED),
        ({"lamp": BLUE, "buttons": {"undo": BLUE | LOUD}}, "buttons[...].sound", NOT_ALLOWED),
        ({"lamp": BLUE, "sounds": ["loud"]}, "sounds[0]", NOT_ALLOWED),
        ({"lamp": {"blue": 1, "red": 2}}, "lamp", "there is no `red` here"),
        ({"lamp": {}}, "lamp", "`blue` is missing"),
        ({}, "", "`lamp` is missing"),
        ({"lamp": [], "name": "x"}, "lamp", "must be a table; it is a list"),
        ({"lamp": {"blue": 1}, "name": True}, "name", "must be a text; it is true or false"),
    ],
)
def test_a_wrong_value_is_explained(value: object, key: str, problem: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, Panel)
    assert explain(caught.value, Panel) == ValueFault(key, problem)


def test_what_is_not_known_stays_as_it_is() -> None:
    assert explain(msgspec.ValidationError("Expected a name")) == ValueFault("", "Expected a name")
