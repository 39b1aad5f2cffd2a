"""The rules of a tournament: an edition, its options and readings, or house rules."""

import enum

import msgspec


class OptionKey(enum.Enum):
    """An option of an edition that an organiser may switch on; the value is its name in files."""

    CASH_REWARDS = "cash-rewards"
    """The player who eliminates an Outlaw gets dollars instead of cards."""
    EXPERIENCE = "experience"
    """Survivors may keep cards that they had in play, for a price."""
    ENLISTMENT = "enlistment"
    """Characters are auctioned, and survivors may keep theirs."""
    RUTHLESS_LAW = "ruthless-law"
    """The Sheriff may not discard a BANG! that could have been played."""
    REBEL = "rebel"
    """The Rebel! role, at the table sizes that include it."""


class ReadingChoice(msgspec.Struct, frozen=True):
    """A reading (D..) chosen for this tournament. ``name`` is that of the field in ``Readings``."""

    name: str
    value: str | bool


class RecordMode(enum.Enum):
    """The level of detail that a table records; winnings and ranking are the same in both."""

    FULL = "full"
    """Life points and every turn."""
    LIGHT = "light"
    """Reshuffles, eliminations, and turns only after the reshuffle that arms High Noon."""


class AgreementForm(enum.Enum):
    """The players who must agree with the ending before roles are shown."""

    EACH_PLAYER = "each-player"
    ONE_FOR_ALL = "one-for-all"
    SHERIFF_AND_ONE = "sheriff-and-one"
    """The Sheriff and one other player."""


class TablesOfFour(msgspec.Struct, frozen=True):
    """Tables of 4, which the rules exclude, allowed by the judge with a reason (D44).

    ``dollars`` is the amount of each row of the edition's winnings, in the same order.
    """

    reason: str
    dollars: tuple[int, ...]


class RuleSet(msgspec.Struct, frozen=True):
    """The rules of one tournament, complete enough for anybody to score it again.

    edition: the key of an edition.
    options: those switched on, in the order of ``OptionKey``.
    house_rules: the text of an organiser's own TOML file, whose key is then in ``edition``, or empty for an
        edition that comes with Saloon.
    tables_of_four: None if they are not allowed.
    """

    edition: str
    options: tuple[OptionKey, ...] = ()
    readings: tuple[ReadingChoice, ...] = ()
    house_rules: str = ""
    mode: RecordMode = RecordMode.FULL
    agreement: AgreementForm = AgreementForm.EACH_PLAYER
    tables_of_four: TablesOfFour | None = None
