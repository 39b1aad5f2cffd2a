"""The kind of a vector, and whether the rules that it needs are implemented."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from base.errors import BadData
from core.cli.cases import auctions, duels, games, setup, tables, tie_breaks, turn_trace
from core.cli.cases.vectors import Vector
from core.cli.files import decode
from core.editions.edition import Edition
from core.rule_set import OptionKey

BASE_EDITION = "championship-2022"
"""The edition for cases of the base game that name none."""

REBEL_EDITION = "official-2003"
"""The edition for role cases with the Rebel! that name none."""

Case = Callable[[Vector, Edition, str], Mapping[str, object]]
"""A function that computes the result of a vector; its keys are those of the expected values."""

_CASES: Mapping[str, Case] = {
    "tables_and_rounds": tables.tables_and_rounds,
    "withdrawals": tables.withdrawals,
    "sheriff_draw": tables.sheriff_draw,
    "scoring": games.scoring,
    "ending": games.ending,
    "high_noon": turn_trace.high_noon,
    "short duel": duels.short_duel,
    "long duel": duels.long_duel,
    "tie_breaks": tie_breaks.tie_breaks,
    "roles": setup.roles,
    "life": setup.life,
    "life_events": setup.life_events,
    "revolution_life": setup.revolution_life,
    "penalties": setup.penalties,
    "prizes": tables.prizes,
    "schedule": tables.schedule,
    "auction": auctions.auction,
    "experience": auctions.experience,
}
_BASE_MODULE = "base"
_WITH_OPTIONS: Mapping[str, tuple[str, tuple[OptionKey, ...]]] = {
    "enlistment-2003": ("official-2003", (OptionKey.ENLISTMENT,)),
}
"""Rule sets of the worked cases that are an edition with options."""
_OPTIONS = {option.value for option in OptionKey}


class VectorRequirements(msgspec.Struct, frozen=True):
    """The kind, edition and options of a vector.

    not_there: the part that isn't implemented yet, or "".
    options: switched on for this vector.
    """

    kind: str
    edition_key: str
    not_there: str = ""
    options: tuple[OptionKey, ...] = ()


def case_place(
    vector: Vector, known: Iterable[str], where: str, base: str = BASE_EDITION
) -> VectorRequirements:
    """Return the kind, edition and options of a vector.

    known: keys of the existing editions.
    base: the edition for vectors that name none.
    Raises BadData for a vector of unknown kind.
    """
    fields = decode(vector.input, dict[str, msgspec.Raw], f"{where}, input")
    kind = vector.kind or _kind_by_shape(vector, frozenset(fields), where)
    key = vector.ruleset
    if key is None and "ruleset" in fields:
        key = decode(fields["ruleset"], str, f"{where}, input.ruleset")
    options: tuple[OptionKey, ...] = ()
    if key is not None and key in _WITH_OPTIONS:
        key, options = _WITH_OPTIONS[key]
    if key is not None and key not in known:
        return VectorRequirements(kind, key, f"edition not there yet: {key}")
    unknown = [variant for variant in vector.variants if variant not in _OPTIONS]
    if unknown:
        return VectorRequirements(kind, key or "", f"add-on not there yet: {', '.join(unknown)}")
    options += tuple(OptionKey(variant) for variant in vector.variants)
    module = vector.module or _BASE_MODULE
    if "module" in fields:
        module = decode(fields["module"], str, f"{where}, input.module")
    if module == setup.REBEL_MODULE:
        key = key or (REBEL_EDITION if kind == "roles" else base)
        if key not in known:
            return VectorRequirements(kind, key, f"edition not there yet: {key}")
    elif module != _BASE_MODULE:
        return VectorRequirements(kind, key or "", f"module not there yet: {module}")
    if kind not in _CASES:
        return VectorRequirements(kind, key or "", f"kind not there yet: {kind}")
    return VectorRequirements(kind, key or base, options=options)


def case_of(kind: str) -> Case:
    """Return the function for an implemented kind of case."""
    return _CASES[kind]


def _kind_by_shape(vector: Vector, fields: frozenset[str], where: str) -> str:
    if vector.mode is not None:
        return f"{vector.mode} duel"
    if "operations" in fields:
        return "auction"
    if "games" in fields:
        return "tie_breaks"
    if "eliminations" in fields:
        return "ending" if vector.module is not None else "scoring"
    if "life" in fields and "events" in fields:
        return "high_noon"
    raise BadData(where, "neither kind, module nor the keys of input tell what this vector is about")
