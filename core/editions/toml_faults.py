"""What a TOML file gets wrong, in words: line, key, what was found, what is allowed."""

import re

import msgspec
from msgspec import inspect

from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData

_PLACE = re.compile(r"^(?P<problem>.*?)(?: - at `(?P<path>\$[^`]*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_NAMED_FIELD = re.compile(r"(?:unknown|required) field `([^`]+)`")

_Step = str | int


def explained(error: msgspec.ValidationError, *, where: str, text: str, found: dict[str, object]) -> BadData:
    """The error of reading an edition as a BadData. found: the same text, parsed."""
    parts = _PLACE.match(str(error))
    if parts is None:
        return BadData(where, str(error))
    steps = _steps(parts["path"] or "$")
    problem = parts["problem"]
    named = _NAMED_FIELD.search(problem)
    unknown = named is not None and "unknown" in problem
    line = _line_of(text, [*steps, named[1]] if named is not None and unknown else steps)
    key = ".".join(str(step) for step in steps) or "top level"
    sentence = f"{key}: {problem}"
    if named is None and steps and not isinstance(_value_at(found, steps), dict | list):
        sentence += f"; found {_value_at(found, steps)!r}"
    allowed = _allowed(steps)
    if allowed and ("nvalid enum" in problem or unknown):
        sentence += f"; allowed: {', '.join(allowed)}"
    return BadData(where if line is None else f"{where}, line {line}", sentence)


def _steps(path: str) -> list[_Step]:
    return [match[1] if match[1] is not None else int(match[2]) for match in _STEP.finditer(path)]


def _value_at(found: object, steps: list[_Step]) -> object:
    for step in steps:
        if isinstance(found, dict):
            found = found.get(step)
        elif isinstance(found, list) and isinstance(step, int):
            found = found[step]
    return found


def _allowed(steps: list[_Step]) -> tuple[str, ...]:
    kind: inspect.Type = inspect.type_info(Edition)
    for step in steps:
        kind = _below(kind, step)
    match kind:
        case inspect.EnumType(cls=cls):
            return tuple(str(member.value) for member in cls)
        case inspect.StructType(fields=fields):
            return tuple(field.encode_name for field in fields)
        case _:
            return ()


def _below(kind: inspect.Type, step: _Step) -> inspect.Type:
    if isinstance(kind, inspect.UnionType):
        kind = next(member for member in kind.types if not isinstance(member, inspect.NoneType))
    match kind:
        case inspect.StructType(fields=fields):
            return next(field.type for field in fields if field.encode_name == step)
        case inspect.VarTupleType(item_type=item_type):
            return item_type
        case _:
            return kind


def _line_of(text: str, steps: list[_Step]) -> int | None:
    """The line, from 1, of the innermost step that can be told; None where there is none.

    A table stands under its header; the rows of an array that is written one row a line are
    counted from the line that opens it.
    """
    lines = text.splitlines()
    at: int | None = None
    for depth, step in enumerate(steps):
        path = ".".join(name for name in steps[: depth + 1] if isinstance(name, str))
        if isinstance(step, int):
            headers = [n for n, line in enumerate(lines) if line.strip().startswith(f"[[{path}]]")]
            if step < len(headers):
                at = headers[step]
            elif at is not None:
                at = _row(lines, at, step)
            continue
        pattern = re.compile(rf"\s*\[{re.escape(path)}\]|\s*[\"']?{re.escape(step)}[\"']?\s*=")
        start = 0 if at is None else at
        at = next((n for n in range(start, len(lines)) if pattern.match(lines[n])), at)
    return None if at is None else at + 1


def _row(lines: list[str], opened: int, row: int) -> int:
    if not lines[opened].rstrip().endswith("["):
        return opened
    rows = [
        n for n in range(opened + 1, len(lines)) if lines[n].strip() and not lines[n].lstrip().startswith("#")
    ]
    return rows[row] if row < len(rows) else opened
