"""The progress of enrolment and delivery, from events of the link to what the screen shows."""

from typing import assert_never

import msgspec
import structlog

from base.errors import BadData, Unavailable
from kiosk.view.table_view import CodeOutcome, Delivery, Enrolment, FileProblem
from sync.enrolment.provisioning_keys import WrongFile
from sync.protocol.messages import CloseCause
from sync.terminal.agent_contract import (
    EnrolmentChanged,
    EnrolmentStage,
    ForgetAddress,
    LinkChanged,
    LinkPhase,
    LinkReport,
    LinkRequest,
    SendAgain,
    TryJoinCode,
    UseAddress,
)


class DeliveryProgress:
    """The number of entries that were entered, saved, and received by the station. ``link`` is its state."""

    def __init__(self, *, is_enrolled: bool) -> None:
        self.link = LinkPhase.SEARCHING if is_enrolled else LinkPhase.NOT_ENROLLED
        self.report = LinkReport(LinkPhase.SEARCHING)
        self.saved = self.received = 0
        self._entered = 0
        self._owes_since_ms: int | None = None

    def on_resumed(self, own: int, received: int) -> None:
        self._entered = self.saved = own
        self.received = received

    def on_entered(self, seq: int) -> None:
        self._entered = seq

    def on_saved(self, seq: int) -> None:
        self.saved = max(self.saved, seq)

    def on_received(self, seq: int) -> None:
        self.received = max(self.received, seq)

    def on_link_changed(self, news: LinkChanged) -> None:
        self.link = news.phase
        _log.info("link", phase=news.phase.value, detail=news.detail)

    def on_enrolled(self) -> None:
        self.link = LinkPhase.SEARCHING

    def advance(self, now_ms: int) -> None:
        """Note since when entries have been missing at the station."""
        if self.received >= self._entered:
            self._owes_since_ms = None
        elif self._owes_since_ms is None:
            self._owes_since_ms = now_ms

    def view(self) -> Delivery:
        return Delivery(self._entered, self.saved, self.received, self.link, self._owes_since_ms)


_log = structlog.get_logger()
_OUTCOMES = {
    CloseCause.WRONG_CODE: CodeOutcome.WRONG,
    CloseCause.NO_CODE: CodeOutcome.NOT_VALID,
}


class EnrolmentProgress:
    """The state of enrolment; ``view`` is what the screen shows. ``addresses`` are where to try codes."""

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
        self._show(outcome=CodeOutcome.TRYING)

    def on_request(self, request: LinkRequest) -> None:
        """Try codes at a typed address first, or forget that address."""
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
        """Show the progress or the end of an enrolment."""
        _log.info("enrolment", stage=news.stage.value, place=news.place, cause=news.cause.value)
        match news.stage:
            case EnrolmentStage.COMPARE:
                self._show(check_code=news.check_code, place=news.place, refused=False)
            case EnrolmentStage.SEARCHING:
                self._show(check_code="", place=news.place or self.view.place)
            case EnrolmentStage.TRYING_CODE:
                self._show(check_code="", outcome=CodeOutcome.TRYING)
            case EnrolmentStage.FAILED if news.by_code:
                outcome = _OUTCOMES.get(news.cause, CodeOutcome.NOT_PROVEN)
                self._show(check_code="", outcome=CodeOutcome.NOT_REACHED if news.not_reached else outcome)
            case EnrolmentStage.FAILED:
                self._show(check_code="", refused=news.cause is CloseCause.REFUSED)
            case EnrolmentStage.DONE:
                self._show(check_code="", outcome=CodeOutcome.NONE, refused=False, file_problem=None)
            case EnrolmentStage.IDLE:
                self._show(check_code="")

    def _show(self, **changed: object) -> None:
        self.view = msgspec.structs.replace(self.view, **changed)


def file_problem_from_error(error: BadData | Unavailable) -> FileProblem:
    """Convert an error into the provisioning file's problem, for the screen to explain."""
    if not isinstance(error, WrongFile):
        return FileProblem(detail=str(error))
    key = " ".join(filter(None, (f"[{error.section}]" if error.section else "", error.key)))
    fields = tuple(error.fields.items())
    return FileProblem(error.place.number, error.place.text, key, error.fault, fields)
