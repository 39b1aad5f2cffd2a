"""Enrolment of new terminals: by token, by join code, or at a cable once a judge allows it.

``EnrolmentDirectory`` serves the hub, ``TerminalAdmission`` the judge's pages.
"""

import asyncio
import secrets
from collections.abc import Sequence

import msgspec
import structlog

from base.errors import Unavailable
from core.terms import TableNo
from station.enrolment.enrolments import Enrolments, JoinCode, check_table_number
from station.hall.station_context import StationContext, WaitingTerminal, uninterrupted
from station.projections.cards import CodeState, JoinCodeState, NewTerminal
from station.store.database import DatabaseDamaged
from station.terminals.service import check_not_playing, on_enrolled
from sync.enrolment.agreement import (
    RANDOM_BYTES,
    AskJudge,
    CodeTried,
    code_key,
    code_of,
    in_groups,
    is_same,
    station_proof,
    terminal_proof,
)
from sync.enrolment.station_side import StrangerRefused
from sync.protocol.entry import TerminalId
from sync.protocol.messages import CloseCause
from sync.tls.certificates import fingerprint_of_pem

_log = structlog.get_logger()


class EnrolmentDirectory:
    """The enrolments for the hub (``KnownTerminals``), which also notifies the service of new terminals."""

    def __init__(
        self, enrolments: Enrolments, context: StationContext, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._enrolments = enrolments
        self._context = context
        self._loop = loop
        self._new: dict[TerminalId, str] = {}

    def certificates(self) -> Sequence[str]:
        """Return the certificates of all terminals that may connect, PEM."""
        known = self._context.terminals
        there = {terminal.terminal for terminal in known}
        # A terminal may reconnect before the service has read its enrolment.
        new = [certificate for terminal, certificate in self._new.items() if terminal not in there]
        return (*(terminal.certificate for terminal in known if not terminal.revoked), *new)

    def addresses(self) -> tuple[str, ...]:
        return self._context.addresses

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        """Enrol a terminal by a token, which is then used up. Called on a worker thread."""
        try:
            terminal = self._enrolments.enrol(token, certificate, self._context.playing)
        except DatabaseDamaged as error:
            # A stranger learns about faults in its certificate, but nothing about our database.
            raise Unavailable(str(error)) from error
        if terminal is not None:
            self._new[terminal] = certificate
            self._loop.call_soon_threadsafe(self._on_enrolled, terminal, certificate)
        return terminal

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        """Enrol a terminal durably if it knows the join code, and return the station's proof.

        A wrong proof invalidates the code. Raises StrangerRefused.
        """
        codes = self._enrolments.codes
        terminal = fingerprint_of_pem(tried.certificate, "enrolment")
        claimed = await asyncio.to_thread(codes.claim, terminal)
        if claimed is None:
            raise StrangerRefused("no code is valid now; have the station show a new one", CloseCause.NO_CODE)
        key = await asyncio.to_thread(code_key, claimed.code, tried.parties)
        is_right = is_same(tried.proof, terminal_proof(key))
        if is_right and claimed.repeats:
            # The first answer was lost. A terminal that was revoked meanwhile is refused.
            is_right = await asyncio.to_thread(self._enrolments.is_enrolled, terminal)
        elif is_right:
            await _add(
                self._context, tried.certificate, claimed.table, by=claimed.by, trusted=claimed.trusted
            )
        await asyncio.to_thread(codes.record_outcome, claimed, was_right=is_right)
        _log.info("a code was tried", terminal=terminal, place=place, right=is_right)
        self._context.feed.publish("terminals")
        if not is_right:
            raise StrangerRefused(
                "the code is wrong, and used up; have a new one shown", CloseCause.WRONG_CODE
            )
        self._on_enrolled(terminal, tried.certificate)
        return station_proof(key)

    async def ask_judge(self, request: AskJudge, place: str) -> None:
        """Wait for the judge's decision on a terminal (see ``KnownTerminals``).

        A known terminal is accepted at once: it asks again because the first answer was lost.
        """
        terminal = fingerprint_of_pem(request.certificate, "enrolment")
        known = self._context.terminals_by_id.get(terminal)
        if (known is None or known.revoked) and not await self._at_cable(request, place):
            raise StrangerRefused("the judge has refused this terminal", CloseCause.REFUSED)
        self._on_enrolled(terminal, request.certificate)

    async def _at_cable(self, request: AskJudge, place: str) -> bool:
        """Return the judge's decision. Raises Unavailable if another terminal shows the same code."""
        waiting, code = self._context.waiting, request.check_code
        if code in waiting:
            raise Unavailable("another terminal shows the same code; it draws a new one")
        newcomer = NewTerminal(fingerprint_of_pem(request.certificate, "enrolment"), place, code)
        verdict: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting[code] = WaitingTerminal(newcomer, request.certificate, verdict)
        _log.info("a new terminal at the cable", terminal=newcomer.terminal, place=place)
        self._context.feed.publish("terminals")
        try:
            return await verdict
        finally:
            del waiting[code]
            self._context.feed.publish("terminals")

    def _on_enrolled(self, terminal: TerminalId, certificate: str) -> None:
        _log.info("terminal enrolled", terminal=terminal)
        self._new[terminal] = certificate
        self._context.spawn(on_enrolled(self._context, terminal))


class TerminalAdmission:
    """Enrols or refuses unknown terminals, as the judge decides."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    def waiting(self) -> tuple[NewTerminal, ...]:
        """Return the terminals that wait at a cable, in order of arrival."""
        return tuple(one.newcomer for one in self._context.waiting.values())

    @uninterrupted
    async def take_in(
        self, check_code: str, table: TableNo | None, by: str, *, is_floor: bool = True
    ) -> None:
        """Enrol the terminal that shows this check code. Raises BadData, and KeyError if it is gone.

        is_floor: whether ``by`` is a floor or head judge. For others, raises Refused while the table is
            playing.
        """
        check_not_playing(self._context, table, is_floor=is_floor)
        checked, one = check_table_number(table), self._context.waiting[check_code]
        await _add(self._context, one.certificate, checked, by=by, trusted=is_floor)
        # If it has left meanwhile, it is enrolled anyway, and notified when it asks again.
        if not one.verdict.done():
            one.verdict.set_result(True)
        _log.info("terminal enrolled at a cable", terminal=one.newcomer.terminal, table=table, by=by)

    async def refuse(self, check_code: str, by: str) -> None:
        """Refuse the terminal that shows this check code. Raises KeyError if it is gone."""
        verdict = self._context.waiting[check_code].verdict
        if not verdict.done():
            verdict.set_result(False)
        _log.info("terminal refused", by=by)

    @uninterrupted
    async def show_code(self, table: TableNo | None, by: str, *, is_floor: bool = True) -> None:
        """Show a new join code, which invalidates the previous one. Raises as ``take_in`` does."""
        check_not_playing(self._context, table, is_floor=is_floor)
        checked, code = check_table_number(table), code_of(secrets.token_bytes(RANDOM_BYTES))
        show = self._context.parts.enrolments.codes.show
        await asyncio.to_thread(show, code, checked, by=by, trusted=is_floor)
        self._context.feed.publish("terminals")
        _log.info("code shown", table=table, by=by)

    async def code_shown(self, *, is_floor: bool) -> JoinCodeState | None:
        """Return the join code or the outcome of a recent one, or None if there is none.

        is_floor: whether a floor or head judge reads it. Others don't see a code shown by such a judge, as
            its terminal is trusted.
        """
        codes = self._context.parts.enrolments.codes
        last = await asyncio.to_thread(codes.last)
        if last is None:
            return None
        state = _join_code_state(last, codes.remaining_ms(last))
        return msgspec.structs.replace(state, code="") if last.trusted and not is_floor else state


async def _add(
    context: StationContext, certificate: str, table: TableNo | None, *, by: str, trusted: bool
) -> None:
    add = context.parts.enrolments.add_vouched
    await asyncio.to_thread(add, certificate, table, context.playing, by=by, trusted=trusted)


def _join_code_state(last: JoinCode, left_ms: int) -> JoinCodeState:
    if left_ms:
        state = CodeState.VALID
    elif last.was_right is None:
        state = CodeState.OVER if last.tried_by is None else CodeState.CHECKED
    else:
        state = CodeState.LET_IN if last.was_right else CodeState.WRONG
    code = in_groups(last.code) if state is CodeState.VALID else ""
    return JoinCodeState(state, last.table, left_s=-(-left_ms // 1000), code=code)
