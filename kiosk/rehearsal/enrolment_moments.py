"""A terminal at each moment of being taken in, and of being sent away."""

from collections.abc import Iterator
from typing import Final

import msgspec

from saloon.core.terms import TableNo
from saloon.kiosk.rehearsal.moments import Moment
from saloon.kiosk.table_view import CodeOutcome, Delivery, Enrolment, LinkState, TableView

_ADDRESS: Final = "192.168.100.110:7373"
_KEYS: Final = tuple(f"key-{key}" for key in "ABCDEFG")
_WHOLE: Final = tuple(f"key-{key}" for key in "ABCDEFGHJK")
_PROBLEM: Final = (
    "/var/lib/saloon/boot.toml: Expected `int`, got `str` - at `$.terminal.table`; "
    "download a new file from the station's page"
)


def enrolment_moments() -> Iterator[Moment]:
    """The three ways in, the code at each of its answers, and revocation."""
    alone = _view(Enrolment())
    yield Moment("enrol", "enrol", alone)
    yield Moment("enrol-at-cable", "enrol", _view(Enrolment(place="serial /dev/ttyUSB0")))
    compare = Enrolment(check_code="482913", place="serial /dev/ttyUSB0")
    yield Moment("enrol-compare", "enrol", _view(compare))
    yield Moment("enrol-refused", "enrol", _view(Enrolment(place="serial /dev/ttyUSB0", refused=True)))
    yield Moment("enrol-file", "enrol", _view(Enrolment(file_problem=_PROBLEM)))
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
    revoked = msgspec.structs.replace(alone, table=TableNo(4), delivery=Delivery(link=LinkState.REVOKED))
    yield Moment("revoked", "waiting", revoked)
    yield Moment("revoked-enrol", "enrol", revoked, ("enrol",))


def _view(enrolment: Enrolment) -> TableView:
    delivery = Delivery(link=LinkState.NOT_ENROLLED)
    return TableView(None, None, None, delivery, now_ms=1000, enrolment=enrolment)
