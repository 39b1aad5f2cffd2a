"""Every value that a template compares, and every icon and id that it names, exists where it is defined."""

import enum
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, nodes

from core.editions.edition import Schedule, TieBreak, Waiver
from core.editions.winnings_table import WinningsCase
from core.game.orders import Power
from core.game.state.game import Cause, HighNoon, Phase
from core.rule_set import RecordMode
from core.terms import DuelPart, MatchKind
from core.tournament.standings.why import Decided
from core.tournament.state.decision import Progress
from core.tournament.state.tournament import Stage
from station import web
from station.app.app import TEMPLATES
from station.computer.page import _STICK_ICONS as STICK_ICONS
from station.exports import DataTable
from station.floor.attention import Attention
from station.imports.findings import PrivateField
from station.messages.service import DeliveryState
from station.paper.layouts import PaperSize
from station.players.service import PresenceState
from station.projections.cards import CodeState, SheetState, TerminalLink
from station.rehearsals.contract import RehearsalStage
from station.sd_cards.card_files import CardState
from station.sign_in.service import SeatStatus
from station.text.rules_in_words import CHAPTER_ICONS
from station.updates.rollout import RolloutPhase
from station.web.places import _PLACES as PLACES
from sync.ports.findings import Finding
from sync.update.messages import UpdateStage

WEB = Path(next(iter(web.__path__)))
STATIC = WEB / "static"
ENVIRONMENT = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
PAGES = ENVIRONMENT.list_templates(extensions=["html"])
HIDDEN = "\0"
"""Stands for what a template computes, in its text."""
Source = type[enum.Enum] | Collection[str]
COMPARED: dict[str, Source] = {
    "cause.value": Cause,
    "link": TerminalLink, "link.value": TerminalLink, "high_noon.value": HighNoon, "phase.value": Phase,
    "v.phase.value": RolloutPhase, "match.name": MatchKind, "match.value": MatchKind,
    "sheet.value": SheetState, "code.state.value": CodeState,
    "f.state.value": CardState, "state.value": DeliveryState,
    "desk.state_of.value": PresenceState, "schedule.value": Schedule,
    "stage.value": Stage, "runs.report.stage.value": UpdateStage, "told.stage.value": RehearsalStage,
    "status.value": SeatStatus, "key.name": TieBreak, "decided.name": Decided,
    "finding.name": Finding, "mode.value": RecordMode, "power.value": Power,
    "progress.value": Progress, "w.value": Waiver,
    "case.value": WinningsCase, "attention.value": Attention, "part.value": DuelPart,
    "private_fields": PrivateField, "tie_breaks": TieBreak,
    "wire": ("tls", "serial"), "noon_anchor": ("start", "end"), "how": ("score",),
    "request.method": ("GET", "POST"), "detail": ("Not Found", "Unauthorized"),
}  # fmt: skip
"""The values that a compared expression may have, by the end of its path; the longest end counts."""
NAMES: dict[tuple[str, str], Source] = {
    ("judge/finals.html", "mode.value"): MatchKind, ("judge/print.html", "s.value"): PaperSize,
    ("judge/data.html", "table.value"): DataTable,
}  # fmt: skip
"""Loop variables of a page whose name has another meaning elsewhere."""


def source_of(page: str) -> str:
    assert ENVIRONMENT.loader is not None
    return ENVIRONMENT.loader.get_source(ENVIRONMENT, page)[0]


def parsed(page: str) -> nodes.Template:
    return ENVIRONMENT.parse(source_of(page))


def assigned(page: nodes.Template) -> dict[str, nodes.Expr]:
    """Return the names that a template sets once."""
    values_by_name: dict[str, list[nodes.Expr]] = {}
    for one in page.find_all(nodes.Assign):
        if isinstance(one.target, nodes.Name) and isinstance(one.node, nodes.Expr):
            values_by_name.setdefault(one.target.name, []).append(one.node)
    return {name: values[0] for name, values in values_by_name.items() if len(values) == 1}


def path_of(node: nodes.Node, names: dict[str, nodes.Expr]) -> str:
    """Return an expression as the path of its attributes: ``c.terminal.link.value``."""
    if isinstance(node, nodes.Name):
        known = names.get(node.name)
        is_path = isinstance(known, nodes.Getattr)
        return path_of(known, {}) if known is not None and is_path else node.name
    if isinstance(node, nodes.Getattr):
        return f"{path_of(node.node, names)}.{node.attr}"
    if isinstance(node, nodes.Call | nodes.Filter) and node.node is not None:
        return path_of(node.node, names)
    return type(node).__name__


