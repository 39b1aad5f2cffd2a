"""The progress of this terminal's enrolment, from the link's events to the screen."""

from typing import assert_never

import msgspec
import structlog

from saloon.base.errors import BadData, Unavailable
from saloon.kiosk.view.table_view import CodeOutcome, Enrolment, FileProblem
from saloon.sync.enrolment.provisioning_faults import WrongFile
from saloon.sync.protocol.messages import CloseCause
from saloon.sync.terminal.agent_contract import (
    EnrolmentChanged,
    EnrolmentStage,
    ForgetAddress,
    LinkRequest,
    SendAgain,
    TryJoinCode,
    UseAddress,
)

_log = structlog.get_logger()
_OUTCOMES = {
    CloseCause.WRONG_CODE: CodeOutcome.WRONG,
    CloseCause.NO_CODE: CodeOutcome.NOT_VALID,
}


class EnrolmentProgress:
    """The enrolment to show. view: as of now. addresses: where codes are tried, the best first.

    is_enrolled: whether the terminal had a station when it was started.
    """

    def __init__(
        self,
        addresses: tuple[str, ...] = (),
        file_problem: FileProblem | None = None,
        *,
        is_enrolled: bool = True,
    ) -> None:
        self.is_enrolled = is_enrolled
        self.view = Enrolment(addresses=addresses, file_problem=file_problem)

    def on_trying_code(self) -> None:
        """Note that a code is being tried."""
        self._show(outcome=CodeOutcome.TRYING)

    def on_request(self, request: LinkRequest) -> None:
        """Use an address that was typed, so that codes are tried there first; or forget it."""
        match request:
            case UseAddress():
                self._show(addresses=(request.address, *self._others(request.address)))
            case ForgetAddress():
                self._show(addresses=self._others(request.address))
            case TryJoinCode() | SendAgain():
                pass
            case _:
                assert_never(request)

    def _others(self, address: str) -> tuple[str, ...]:
        return tuple(one for one in self.view.addresses if one != address)

    def on_changed(self, news: EnrolmentChanged) -> None:
        """Show that an enrolment went on, or ended."""
        _log.info("enrolment", stage=news.stage.value, place=news.place, cause=news.cause.value)
        match news.stage:
            case EnrolmentStage.COMPARE:
                self._show(check_code=news.check_code, place=news.place, refused=False)
            case EnrolmentStage.SEARCHING:
                self._show(check_code="", place=news.place or self.view.place)
            case EnrolmentStage.TRYING_CODE:
                self._show(check_code="", outcome=CodeOutcome.TRYING)
            case EnrolmentStage.FAILED if news.by_code:
                self._show(check_code="", outcome=_outcome(news))
            case EnrolmentStage.FAILED:
                self._show(check_code="", refused=news.cause is CloseCause.REFUSED)
            case EnrolmentStage.DONE:
                self._show(check_code="", outcome=CodeOutcome.NONE, refused=False, file_problem=None)
            case EnrolmentStage.IDLE:
                self._show(check_code="")

    def _show(self, **changed: object) -> None:
        self.view = msgspec.structs.replace(self.view, **changed)


def file_problem_from_error(error: BadData | Unavailable) -> FileProblem:
    """Return the problem of a provisioning file, as the screen explains it."""
    if not isinstance(error, WrongFile):
        return FileProblem(detail=str(error))
    key = " ".join(filter(None, (f"[{error.section}]" if error.section else "", error.key)))
    fields = tuple(error.fields.items())
    return FileProblem(error.place.number, error.place.text, key, error.fault, fields)


def _outcome(news: EnrolmentChanged) -> CodeOutcome:
    if news.not_reached:
        return CodeOutcome.NOT_REACHED
    return _OUTCOMES.get(news.cause, CodeOutcome.NOT_PROVEN)
