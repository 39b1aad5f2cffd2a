"""A terminal itself: taken in, sent away, tested, ordered by its station, at fault, carrying a result."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec.structs import replace

from core.game.ending.sheet import ConfirmSheet
from core.game.state.game import Confirmation
from core.terms import MessageId, TableNo
from hardware.contract import (
    Battery,
    Fan,
    Heat,
    PanelButton,
    PartFailed,
    RepairHint,
    SensorReadings,
    Supply,
    SupplyTrouble,
)
from hardware.part_wiring import KeyWiring
from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.link.qr_codes import code_of
from kiosk.view.panel_view import PartsView, SelfTestInput, ShutDown
from kiosk.view.table_view import (
    CodeOutcome,
    Delivery,
    Enrolment,
    FileProblem,
    OfflineExportView,
    ParcelContents,
    ShownMessage,
    ShownParcel,
    StationOrdersView,
    TableView,
    UpdateShown,
    UpdateView,
    UsbStickState,
)
from sync.enrolment.provisioning_keys import PANELS, Fault
from sync.protocol.parcel import parts_of
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.moments import Moment, Table, moments

_ADDRESS: Final = "192.168.100.110:7373"
_KEYS: Final = tuple(f"key-{key}" for key in "ABCDEFG")
_WHOLE: Final = tuple(f"key-{key}" for key in "ABCDEFGHJK")
_ROTATION: Final = FileProblem(
    14, "rotation = 45", "[terminal] rotation", Fault.ONE_OF, (("choices", "0, 90, 180, 270"),)
)
_PROBLEMS: Final = {
    "key": _ROTATION,
    "meant": FileProblem(
        15, 'langauge = "it"', "[terminal] langauge", Fault.NO_KEY_BUT, (("meant", "language"),)
    ),
    "long-line": FileProblem(
        2,
        'addresses = ["192.168.100.110:7373", "saloon.example.org:7373"…',
        "[station] addresses",
        Fault.ADDRESSES,
    ),
    "panel": FileProblem(
        16, 'panel = "bare-pi-2"', "[terminal] panel", Fault.PANEL, (("choices", ", ".join(PANELS)),)
    ),
    "no-toml": FileProblem(20, "password = •••", "", Fault.NO_TOML),
    "no-text": FileProblem(fault=Fault.NO_TEXT),
    "disk": FileProblem(detail="/var/lib/saloon/boot.toml: Input/output error"),
}


def enrolment_moments() -> Iterator[Moment]:
    """Yield the three ways to enrol, the code at each of its answers, and revocation."""
    alone = _view(Enrolment())
    yield Moment("enrol", "enrol", alone)
    yield Moment("enrol-at-cable", "enrol", _view(Enrolment(place="serial /dev/ttyUSB0")))
    compare = Enrolment(check_code="482913", place="serial /dev/ttyUSB0")
    yield Moment("enrol-compare", "enrol", _view(compare))
    yield Moment("enrol-refused", "enrol", _view(Enrolment(place="serial /dev/ttyUSB0", refused=True)))
    for name, problem in _PROBLEMS.items():
        yield Moment(f"enrol-file-{name}", "enrol", _view(Enrolment(file_problem=problem)))
    somewhere = _view(Enrolment(addresses=(_ADDRESS,)))
    yield Moment("join-code", "join-code", somewhere, ("type-code",))
    yield Moment("join-code-typed", "join-code", somewhere, ("type-code", *_KEYS))
    for outcome in CodeOutcome:
        if outcome is CodeOutcome.TRYING or outcome is CodeOutcome.NONE:
            continue
        tried = _view(Enrolment(addresses=(_ADDRESS,), outcome=outcome))
        yield Moment(
            f"join-code-{outcome.value.replace(' ', '-')}",
            "join-code",
            tried,
            ("type-code", *_WHOLE, "try-code"),
        )
    revoked = replace(alone, table=TableNo(4), delivery=Delivery(link=LinkPhase.REVOKED))
    yield Moment("revoked", "waiting", revoked)
    yield Moment("revoked-enrol", "enrol", revoked, ("enrol",))


def _view(enrolment: Enrolment) -> TableView:
    delivery = Delivery(link=LinkPhase.NOT_ENROLLED)
    return TableView(None, None, None, delivery, now_ms=1000, enrolment=enrolment)


_NAMES: Final = (
    "button reshuffle", "lamp in reshuffle", "button shut-down", "key", "lamp", "buzzer", "backlight",
    "fan", "battery", "supply", "heat",
)  # fmt: skip
_KEY: Final = (replace(KeyWiring.state, on=True),)
_WEAK: Final = frozenset({SupplyTrouble.UNDER_VOLTAGE, SupplyTrouble.THROTTLED})
_READINGS: Final = SensorReadings(
    Supply(frozenset({SupplyTrouble.UNDER_VOLTAGE}), _WEAK),
    Battery(83, on_mains=False),
    Heat(61),
    Fan(100, 2970),
)
_FAILED: Final = (
    PartFailed("button end-turn", "stuck: closed for a minute", RepairHint.RELEASE),
    PartFailed("supply", "there is no vcgencmd here", RepairHint.RIGHTS),
    PartFailed("fan", "stalled", RepairHint.FAN),
)
_OPEN: Final = ("menu", "judge-menu", "self-test")
_COURSE: Final = (
    ("button-reshuffle", "broken"),
    ("button-shut-down", "broken"),
    ("key", "broken"),
    ("lamp-red", "seen-red"),
    ("lamp-green", "seen-green"),
    ("lamp-blue", "seen-blue"),
    ("lamp-white", "seen-nothing"),
    ("buzzer", "works"),
    ("backlight", "works"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "next-colour"),
    ("pixels", "works"),
    ("touch", "works"),
    ("calibration", "as-it-was"),
    ("power", "broken"),
)
"""Each page by its part, and the touch that leads to the next."""


def selftest_moments(seats: int) -> Iterator[Moment]:
    """Every page of a self-test, in order, and the question of the shut-down button."""
    play = replace(Table(seats).running().view(), judge_present=True)
    view = replace(play, parts=PartsView(_NAMES, _FAILED, _READINGS, SelfTestInput(), switches=_KEY))
    yield Moment("test-start", "test-start", view, _OPEN)
    touches: tuple[str, ...] = (*_OPEN, "start")
    for number, (part, touch) in enumerate(_COURSE, 1):
        yield Moment(f"test-{number:02}-{part}", f"test-{part}", view, touches)
        touches = (*touches, touch)
    yield Moment("test-report", "test-report", view, touches)
    pressed = PartsView(_NAMES, (), _READINGS, SelfTestInput((PanelButton.RESHUFFLE,)))
    yield Moment(
        "test-button-pressed", "test-button-reshuffle", replace(play, parts=pressed), (*_OPEN, "start")
    )
    question = PartsView(_NAMES, shut_down=ShutDown.ASKED)
    yield Moment("shut-down", "shut-down", replace(play, parts=question))
    yield Moment("shut-down-failed", "shut-down", replace(play, parts=PartsView(shut_down=ShutDown.FAILED)))


SHORT: Final = "Stop playing, lunch is at 13:00"
LONGEST: Final = (
    "Finish the turn you are in, then put the cards down as they are and come to the stage. "
    "Leave the terminal switched on: we will carry on with the same hands at a quarter past two, "
    "so don't be late, please."
)
"""As long as a message may be."""
SHOUTED: Final = LONGEST.upper()


def station_moments(seats: int) -> Iterator[Moment]:
    """Yield each of them once; over a game of ``seats`` seats, or between games."""
    play = Table(seats).running().view()
    free = TableView(None, None, None, Delivery(3, 3, 3, LinkPhase.CONNECTED), 0)

    def message(text: str, *, after: int = 0) -> StationOrdersView:
        message_shown = ShownMessage(MessageId("m1"), text, "Francesca Maria", after=after, may_confirm=True)
        return StationOrdersView(message_shown)

    yield Moment("message", "message", replace(play, station=message(SHORT)))
    yield Moment("message-long", "message", replace(play, station=message(LONGEST, after=2)))
    yield Moment("message-loud", "message", replace(free, station=message(SHOUTED)))
    locked = StationOrdersView(locked_by="Francesca Maria")
    yield Moment("glass-locked", "glass-locked", replace(play, station=locked))
    yield Moment("glass-locked-without-a-game", "glass-locked", replace(free, station=locked))
    yield Moment("glass-unlocks", "pin", replace(play, station=locked), ("unlock-glass",))
    yield Moment("identified", "identified", replace(play, station=StationOrdersView(is_identified=True)))
    spare = StationOrdersView(is_identified=True, name="3fa29b1c")
    yield Moment("identified-spare", "identified", replace(free, station=spare))


_NOT_STARTED = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0)


def trouble_moments(seats: int) -> Iterator[Moment]:
    """Yield each of them once; the first in a game of ``seats`` seats."""
    play = next(moment for moment in moments(seats) if moment.picture == "play")
    yield replace(play, picture="trouble", scene="trouble", trouble=TroubleScene("1A2B"))
    damaged = TroubleScene("3C4D", "/var/lib/saloon/journal.db: not a journal")
    yield Moment("trouble-start", "trouble", _NOT_STARTED, trouble=damaged)
    worn = TroubleScene("CA06", "/var/lib/saloon/key.pem.new: Read-only file system", is_of_card=True)
    yield Moment("trouble-card", "trouble", _NOT_STARTED, trouble=worn)


def update_moments() -> Iterator[Moment]:
    free = TableView(TableNo(12), None, None, Delivery(3, 3, 3, LinkPhase.CONNECTED), 0)
    for stage, scene in (
        (UpdateShown.FETCHING, "waiting"),
        (UpdateShown.SOON, "new-version"),
        (UpdateShown.APPLYING, "new-version"),
    ):
        update = UpdateView(stage, "0.3.0", 40)
        yield Moment(f"update-{stage.value}", scene, replace(free, update=update))


_AWAY: Final = Delivery(entered=96, saved=96, received=39, link=LinkPhase.SEARCHING)
_HELD: Final = OfflineExportView(has_sheet=True, owed=57, of_game=96)
_SHEET: Final = bytes(range(256)) * 2
_GAME: Final = bytes(range(256)) * 10


def carry_moments(seats: int) -> Iterator[Moment]:
    """Yield the choice, codes of a sheet and of a game, and every message about a stick."""
    confirmed = Table(seats).declared().do(ConfirmSheet(Confirmation.KEY)).view(_AWAY)
    open_ = ("carry",)
    yield Moment("carry", "carry", replace(confirmed, carried=_HELD), open_)
    sheet = replace(Table(seats).declared().view(_AWAY), carried=_HELD)
    yield Moment("carry-unconfirmed", "carry", sheet, open_)
    running = replace(Table(seats).running().view(_AWAY), judge_present=True)
    by_judge = replace(running, carried=replace(_HELD, has_sheet=False))
    yield Moment("carry-by-judge", "carry", by_judge, ("menu", "judge-menu", "carry"))
    for picture, parcel in _parcels():
        held = replace(_HELD, parcel=parcel)
        yield Moment(picture, "code", replace(confirmed, carried=held), ("carry", "show-sheet"))
    for state in UsbStickState:
        held = replace(_HELD, stick=state, file="saloon-table-4-0a1b2c3d4e5f6071.parcel")
        picture = f"stick-{state.value.replace(' ', '-')}"
        yield Moment(picture, "stick", replace(confirmed, carried=held), ("carry", "write-stick"))


@cache
def _parcels() -> tuple[tuple[str, ShownParcel], ...]:
    (sheet,) = parts_of(_SHEET)
    game = parts_of(_GAME)
    stopped = ShownParcel(ParcelContents.OWED, 3, len(game), code_of(game[2]), 41, 96, 250, is_playing=False)
    return (
        ("code-sheet", ShownParcel(ParcelContents.SHEET, 1, 1, code_of(sheet))),
        ("code-game", ShownParcel(ParcelContents.GAME, 2, len(game), code_of(game[1]), 41, 96)),
        ("code-stopped", stopped),
    )
