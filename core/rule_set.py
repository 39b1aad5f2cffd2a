"""Which rules a tournament is played by: an edition, its options, readings, or house rules."""

import enum

import msgspec


class OptionKey(enum.Enum):
    """An option of an edition that an organiser may switch on; the value names it in files."""

    CASH_REWARDS = "cash-rewards"
    """The player who eliminates an Outlaw takes dollars instead of cards."""
    EXPERIENCE = "experience"
    """Survivors may buy the cards in front of them for the next game."""
    ENLISTMENT = "enlistment"
    """Characters are auctioned, and survivors may keep theirs."""
    RUTHLESS_LAW = "ruthless-law"
    """The Sheriff may not discard a BANG! that could have been played."""
    REBEL = "rebel"
    """The Rebel! role, at table sizes that have one."""


class ReadingChoice(msgspec.Struct, frozen=True):
    """The judge reads a decision (D..) otherwise than the edition's file. name: of the reading."""

    name: str
    value: str | bool


class RecordMode(enum.Enum):
    """The amount that tables enter; winnings and ranking are the same in both."""

    FULL = "full"
    """Life points and every turn."""
    LIGHT = "light"
    """Reshuffles, eliminations, and turns only from the reshuffle that arms High Noon."""


class AgreementForm(enum.Enum):
    """The players whose agreement with the ending is needed before roles are shown."""

    EACH_PLAYER = "each-player"
    ONE_FOR_ALL = "one-for-all"
    SHERIFF_AND_ONE = "sheriff-and-one"
    """The Sheriff and one other player."""


class TablesOfFour(msgspec.Struct, frozen=True):
    """Tables of 4 outside the printed rules, which the judge has allowed with a reason (D44).

    dollars: what each row of the edition's winnings pays there, in the order of the rows.
    """

    reason: str
    dollars: tuple[int, ...]


class RuleSet(msgspec.Struct, frozen=True):
    """The rules of one tournament, whole: with these values anybody can score it again.

    mode, agreement: the way its tables record their games. tables_of_four: None if they are not allowed.

    edition: the key of an edition. options: switched on, in the order of ``OptionKey``.
    house_rules: the text of an organiser's own TOML file, whose key ``edition`` then is; empty for
    an edition that comes with Saloon.
    """

    edition: str
    options: tuple[OptionKey, ...] = ()
    readings: tuple[ReadingChoice, ...] = ()
    house_rules: str = ""
    mode: RecordMode = RecordMode.FULL
    agreement: AgreementForm = AgreementForm.EACH_PLAYER
    tables_of_four: TablesOfFour | None = None
