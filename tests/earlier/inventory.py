"""A list of everything that people and programs reach, made from the product itself.

``python -m tests.earlier.inventory`` adds what is new to inventory.txt; a line goes only by hand.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Final

import click
from litestar import Litestar
from msgspec import inspect

from base.languages import LANGUAGES
from core.cli.main import commands as rules
from core.editions.edition import Edition
from core.editions.loader import editions
from core.game.events import GameStep
from core.game.orders import Order, TerminalReport
from core.proof.lines import Line
from core.tournament.decisions import TournamentStep
from core.tournament.season import SeasonRule
from demo.main import main as demo
from hardware.wiring import Wiring, shipped_names
from kiosk.cli.main import main as terminal
from kiosk.terminal.startup_settings import StartupSettings
from station.accounts.permissions import PERMISSIONS
from station.app.app import build_pages
from station.app.guide import PAGES
from station.appliance.status import HallSettings
from station.audit import Audit
from station.cli.main import commands as station
from station.exports import _TABLES
from station.paper.papers import PaperKind
from station.projections.alarms import Alarm
from station.projections.message_records import MessageBody
from station.screen.main import main as screen
from station.web.pages import declared_pages
from sync.enrolment.provisioning import Provisioning
from sync.protocol.messages import Message
from sync.protocol.parcel import Content
from sync.update.bundle import Manifest

FILE: Final = Path(__file__).with_name("inventory.txt")
_PROGRAMS: Final = {
    "saloon-demo": demo,
    "saloon-rules": rules,
    "saloon-station": station,
    "saloon-station-screen": screen,
    "saloon-terminal": terminal,
}
_DATA: Final[dict[str, UnionType | type]] = {
    "log": GameStep | TournamentStep | TerminalReport,
    "order": Order,
    "alarm": Alarm,
    "message to tables": MessageBody,
    "wire": Message,
    "parcel": Content,
    "bundle": Manifest,
    "proof pack": Line,
    "edition file": Edition,
    "season rule": SeasonRule,
    "panel file": Wiring,
    "provisioning file": Provisioning,
    "terminal.toml": StartupSettings,
    "hall.json": HallSettings,
}


def inventory() -> Iterator[str]:
    """Yield the lines of the list, unsorted."""
    pages = build_pages("0" * 64)
    yield from _routes(pages)
    yield from _rows(pages)
    for name, program in _PROGRAMS.items():
        yield from _options(name, program)
    listed: set[type] = set()
    for name, kind in _DATA.items():
        yield from _Fields(name, listed).of(inspect.type_info(kind))
    for table, (head, _) in _TABLES.items():
        yield from (f"exported table: {table.value} {column}" for column in head)
    yield from (f"paper: {kind.value}" for kind in PaperKind)
    yield from (f"role: {role.value} {one.name}" for role, allowed in PERMISSIONS.items() for one in allowed)
    yield from (f"guide: {name}" for name in PAGES)
    yield from (f"edition: {edition.key}" for edition in editions())
    yield from (f"option: {one.key} {option.value}" for one in editions() for option in one.offered)
    yield from (f"panel: {name}" for name in shipped_names())
    yield from (f"language: {code}" for code in LANGUAGES)
    makefile = Path(__file__).parents[2].joinpath("Makefile").read_text(encoding="utf-8")
    yield from (f"make: {target}" for target in re.findall(r"(?m)^([a-z-]+):.*##", makefile))


def _routes(pages: Litestar) -> Iterator[str]:
    for address, page in declared_pages(pages.routes).items():
        yield f"page: {address} {page.needs.name}"
        if isinstance(page.audit, Audit) and page.audit.kind:
            yield f"audit: {address} {page.audit.kind.name}"
            yield from (f"audit: {address} {field}" for field in page.audit.keeps.split())


def _rows(pages: Litestar) -> Iterator[str]:
    schema: Any = pages.openapi_schema.to_schema()

    def fields(kind: dict[str, Any], path: str) -> Iterator[str]:
        if "$ref" in kind:
            kind = schema["components"]["schemas"][kind["$ref"].rpartition("/")[2]]
        yield from fields(kind["items"], path) if "items" in kind else ()
        for name, inner in kind.get("properties", {}).items():
            yield f"{path} {name}"
            yield from fields(inner, f"{path} {name}")

    for address, methods in schema["paths"].items():
        for kind, content in methods["get"]["responses"]["200"].get("content", {}).items():
            yield f"api: {address} {kind}"
            yield from fields(content["schema"], f"api: {address}")


def _options(name: str, command: click.Command) -> Iterator[str]:
    yield f"command: {name}"
    for parameter in command.params:
        names = (*parameter.opts, *parameter.secondary_opts)
        if isinstance(parameter, click.Argument):
            names = (parameter.human_readable_name,)
        for one in names:
            yield f"command: {name} {one}"
            if isinstance(parameter.type, click.Choice):
                yield from (f"command: {name} {one} {choice}" for choice in parameter.type.choices)
    if isinstance(command, click.Group):
        for inner_name in command.list_commands(click.Context(command)):
            inner_command = command.get_command(click.Context(command), inner_name)
            assert inner_command is not None
            yield from _options(f"{name} {inner_name}", inner_command)


class _Fields:
    """The fields of a file or message. listed: those with tags, which are listed only once, by their tag."""

    def __init__(self, name: str, listed: set[type]) -> None:
        self._name = name
        self._listed = listed

    def of(self, kind: inspect.Type, path: str = "") -> Iterator[str]:
        """Yield the fields of a type at a path, and the values of its enums."""
        match kind:
            case inspect.StructType():
                yield from self._of_struct(kind, path)
            case inspect.EnumType():
                yield from (f"value: {self._name}: {one.value}" for one in kind.cls)
            case inspect.LiteralType():
                yield from (f"value: {self._name}: {value}" for value in kind.values)
            case _:
                for one in _inner(kind):
                    yield from self.of(one, path)

    def _of_struct(self, kind: inspect.StructType, path: str) -> Iterator[str]:
        if kind.tag is not None:
            if path:
                yield f"{self._name}:{path} {kind.tag}"
            path = f" {kind.tag}"
            if kind.cls in self._listed:
                return
            self._listed.add(kind.cls)
        for number, field in enumerate(kind.fields, 1):
            name = f"{number} {field.name}" if kind.array_like else field.encode_name
            yield f"{self._name}:{path} {name}"
            yield from self.of(field.type, f"{path} {name}")


def _inner(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    match kind:
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            return types
        case inspect.CollectionType(item_type=item) | inspect.DictType(value_type=item):
            return (item,)
        case _:
            return ()


def kept() -> set[str]:
    """Return the lines of inventory.txt."""
    return set(FILE.read_text(encoding="utf-8").splitlines()) if FILE.exists() else set()


if __name__ == "__main__":
    FILE.write_text("\n".join(sorted({*kept(), *inventory()})) + "\n", encoding="utf-8")
