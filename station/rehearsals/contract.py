"""What can be asked of a running rehearsal, and what it answers: one line of JSON each way."""

import enum

import msgspec


class FaultKind(enum.Enum):
    """What can go wrong at a table of a rehearsal."""

    CUT_CABLE = "cut-cable"
    NOISY_LINE = "noisy-line"
    FLAT_BATTERY = "flat-battery"
    DEAD_UNIT = "dead-unit"
    SLEEPY_TABLE = "sleepy-table"
    WALKED_AWAY = "walked-away"
    DISPUTED_ENDING = "disputed-ending"
    WRONG_SHEET = "wrong-sheet"
    STATION_STALLS = "station-stalls"
    """Of the whole station: for some seconds it does nothing, as with a disk that is too slow."""


class Hand(enum.Enum):
    """What a judge can do at a table with the own hands."""

    CABLE = "cable"
    """Look after the cable: plug it in, change it for another."""
    POWER = "power"
    """Look after the power: plug it in, change the battery, switch on."""
    TALK = "talk"
    """Speak with the players."""


class Said(enum.Enum):
    """What a judge finds who lends a hand; sentences are made of it on the page."""

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
    """How a fault came to its end."""

    BY_HAND = "by-hand"
    SWAPPED = "swapped"
    WITHDRAWN = "withdrawn"
    TIME_CALLED = "time-called"
    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    VOIDED = "voided"
    BY_ITSELF = "by-itself"
    GAME_OVER = "game-over"
    """Nobody solved it; the game ended all the same."""


class Stage(enum.Enum):
    """How far a rehearsal is."""

    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"
    FAILED = "failed"


class Doing(enum.Enum):
    """What is done while a hall is set up; sentences are made of it on the page."""

    STATION = "starting the station"
    PLAYERS = "registering the players"
    TABLE = "starting table {n} of {all}"
    SPARE = "starting spare {n} of {all}"
    CONNECTIONS = "waiting for all tables to be connected"


class Step(msgspec.Struct, frozen=True):
    """How far the setting up of a hall is. number, of: of the table or spare; 0 where nothing is counted."""

    doing: Doing
    number: int = 0
    of: int = 0


class Look(msgspec.Struct, frozen=True, tag="look"):
    """Ask how it is going."""


class MakeFault(msgspec.Struct, frozen=True, tag="make-fault"):
    """Let something go wrong at a table."""

    table: int
    kind: FaultKind


class LendHand(msgspec.Struct, frozen=True, tag="lend-hand"):
    """The judge goes to a table and does something there."""

    table: int
    hand: Hand


class SetPace(msgspec.Struct, frozen=True, tag="set-pace"):
    """Change how quick it goes; None leaves a thing as it is.

    speed: how many times as fast as people. per_hour: faults that come by themselves in an hour, all
    tables together.
    """

    speed: float | None = None
    per_hour: float | None = None


class End(msgspec.Struct, frozen=True, tag="end"):
    """End the rehearsal; what was wrong is answered once more, and nothing is left behind."""


Request = Look | MakeFault | LendHand | SetPace | End


class TableNow(msgspec.Struct, frozen=True):
    """A table of the hall. wire: ``tls`` or ``serial``. scene: of its screen, empty while dark.

    door: address of its virtual terminal, on the machine of the rehearsal only. raises_hand: somebody
    there calls a judge across the hall.
    """

    table: int
    wire: str
    door: str
    scene: str = ""
    raises_hand: bool = False


class FaultNow(msgspec.Struct, frozen=True):
    """A fault. Seconds count from the start of the rehearsal.

    shows_s: when it could first be noticed; None while it lies in wait, as a dispute does before the
    ending. reacted_s: when a judge first did something for that table after that.
    """

    number: int
    kind: FaultKind
    table: int
    began_s: float
    shows_s: float | None = None
    reacted_s: float | None = None
    solved_s: float | None = None
    solved: Solved | None = None


class Told(msgspec.Struct, frozen=True):
    """The answer to every request.

    pages: address of the rehearsal's own station; judge, password: of its login; pin: the judge's PIN
    at its tables. step: what it is doing while it starts. why: of one that failed, its last words.
    sheets_done, sheets: of the round that is played. said: what came of the request. seconds: since its
    start. megabytes: memory of all its processes together, shared pages counted once.
    """

    stage: Stage
    step: Step | None = None
    why: str = ""
    pages: str = ""
    judge: str = ""
    password: str = ""
    pin: str = ""
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
    said: Said | None = None


request_decoder = msgspec.json.Decoder(Request)
told_decoder = msgspec.json.Decoder(Told)
