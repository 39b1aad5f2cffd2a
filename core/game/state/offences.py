"""Forbidden conduct, for which the judge warns or ejects players."""

import enum
from collections.abc import Mapping
from typing import Final

from core.editions.edition import Edition, Schedule


class Offence(enum.Enum):
    """A category of forbidden conduct.

    Source: Championship 2022/23 v1.4, 2 "Tournament behavior"; Championship 2010 v1.1, 2.
    """

    SHOWN_ROLE = "shown-role"
    """A player showed their role, which is serious if done on purpose."""
    SEEN_HAND = "seen-hand"
    FALSE_INFORMATION = "false-information"
    OUTSIDE_ADVICE = "outside-advice"
    AGREED_ENDING = "agreed-ending"
    CHEATING = "cheating"
    SLOW_PLAY = "slow-play"
    LIED_TO_JUDGE = "lied-to-judge"
    CONTESTED_DECISION = "contested-decision"
    SWEARING = "swearing"
    OFFENDED = "offended"
    OTHER = "other"


def _(text: str) -> str:
    return text


OFFENCE_NAMES: Final[Mapping[enum.Enum, str]] = {
    Offence.SHOWN_ROLE: _("Showed a role card"),
    Offence.SEEN_HAND: _("Looked at another player's hand"),
    Offence.FALSE_INFORMATION: _("Lied about public information"),
    Offence.OUTSIDE_ADVICE: _("Outside advice"),
    Offence.AGREED_ENDING: _("Agreed on the ending in advance"),
    Offence.CHEATING: _("Cheating"),
    Offence.SLOW_PLAY: _("Slow play"),
    Offence.LIED_TO_JUDGE: _("Lied to the judge"),
    Offence.CONTESTED_DECISION: _("Contested a decision"),
    Offence.SWEARING: _("Swearing or blasphemy"),
    Offence.OFFENDED: _("Offended or threatened someone"),
    Offence.OTHER: _("Other conduct"),
}

WARNINGS_TO_EJECTION = 2
"""The number of warnings that leads to ejection. Source: Championship 2022/23 v1.4, 3 "Penalties"."""


def is_ejected_by(warnings: int) -> bool:
    return warnings >= WARNINGS_TO_EJECTION


def offence_rule(offence: Offence, edition: Edition) -> str:
    """Return the document and section that an offence breaks, or nothing if the rules don't list offences.

    Source: Championship 2022/23 v1.4, 2 "Tournament behavior" and 3 "Penalties"; Championship 2010 v1.1, 2.
    """
    if edition.schedule is not Schedule.CHART:
        return ""
    document = "Championship 2022/23 v1.4" if edition.finals is None else "Championship 2010 v1.1"
    return f"{document}, {3 if offence is Offence.OTHER else 2}"
