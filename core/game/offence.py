"""The categories of forbidden conduct, for warnings and ejections."""

import enum


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
