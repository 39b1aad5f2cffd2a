"""Events for the players' answers on an ending."""

import msgspec

from core.terms import SeatNo


class _AgreementEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    seat: SeatNo


class EndingAgreed(_AgreementEvent, frozen=True, tag="ending-agreed"):
    """A player agrees with the ending, which also withdraws a dispute."""


class AgreementWithdrawn(_AgreementEvent, frozen=True, tag="agreement-withdrawn"):
    """A player withdraws an agreement or a dispute."""


class EndingDisputed(_AgreementEvent, frozen=True, tag="ending-disputed"):
    """A player disputes the ending."""


class AgreementWaived(_AgreementEvent, frozen=True, tag="agreement-waived"):
    """The judge goes on without this player's answer."""


AgreementEvent = EndingAgreed | AgreementWithdrawn | EndingDisputed | AgreementWaived