def texts_in(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, nodes.List | nodes.Tuple):
        for item in node.items:
            yield from texts_in(item)


def comparisons(page: str) -> Iterator[tuple[str, str]]:
    """Return the paths that a template compares with a text, each with the text."""
    template = parsed(page)
    names = assigned(template)
    for one in template.find_all(nodes.Compare):
        sides = [one.expr, *(operand.expr for operand in one.ops)]
        paths = [path_of(side, names) for side in sides if not isinstance(side, nodes.Const | nodes.List)]
        yield from ((path, text) for path in paths for side in sides for text in texts_in(side))
    for chosen in template.find_all(nodes.Filter):
        if chosen.name in {"selectattr", "rejectattr"} and len(chosen.args) == 3:
            path = next(texts_in(chosen.args[0]))
            yield from ((path, text) for text in texts_in(chosen.args[2]))
    for looked_up in template.find_all((nodes.Getitem, nodes.Call)):
        lookup = _dictionary_and_key(looked_up, names)
        if lookup is not None:
            table, key = lookup
            yield from ((path_of(key, names), text) for pair in table.items for text in texts_in(pair.key))


def _dictionary_and_key(
    node: nodes.Node, names: dict[str, nodes.Expr]
) -> tuple[nodes.Dict, nodes.Expr] | None:
    """Return the dictionary of a template in which an expression ending in ``.value`` is looked up."""
    if isinstance(node, nodes.Getitem):
        table, key = node.node, node.arg
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr == "get":
        table, key = node.node.node, node.args[0]
    else:
        return None
    table = names.get(table.name, table) if isinstance(table, nodes.Name) else table
    is_value = isinstance(key, nodes.Getattr) and key.attr == "value"
    return (table, key) if isinstance(table, nodes.Dict) and is_value else None


def known_values(page: str, path: str) -> set[str] | None:
    """Return the possible values of a compared path, or None if they are not known."""
    source: Source | None = NAMES.get((page, path))
    parts = path.split(".")
    for start in range(len(parts)):
        source = source or COMPARED.get(".".join(parts[start:]))
    if source is None:
        return None
    if isinstance(source, type):
        return set(source.__members__) if path.endswith(".name") else {str(one.value) for one in source}
    return set(source)


FREE = {"name", "path", "path.rstrip", "t.hall_tables.describe"}
"""Paths that a template may compare with any text: names of fields, and addresses."""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_text_that_a_template_compares_is_a_value(page: str) -> None:
    for path, text in comparisons(page):
        if path in FREE:
            continue
        values = known_values(page, path)
        assert values is not None, f"{path} is compared with {text!r}: add where its values are defined"
        assert text in values, f"{path} is compared with {text!r}, but can only be one of {sorted(values)}"


def test_scripts_and_styles_compare_states_that_exist() -> None:
    script = (STATIC / "pages.js").read_text(encoding="utf-8")
    style = (STATIC / "saloon.css").read_text(encoding="utf-8")
    needs = set(re.findall(r'"([a-z-]+)"', re.search(r"needs: .*", script)[0]))  # type: ignore[index]
    needs |= {
        one for pair in re.findall(r"needs-([a-z-]+)|data-needs=([a-z-]+)", style) for one in pair if one
    }
    assert needs <= {one.value for one in Attention}
    sheets = {one for match in re.findall(r"\[([^\]]*)\]\.includes\([^)]*dataset\.sheet", script)
              for one in re.findall(r'"(\w+)"', match)}  # fmt: skip
    assert sheets
    assert sheets <= {one.value for one in SheetState}


ICONS: dict[str, Collection[str]] = {
    "icons": CHAPTER_ICONS.values(), "icon": {*STICK_ICONS.values(), "warning"},
    "a.icon": ("check", "warning"), "place.icon": [icon for _text, icon, _tabs in PLACES],
}  # fmt: skip
"""The icons that a page's module names."""


