"""A point that the rules leave open, as one record: question, answers, decision, and whom it concerns."""

from collections.abc import Callable, Mapping

import msgspec

from core.editions.edition import Edition, HighNoonStarter, Schedule, TieBreak

Concerns = Callable[[Edition], bool]


class Reading(msgspec.Struct, frozen=True):
    """An answer to an open question. text: as a judge chooses it. rule: its sentence among the rules."""

    text: str
    rule: str = ""


class OpenQuestion(msgspec.Struct, frozen=True):
    """A point that the rules leave open.

    decision: its number, such as D08; those with S aren't decisions. concerns: whether it can make a
    difference in an edition, with any of its options. answers: by the values in files; a settled point has
    one, for "". key: the key in an edition's file, unless it's the name among ``readings``.
    """

    name: str
    decision: str
    concerns: Concerns
    text: str
    answers: Mapping[str | bool, Reading]
    key: str = ""

    @property
    def is_settled(self) -> bool:
        """Return whether the answer is fixed, and has no key in files."""
        return "" in self.answers


def everyone(rules: Edition) -> bool:
    """Concern every edition."""
    del rules
    return True


def is_championship(rules: Edition) -> bool:
    return rules.schedule is Schedule.CHART


def is_one_group(rules: Edition) -> bool:
    """Return whether a group plays game after game."""
    return rules.is_one_group


def has_high_noon(rules: Edition) -> bool:
    """Return whether reshuffles lead to High Noon."""
    return rules.high_noon is not None


def begins_high_noon_after_sheriff(rules: Edition) -> bool:
    """Return whether High Noon begins with the player after the Sheriff."""
    return rules.high_noon is not None and rules.high_noon.starter is HighNoonStarter.AFTER_SHERIFF


def has_finals(rules: Edition) -> bool:
    """Return whether duels are played after the rounds."""
    return rules.finals is not None


def has_enlistment(rules: Edition) -> bool:
    return rules.options.enlistment is not None


def has_rebel(rules: Edition) -> bool:
    """Return whether the Rebel! is offered."""
    return rules.options.rebel is not None


def breaks_ties_by(*keys: TieBreak) -> Concerns:
    """Return a predicate for editions with one of these tie-breaks."""
    return lambda rules: not set(keys).isdisjoint(rules.tie_breaks)
