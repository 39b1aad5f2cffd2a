"""Questions of the station's end of an enrolment to the store and the judge."""

import msgspec

from saloon.sync.enrolment.agreement import Parties


class TokenShown(msgspec.Struct, frozen=True):
    """A stranger showed the token of a provisioning file. certificate: the stranger's, PEM."""

    token: str
    certificate: str


class AskJudge(msgspec.Struct, frozen=True):
    """A stranger at a cable waits for the judge. check_code: six digits, shown at both ends."""

    certificate: str
    check_code: str


class CodeTried(msgspec.Struct, frozen=True):
    """A stranger tried the code that the station shows. proof: of the key of code and parties."""

    certificate: str
    parties: Parties
    proof: bytes


Question = TokenShown | AskJudge | CodeTried
