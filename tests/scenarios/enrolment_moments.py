"""A terminal at each moment of being taken in, and of being sent away."""

from collections.abc import Iterator
from typing import Final

import msgspec

from core.terms import TableNo
from kiosk.view.table_view import CodeOutcome, Delivery, Enrolment, FileProblem, TableView
from sync.enrolment.provisioning_keys import PANELS, Fault
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.moments import Moment

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
    revoked = msgspec.structs.replace(alone, table=TableNo(4), delivery=Delivery(link=LinkPhase.REVOKED))
    yield Moment("revoked", "waiting", revoked)
    yield Moment("revoked-enrol", "enrol", revoked, ("enrol",))


def _view(enrolment: Enrolment) -> TableView:
    delivery = Delivery(link=LinkPhase.NOT_ENROLLED)
    return TableView(None, None, None, delivery, now_ms=1000, enrolment=enrolment)