def icon_names(node: nodes.Node, names: dict[str, nodes.Expr]) -> set[str]:
    """Return every icon name that the argument of ``icon`` can be."""
    if isinstance(node, nodes.Const):
        return {node.value} if node.value else set()
    if isinstance(node, nodes.CondExpr):
        sides = [node.expr1, *([node.expr2] if node.expr2 is not None else [])]
        return set().union(*(icon_names(side, names) for side in sides))
    if isinstance(node, nodes.Dict):
        return set().union(*(icon_names(pair.value, names) for pair in node.items))
    if isinstance(node, nodes.Getitem):
        return icon_names(node.node, names)
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr == "get":
        return icon_names(node.node.node, names) | icon_names(node.args[1], names)
    if isinstance(node, nodes.Name) and node.name in names:
        return icon_names(names[node.name], names)
    if isinstance(node, nodes.Getattr | nodes.Name) and path_of(node, names) in ICONS:
        return set(ICONS[path_of(node, names)])
    return {f"an icon from {node}"}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_icon_that_a_template_can_show_is_drawn(page: str) -> None:
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (STATIC / "icons.svg").read_text(encoding="utf-8")))
    template = parsed(page)
    names = assigned(template)
    named = set(re.findall(r"icons\.svg#([\w-]+)", source_of(page)))
    for call in template.find_all(nodes.Call):
        if path_of(call, {}) in {"icon", "m.icon"}:
            named |= icon_names(call.args[0], names)
    assert named - drawn == set()


def text_of(page: str) -> str:
    """Return the HTML of a template with all its branches, and computed parts removed."""

    def _flat(node: nodes.Node) -> Iterator[str]:
        if isinstance(node, nodes.TemplateData):
            yield node.data
        elif isinstance(node, nodes.CondExpr):
            yield from (
                text for side in (node.expr1, node.expr2) if side is not None for text in texts_in(side)
            )
            yield HIDDEN
        elif isinstance(node, nodes.Expr):
            yield HIDDEN
        else:
            for child in node.iter_child_nodes(exclude=("test", "target", "iter", "args", "defaults")):
                yield from _flat(child)

    return "".join(_flat(parsed(page)))


HTML = {page: text_of(page) for page in PAGES}
ALL_HTML = "\n".join(HTML.values())
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
IDS = set(re.findall(r'\bid="([^"]+)"', ALL_HTML))
CLASSES = set(re.split(r"[\s\0]+", " ".join(re.findall(r'\bclass="([^"]*)"', ALL_HTML))))
NAMING_IDS = re.compile(
    r'\b(?:for|form|list|aria-controls|aria-labelledby|aria-describedby|data-copy)="([^"\0]+)"'
    r'|(?:\bhref="|\bhx-(?:select|target)=")#([\w\0-]+)'
)


@pytest.mark.parametrize("page", PAGES)
def test_every_id_class_and_file_that_a_template_names_is_there(page: str) -> None:
    """Labels, links and live parts name ids; live parts name classes; files are served."""
    html = HTML[page]
    assert {one for ids in NAMING_IDS.findall(html) for one in ids if one} - IDS == set()
    assert set(re.findall(r'\b(?:hx-select|hx-target|data-find-row)="\.([\w-]+)', html)) - CLASSES == set()
    files = re.findall(r'(?:href|src)="/static/([^"#\0?]+)', html)
    assert [name for name in files if not (STATIC / name).is_file()] == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_id_and_attribute_that_a_script_looks_for_is_in_a_template(script: str) -> None:
    text = SCRIPTS[script]
    made = set(re.findall(r'\.id = "([\w-]+)"', text))
    ids = set(re.findall(r'getElementById\("([\w-]+)"\)|querySelector\("#([\w-]+)"\)', text))
    assert {one for names in ids for one in names if one} - IDS - made == set()
    selectors = " ".join(re.findall(r'(?:closest|matches|querySelector(?:All)?)\(["`]([^)]*)["`]\)', text))
    attributes = set(re.findall(r"\[(data-[\w-]+)", selectors))
    assert {one for one in attributes if not re.search(rf"\b{one}\b", ALL_HTML)} == set()
    classes = set(re.findall(r"(?<![\w)])\.([a-z][\w-]*)", selectors))
    classes -= {one for names in re.findall(r'className = "([^"]+)"', text) for one in names.split()}
    assert classes - CLASSES == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_template_translates_its_colons_names_its_columns_and_has_short_lines(page: str) -> None:
    """French has a space before a colon: ``{{ _(": ") }}``."""
    text = source_of(page)
    assert not re.findall(r"\}\}(?:</\w+>)?:[ <]|>: \{\{", text)
    assert not re.search(r"<th\b[^>]*></th>", HTML[page])
    assert [number for number, line in enumerate(text.splitlines(), 1) if len(line) > 140] == []
