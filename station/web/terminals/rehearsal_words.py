"""The labels on pages for faults, hands and findings of a rehearsal; the keys for translation."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from saloon.station.rehearsals.contract import ActionResult, FaultKind, JudgeAction, SetupStep, Solved


def _(text: str) -> str:
    return text


REHEARSAL_LABELS: Final[Mapping[Enum, str]] = {
    FaultKind.CUT_CABLE: _("cable cut"),
    FaultKind.NOISY_LINE: _("noisy line"),
    FaultKind.FLAT_BATTERY: _("flat battery"),
    FaultKind.DEAD_UNIT: _("dead terminal"),
    FaultKind.SLEEPY_TABLE: _("sleepy table"),
    FaultKind.WALKED_AWAY: _("a player walks away"),
    FaultKind.DISPUTED_ENDING: _("disputed ending"),
    FaultKind.WRONG_SHEET: _("wrong record sheet"),
    FaultKind.STATION_STALLS: _("station stalls"),
    SetupStep.STATION: _("starting the station"),
    SetupStep.PLAYERS: _("registering the players"),
    SetupStep.TABLE: _("starting table {n} of {all}"),
    SetupStep.SPARE: _("starting spare {n} of {all}"),
    SetupStep.CONNECTIONS: _("waiting for all tables to be connected"),
    JudgeAction.CABLE: _("Look after the cable"),
    JudgeAction.POWER: _("Look after the power"),
    JudgeAction.TALK: _("Speak with the players"),
    ActionResult.CABLE_WAS_OUT: _("Table {n}: the cable was out. It is plugged in again."),
    ActionResult.CABLE_CHANGED: _("Table {n}: the cable was bad. It has been changed."),
    ActionResult.CABLE_FINE: _("Table {n}: there is nothing wrong with the cable."),
    ActionResult.BACK_ON: _("Table {n}: the plug was out. It has power now, and shows the same game."),
    ActionResult.STAYS_DARK: _("Table {n}: the terminal stays dark, whatever you plug in."),
    ActionResult.POWER_FINE: _("Table {n}: it has power."),
    ActionResult.WOKEN: _("Table {n}: they were chatting. They play on."),
    ActionResult.HAS_LEFT: _(
        "Table {n}: “The one at the highest seat in play has left and does not come back.”"
    ),
    ActionResult.AGREED: _("Table {n}: you explained the ending. They agree now."),
    ActionResult.WRONG_ROLES: _("Table {n}: “Two of us have each other's role on the sheet!”"),
    ActionResult.ALL_WELL: _("Table {n}: “All is well, thank you.”"),
    ActionResult.NO_TABLE: _("There is no table {n} in this rehearsal."),
    ActionResult.NO_SPARE: _("No spare is left: a terminal cannot break for good now."),
    ActionResult.WRONG_ALREADY: _(
        "Table {n} has trouble enough, or is dark, or this is wrong there already."
    ),
    ActionResult.BEGUN: _("It begins."),
    ActionResult.DONE: _("Done."),
    Solved.BY_HAND: _("at the table"),
    Solved.SWAPPED: _("terminal swapped"),
    Solved.WITHDRAWN: _("player withdrawn"),
    Solved.TIME_CALLED: _("time called"),
    Solved.CONFIRMED: _("confirmed at the station"),
    Solved.CORRECTED: _("record sheet corrected"),
    Solved.VOIDED: _("game taken back"),
    Solved.BY_ITSELF: _("ended by itself"),
    Solved.GAME_OVER: _("the game ended without it being solved"),
}

AT_TABLE: Final[Mapping[JudgeAction, str]] = {
    JudgeAction.CABLE: _("Cable"),
    JudgeAction.POWER: _("Power"),
    JudgeAction.TALK: _("Players"),
}
"""The label of a hand on its button at each table."""

ADVICE: Final[Mapping[FaultKind, str]] = {
    FaultKind.CUT_CABLE: _(
        "The table plays on; its entries wait and come by themselves. Look after the cable in the next break."
    ),
    FaultKind.NOISY_LINE: _(
        "Entries come late. The link page of the terminal counts what is sent again; change the cable."
    ),
    FaultKind.FLAT_BATTERY: _("Give it power. What was saved is there, and the same screen comes back."),
    FaultKind.DEAD_UNIT: _(
        "Bring a spare; open the table on the floor page and choose Swap terminal: it takes the game over."
    ),
    FaultKind.SLEEPY_TABLE: _(
        "On the floor page its turn does not change. Go there; if the time is over, tell the table so."
    ),
    FaultKind.WALKED_AWAY: _(
        "On the page Players choose Withdraw: the table is told, and the character plays on passively."
    ),
    FaultKind.DISPUTED_ENDING: _(
        "Answer the call, read the story of the game with the table, explain; they agree or you rule."
    ),
    FaultKind.WRONG_SHEET: _(
        "Speak with the players, then open the table and choose Correct the record sheet, with the reason."
    ),
    FaultKind.STATION_STALLS: _(
        "Wait. Terminals keep all they have; nothing is lost, and it comes by itself."
    ),
}
"""The advice of the judge's guide, in a sentence."""
