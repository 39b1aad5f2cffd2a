"""The labels for a rehearsal's faults, actions and findings, which are also the translation keys."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from station.rehearsals.contract import ActionResult, FaultKind, JudgeAction, SetupStep, Solved
from station.text.i18n import LABELS, _

REHEARSAL_LABELS: Final[Mapping[Enum, str]] = {
    FaultKind.CUT_CABLE: _("cable cut"),
    FaultKind.NOISY_LINE: _("noisy line"),
    FaultKind.FLAT_BATTERY: _("flat battery"),
    FaultKind.DEAD_UNIT: _("dead terminal"),
    FaultKind.SLEEPY_TABLE: _("idle table"),
    FaultKind.WALKED_AWAY: _("a player walks away"),
    FaultKind.DISPUTED_ENDING: _("disputed ending"),
    FaultKind.WRONG_SHEET: _("wrong record sheet"),
    FaultKind.STATION_STALLS: _("station stalls"),
    SetupStep.STATION: _("starting the station"),
    SetupStep.PLAYERS: _("registering the players"),
    SetupStep.TABLE: _("starting table {n} of {all}"),
    SetupStep.SPARE: _("starting spare {n} of {all}"),
    SetupStep.CONNECTIONS: _("waiting for all tables to connect"),
    JudgeAction.CABLE: _("Check the cable"),
    JudgeAction.POWER: _("Check the power"),
    JudgeAction.TALK: _("Talk to the players"),
    ActionResult.CABLE_WAS_OUT: _("Table {n}: the cable was unplugged. It's plugged in again."),
    ActionResult.CABLE_CHANGED: _("Table {n}: the cable was faulty. It has been replaced."),
    ActionResult.CABLE_FINE: _("Table {n}: there's nothing wrong with the cable."),
    ActionResult.BACK_ON: _(
        "Table {n}: the power plug was out. The terminal has power again and shows the same game."
    ),
    ActionResult.STAYS_DARK: _("Table {n}: the terminal stays dark, whatever you plug in."),
    ActionResult.POWER_FINE: _("Table {n}: there's nothing wrong with the power."),
    ActionResult.WOKEN: _("Table {n}: they were chatting, and are playing on now."),
    ActionResult.HAS_LEFT: _(
        "Table {n}: “The player in the highest seat still in play has left and isn't coming back.”"
    ),
    ActionResult.AGREED: _("Table {n}: you explained the ending. They agree now."),
    ActionResult.WRONG_ROLES: _("Table {n}: “Two of us have each other's roles on the sheet!”"),
    ActionResult.ALL_WELL: _("Table {n}: “Everything's fine, thank you.”"),
    ActionResult.NO_TABLE: _("This rehearsal has no table {n}."),
    ActionResult.NO_SPARE: _("No spare is left, so no terminal can be made to fail for good now."),
    ActionResult.WRONG_ALREADY: _("Table {n} has enough problems, is dark, or already has this one."),
    ActionResult.BEGUN: _("The problem has started."),
    ActionResult.DONE: _("Done."),
    Solved.BY_HAND: _("at the table"),
    Solved.SWAPPED: _("terminal swapped"),
    Solved.WITHDRAWN: _("player withdrawn"),
    Solved.TIME_CALLED: _("time called"),
    Solved.CONFIRMED: _("confirmed at the station"),
    Solved.CORRECTED: _("record sheet corrected"),
    Solved.VOIDED: _("game voided"),
    Solved.BY_ITSELF: _("ended on its own"),
    Solved.GAME_OVER: _("the game ended before it was solved"),
}
LABELS.update(REHEARSAL_LABELS)

AT_TABLE: Final[Mapping[JudgeAction, str]] = {
    JudgeAction.CABLE: _("Cable"),
    JudgeAction.POWER: _("Power"),
    JudgeAction.TALK: _("Players"),
}
"""The button labels of actions at each table."""

ADVICE: Final[Mapping[FaultKind, str]] = {
    FaultKind.CUT_CABLE: _(
        "The table keeps playing: its entries are saved and will arrive later. Check the cable in the next "
        "break."
    ),
    FaultKind.NOISY_LINE: _(
        "Entries arrive late. The terminal's link page counts resent data; replace the cable."
    ),
    FaultKind.FLAT_BATTERY: _(
        "Restore the power. What was saved is still there, and the same screen comes back."
    ),
    FaultKind.DEAD_UNIT: _(
        "Bring a spare. On the Floor page, open the table and choose Swap terminal: the spare "
        "takes over the game."
    ),
    FaultKind.SLEEPY_TABLE: _(
        "On the Floor page, the table's turn doesn't change. Go to the table; if time is up, call time there."
    ),
    FaultKind.WALKED_AWAY: _(
        "On the Players page, choose Withdraw. The table is notified, and the character stays in "
        "play, passive."
    ),
    FaultKind.DISPUTED_ENDING: _(
        "Answer the call, go through the story of the game with the table and explain. They "
        "agree, or you make a ruling."
    ),
    FaultKind.WRONG_SHEET: _(
        "Talk to the players, then open the table, choose “Correct the record sheet” and give a reason."
    ),
    FaultKind.STATION_STALLS: _(
        "Wait. The terminals keep everything; nothing is lost, and they'll send it once the station is back."
    ),
}
"""The advice of the judge's guide, in one sentence each."""
