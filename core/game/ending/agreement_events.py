"""What the players say about an ending: events of their own, told apart like all others."""

import msgspec

from saloon.core.terms import SeatNo


class _AgreementEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    seat: SeatNo


class EndingAgreed(_AgreementEvent, frozen=True, tag="ending-agreed"):
    """A player agrees that the game ended so; what the same player had disputed is settled."""


class AgreementWithdrawn(_AgreementEvent, frozen=True, tag="agreement-withdrawn"):
    """A player does not agree after all, and disputes nothing either."""


class EndingDisputed(_AgreementEvent, frozen=True, tag="ending-disputed"):
    """A player says that the game did not end so."""


class AgreementWaived(_AgreementEvent, frozen=True, tag="agreement-waived"):
    """The judge goes on without this player's word."""


AgreementEvent = EndingAgreed | AgreementWithdrawn | EndingDisputed | AgreementWaived
