"""Editions of the rules as data: one TOML file each, and the loader that checks it.

Code reads numbers and readings from the edition and never checks its name, so house rules are simply one
more file.
"""

from core.editions.edition import (
    CharacterMethod,
    Characters,
    Edition,
    HighNoonRule,
    HighNoonStarter,
    Schedule,
    Scoring,
    ThresholdRow,
    TieBreak,
    Waiver,
)
from core.editions.loader import edition, editions, read_edition, rules_of, with_options
from core.editions.readings import (
    MarogiScores,
    Readings,
    RenegadeFinalDuel,
    SimplifiedMultiplier,
    Simultaneous,
    TieBreakOpponents,
    TimeLimit,
)
from core.editions.tables import AboveChart, ChartRow, RolesRow, RoundsRow, Tables
from core.editions.winnings_table import WinningsCase, WinningsRow

__all__ = [
    "AboveChart",
    "CharacterMethod",
    "Characters",
    "ChartRow",
    "Edition",
    "HighNoonRule",
    "HighNoonStarter",
    "MarogiScores",
    "Readings",
    "RenegadeFinalDuel",
    "RolesRow",
    "RoundsRow",
    "Schedule",
    "Scoring",
    "SimplifiedMultiplier",
    "Simultaneous",
    "Tables",
    "ThresholdRow",
    "TieBreak",
    "TieBreakOpponents",
    "TimeLimit",
    "Waiver",
    "WinningsCase",
    "WinningsRow",
    "edition",
    "editions",
    "read_edition",
    "rules_of",
    "with_options",
]
