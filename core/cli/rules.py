"""The rules given to a command: an edition's key or an organiser's file, plus options."""

from pathlib import Path

from base.errors import BadData
from core.cli.files import file_text
from core.editions.edition import Edition
from core.editions.loader import edition, read_house_rules, with_options
from core.rule_set import OptionKey

SUFFIX = ".toml"
"""The file extension of house rules."""
_AND = "+"


def rules_named(name: str) -> Edition:
    """Return the edition with this key, or the house rules in this file; a suffix ``+rebel`` adds an option.

    Raises BadData.
    """
    base, *options = [name] if Path(name).exists() else name.split(_AND)
    known = [option.value for option in OptionKey]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise BadData(name, f"there is no option {unknown[0]!r}; allowed: {', '.join(known)}")
    return with_options(_base(base), [OptionKey(option) for option in options], name)


def is_rules_file(path: Path) -> bool:
    """Return whether a file is named like a file of rules."""
    return path.suffix == SUFFIX


def _base(name: str) -> Edition:
    if is_rules_file(Path(name)):
        return read_house_rules(file_text(Path(name)), name)
    try:
        return edition(name)
    except BadData as error:
        raise BadData(error.where, f"{error.problem}, or a file that ends in {SUFFIX}") from error
