"""The rules that a command is told: an edition by its key, or an organiser's file."""

from pathlib import Path

from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import edition, read_house_rules
from saloon.core.errors import BadData
from saloon.core.program.files import file_text

SUFFIX = ".toml"
"""How the name of a file of rules ends."""


def rules_named(name: str) -> Edition:
    """The edition with this key, or the house rules of this file. Raises BadData."""
    if is_rules_file(Path(name)):
        return read_house_rules(file_text(Path(name)), name)
    try:
        return edition(name)
    except BadData as error:
        raise BadData(error.where, f"{error.problem}, or a file that ends in {SUFFIX}") from error


def is_rules_file(path: Path) -> bool:
    """Whether a file is one of rules, by its name."""
    return path.suffix == SUFFIX
