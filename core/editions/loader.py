"""Load editions from their TOML files, with strict checks, and apply a tournament's choices to them."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from base.toml_lines import load_toml
from core.editions.edition import Edition, with_tables_of_four
from core.editions.part import explain_faults
from core.editions.readings import BEFORE_IT_WAS_ASKED, Readings
from core.rule_set import OptionKey, ReadingChoice, RuleSet


def read_edition(text: str, where: str) -> Edition:
    """Return the edition defined by a TOML text, which errors call ``where``.

    Raises BadData. For valid TOML, the error is a ``FaultyRules``, which lists all faults.
    """
    try:
        data = load_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(where, f"this is not TOML: {error}") from error
    try:
        read = msgspec.convert(data, Edition, strict=True)
    except msgspec.ValidationError as error:
        faulty = explain_faults(where=where, text=text, data=data, kind=Edition)
        if faulty is None:
            raise BadData(where, str(error)) from error
        raise faulty from error
    if read.chosen:
        raise BadData(where, "chosen: options are switched on when a tournament is opened, not in a file")
    if read.tables_of_four:
        raise BadData(where, "tables_of_four: the judge allows them during a tournament, not a file")
    if read.fewest_groups:
        raise BadData(where, "fewest_groups: only tournaments of earlier versions have them, not a file")
    return read if read.printed.document else _with_document(read)


def _with_document(read: Edition) -> Edition:
    """Add the document to cite to an edition whose file, from an earlier version, doesn't name one."""
    likeliest = min(
        editions(),
        key=lambda known: (
            known.key != read.key,
            known.schedule is not read.schedule,
            (known.finals is None) != (read.finals is None),
        ),
    )
    return replace(read, printed=likeliest.printed)


@cache
def editions() -> tuple[Edition, ...]:
    """Return all editions that come with Saloon, sorted by key."""
    files = sorted(Path(__file__).parent.glob("*.toml"))
    known = tuple(read_edition(entry.read_text(encoding="utf-8"), entry.name) for entry in files)
    for entry, read in zip(files, known, strict=True):
        if entry.name != f"{read.key}.toml":
            raise BadData(entry.name, f"key is {read.key!r}; it must be the file's name without .toml")
    return known


def edition(key: str) -> Edition:
    """Return the edition with this key, such as ``championship-2022``. Raises BadData for an unknown one."""
    for known in editions():
        if known.key == key:
            return known
    allowed = ", ".join(known.key for known in editions())
    raise BadData("edition", f"there is no edition {key!r}; allowed: {allowed}")


@lru_cache(maxsize=64)
def read_house_rules(text: str, where: str) -> Edition:
    """Return an organiser's own edition.

    Raises BadData as ``read_edition`` does, and also if its key is that of an edition that comes with Saloon,
    as changed rules must not pass for the printed ones.
    """
    read = read_edition(text, where)
    if read.key in {known.key for known in editions()}:
        raise BadData(
            f"{where}, key",
            f"{read.key!r} is an edition that comes with Saloon; give your rules a key of their own",
        )
    return read


@lru_cache(maxsize=256)
def base_edition(rules: RuleSet) -> Edition:
    """Return the edition of a rule set, without its options and readings. Raises BadData."""
    base = read_house_rules(rules.house_rules, "house rules") if rules.house_rules else edition(rules.edition)
    if base.key != rules.edition:
        raise BadData("house rules", f"key is {base.key!r}; the rule set names {rules.edition!r}")
    return base


def with_all_readings(rules: RuleSet) -> RuleSet:
    """Return the rules of a new tournament, which must state the readings that older rule sets lack.

    Raises BadData as ``rules_of`` does.
    """
    stated = {choice.name for choice in rules.readings}
    values: dict[str, str | bool] = msgspec.to_builtins(base_edition(rules).readings)
    missing = (ReadingChoice(name, values[name]) for name in BEFORE_IT_WAS_ASKED if name not in stated)
    return replace(rules, readings=(*rules.readings, *missing))


@lru_cache(maxsize=256)
def rules_of(rules: RuleSet) -> Edition:
    """Return the edition of a rule set, with its options and readings applied.

    A rule set that doesn't state newer readings is from an older tournament, for which nothing must change.
    Raises BadData for an unknown edition, an option that it does not offer, an unknown reading or value,
    or faulty house rules.
    """
    base = base_edition(rules)
    stated = {choice.name: choice.value for choice in rules.readings}
    read = with_readings(base, {**BEFORE_IT_WAS_ASKED, **stated}, f"edition {base.key}")
    if stated.keys().isdisjoint(BEFORE_IT_WAS_ASKED):
        read = replace(read, fewest_groups=True)
    if rules.tables_of_four is not None:
        read = with_tables_of_four(read, rules.tables_of_four)
    return with_options(read, rules.options, f"edition {base.key}")


def with_options(base: Edition, options: Iterable[OptionKey], where: str) -> Edition:
    """Return an edition with options switched on. Raises BadData if it doesn't offer one of them."""
    chosen = tuple(dict.fromkeys(options))
    for option in chosen:
        if option not in base.offered:
            offered = ", ".join(known.value for known in base.offered) or "none"
            raise BadData(where, f"the option {option.value} is not offered; offered: {offered}")
    return replace(base, chosen=chosen)


def with_readings(base: Edition, flags: Mapping[str, object], where: str) -> Edition:
    """Return an edition with other readings, by their names in ``Readings``.

    Raises BadData for an unknown name or value.
    """
    readings: dict[str, object] = msgspec.to_builtins(base.readings)
    unknown = [flag for flag in flags if flag not in readings]
    if unknown:
        allowed = ", ".join(sorted(readings))
        raise BadData(f"{where}, {unknown[0]}", f"unknown flag; allowed: {allowed}")
    try:
        read = msgspec.convert(readings | dict(flags), Readings, strict=True)
    except msgspec.ValidationError as error:
        raise BadData(where, str(error).replace("`", "")) from error
    return replace(base, readings=read)
