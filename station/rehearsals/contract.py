"""Requests to a running rehearsal and its answers: one line of JSON each way."""

import enum

import msgspec

TYPED = "SALOON_TYPED_COMMAND"
"""The environment variable with the command as it was typed, for the usage message."""


class FaultKind(enum.Enum):
    """The kinds of faults at a table of a rehearsal."""

    CUT_CABLE = "cut-cable"
    NOISY_LINE = "noisy-line"
    FLAT_BATTERY = "flat-battery"
    DEAD_UNIT = "dead-unit"
    SLEEPY_TABLE = "sleepy-table"
    WALKED_AWAY = "walked-away"
    DISPUTED_ENDING = "disputed-ending"
    WRONG_SHEET = "wrong-sheet"
    STATION_STALLS = "station-stalls"
    """A fault of the whole station: it hangs for some seconds, as with a slow disk."""


class JudgeAction(enum.Enum):
    """Actions of a judge at a table."""

    CABLE = "cable"
    """Check the cable: plug it in or replace it."""
    POWER = "power"
    """Check the power: plug it in, change the battery or switch it on."""
    TALK = "talk"
    """Talk to the players."""


class ActionResult(enum.Enum):
    """The result of a judge's action at a table; the page shows it as a sentence."""

    CABLE_WAS_OUT = "cable-was-out"
    CABLE_CHANGED = "cable-changed"
    CABLE_FINE = "cable-fine"
    BACK_ON = "back-on"
    STAYS_DARK = "stays-dark"
    POWER_FINE = "power-fine"
    WOKEN = "woken"
    HAS_LEFT = "has-left"
    AGREED = "agreed"
    WRONG_ROLES = "wrong-roles"
    ALL_WELL = "all-well"
    NO_TABLE = "no-table"
    NO_SPARE = "no-spare"
    WRONG_ALREADY = "wrong-already"
    BEGUN = "begun"
    DONE = "done"


class Solved(enum.Enum):
    """The ways in which a fault can end."""

    BY_HAND = "by-hand"
    SWAPPED = "swapped"
    WITHDRAWN = "withdrawn"
    TIME_CALLED = "time-called"
    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    VOIDED = "voided"
    BY_ITSELF = "by-itself"
    GAME_OVER = "game-over"
    """Nobody solved it before the game ended."""


class RehearsalStage(enum.Enum):
    """The stage of a rehearsal."""

    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"
    FAILED = "failed"


class SetupStep(enum.Enum):
    """The steps of setting up a hall; the page shows them as sentences."""

    STATION = "starting the station"
    PLAYERS = "registering the players"
    TABLE = "starting table {n} of {all}"
    SPARE = "starting spare {n} of {all}"
    CONNECTIONS = "waiting for all tables to connect"


class RehearsalStep(msgspec.Struct, frozen=True):
    """The progress of setting up a hall. ``number`` and ``of`` count tables or spares, else are 0."""

    doing: SetupStep
    number: int = 0
    of: int = 0


class GetState(msgspec.Struct, frozen=True, tag="look"):
    """Request the current state."""


class MakeFault(msgspec.Struct, frozen=True, tag="make-fault"):
    """Cause a fault at a table."""

    table: int
    kind: FaultKind


class PerformAction(msgspec.Struct, frozen=True, tag="lend-hand"):
    """Perform a judge's action at a table."""

    table: int
    hand: JudgeAction


class SetPace(msgspec.Struct, frozen=True, tag="set-pace"):
    """Set the speed, a multiple of people's, and the random faults per hour. None changes nothing."""

    speed: float | None = None
    per_hour: float | None = None


class End(msgspec.Struct, frozen=True, tag="end"):
    """End the rehearsal and clean up; the answer contains the final list of faults."""


Request = GetState | MakeFault | PerformAction | SetPace | End


class TableNow(msgspec.Struct, frozen=True):
    """A table of the hall.

    wire: ``tls`` or ``serial``.
    scene: the scene on its screen, or empty while it is dark.
    door: address of its virtual terminal, which only the rehearsal's own machine can open.
    raises_hand: whether a player is calling a judge across the hall.
    """

    table: int
    wire: str
    door: str
    scene: str = ""
    raises_hand: bool = False


class FaultNow(msgspec.Struct, frozen=True):
    """A fault. Seconds count from the start of the rehearsal.

    shows_s: when it became noticeable, or None while it is latent, like a dispute before the ending.
    reacted_s: when a judge first acted at that table afterwards.
    """

    number: int
    kind: FaultKind
    table: int
    began_s: float
    shows_s: float | None = None
    reacted_s: float | None = None
    solved_s: float | None = None
    solved: Solved | None = None


class RehearsalState(msgspec.Struct, frozen=True):
    """The answer to every request.

    pages: address of the rehearsal's station.
    judge, password: the login there.
    step: the progress of its start.
    why: the last output if it failed.
    sheets_done, sheets: record sheets of the current round.
    said: the result of the request.
    seconds: time since the start.
    megabytes: memory of all its processes in total, counting shared pages once.
    """

    stage: RehearsalStage
    step: RehearsalStep | None = None
    why: str = ""
    pages: str = ""
    judge: str = ""
    password: str = ""
    tournament: str = ""
    round: int = 0
    sheets_done: int = 0
    sheets: int = 0
    speed: float = 1.0
    per_hour: float = 0.0
    seconds: float = 0.0
    megabytes: int = 0
    spares: int = 0
    tables: tuple[TableNow, ...] = ()
    faults: tuple[FaultNow, ...] = ()
    said: ActionResult | None = None


request_decoder = msgspec.json.Decoder(Request)
state_decoder = msgspec.json.Decoder(RehearsalState)
