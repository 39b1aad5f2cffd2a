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
    BelowMinimum,
    HighNoonBeer,
    HighNoonDeadStarter,
    HighNoonFurtherReshuffles,
    HighNoonOrder,
    HighNoonTriggerInStarterTurn,
    MarogiScores,
    MinPlayers,
    Readings,
    RebelMoney,
    RenegadeFinalDuel,
    SheriffRepeat,
    SimplifiedMultiplier,
    Simultaneous,
    TieBreakOpponents,
    TimeLimit,
    WithdrawnRanking,
)
from core.editions.tables import AboveChart, ChartRow, RolesRow, RoundsRow, Tables
from core.editions.winnings_table import WinningsCase, WinningsRow

__all__ = [
    "AboveChart",
    "BelowMinimum",
    "CharacterMethod",
    "Characters",
    "ChartRow",
    "Edition",
    "HighNoonBeer",
    "HighNoonDeadStarter",
    "HighNoonFurtherReshuffles",
    "HighNoonOrder",
    "HighNoonRule",
    "HighNoonStarter",
    "HighNoonTriggerInStarterTurn",
    "MarogiScores",
    "MinPlayers",
    "Readings",
    "RebelMoney",
    "RenegadeFinalDuel",
    "RolesRow",
    "RoundsRow",
    "Schedule",
    "Scoring",
    "SheriffRepeat",
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
    "WithdrawnRanking",
    "edition",
    "editions",
    "read_edition",
    "rules_of",
    "with_options",
]
