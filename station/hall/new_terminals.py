"""Unknown terminals: those waiting at a cable, and those that try the join code."""

import asyncio
import secrets
from collections.abc import Callable, Collection

import structlog

from base.errors import Unavailable
from core.terms import TableNo
from station.enrolment.enrolments import Enrolments, JoinCode
from station.projections.terminal_cards import NewTerminal
from sync.enrolment.agreement import (
    RANDOM_BYTES,
    AskJudge,
    CodeTried,
    code_key,
    code_of,
    is_same,
    station_proof,
    terminal_proof,
)
from sync.enrolment.station_side import StrangerRefused
from sync.protocol.entry import TerminalId
from sync.protocol.messages import CloseCause
from sync.tls.certificates import fingerprint_of_pem

_log = structlog.get_logger()


class NewTerminals:
    """The waiting terminals and the judge's answers to them. Used on one event loop.

    changed: called when a terminal arrived, left or tried the code.
    playing: returns the tables that only trusted terminals may get.
    """

    def __init__(
        self, enrolments: Enrolments, changed: Callable[[], None], playing: Callable[[], Collection[TableNo]]
    ) -> None:
        self._enrolments = enrolments
        self._changed = changed
        self._playing = playing
        self._waiting: dict[str, tuple[NewTerminal, str, asyncio.Future[bool]]] = {}

    def waiting(self) -> tuple[NewTerminal, ...]:
        """Return the waiting terminals, in order of arrival."""
        return tuple(newcomer for newcomer, _, _ in self._waiting.values())

    async def at_cable(self, request: AskJudge, place: str) -> bool:
        """Wait for the judge's decision and return it. Raises Unavailable if another shows the same code."""
        if request.check_code in self._waiting:
            raise Unavailable("another terminal shows the same code; it draws a new one")
        verdict: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        newcomer = NewTerminal(
            fingerprint_of_pem(request.certificate, "enrolment"), place, request.check_code
        )
        self._waiting[request.check_code] = (newcomer, request.certificate, verdict)
        _log.info("a new terminal at the cable", terminal=newcomer.terminal, place=place)
        self._changed()
        try:
            return await verdict
        finally:
            del self._waiting[request.check_code]
            self._changed()

    async def take_in(self, check_code: str, table: TableNo | None, *, by: str, trusted: bool) -> TerminalId:
        """Enrol the terminal that shows this check code, durably, and notify it.

        ``by`` and ``trusted`` are as for ``Enrolments.add_vouched``. Raises KeyError if it is gone.
        """
        newcomer, certificate, verdict = self._waiting[check_code]
        await self._add(certificate, table, by=by, trusted=trusted)
        # If it has left meanwhile, it is enrolled anyway, and notified when it asks again.
        if not verdict.done():
            verdict.set_result(True)
        return newcomer.terminal

    def refuse(self, check_code: str) -> None:
        """Refuse the terminal that shows this check code. Raises KeyError if it is gone."""
        _, _, verdict = self._waiting[check_code]
        if not verdict.done():
            verdict.set_result(False)

    async def show_code(self, table: TableNo | None, *, by: str, trusted: bool) -> JoinCode:
        """Make a new code, which invalidates the previous one."""
        code = code_of(secrets.token_bytes(RANDOM_BYTES))
        show = self._enrolments.codes.show
        return await asyncio.to_thread(show, code, table, by=by, trusted=trusted)

    async def _add(self, certificate: str, table: TableNo | None, *, by: str, trusted: bool) -> None:
        add = self._enrolments.add_vouched
        await asyncio.to_thread(add, certificate, table, self._playing(), by=by, trusted=trusted)

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        """Enrol a terminal whose proof of the code is correct, durably, and return the station's proof.

        Raises StrangerRefused. A wrong proof invalidates the code.
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
            await self._add(tried.certificate, claimed.table, by=claimed.by, trusted=claimed.trusted)
        await asyncio.to_thread(codes.record_outcome, claimed, was_right=is_right)
        _log.info("a code was tried", terminal=terminal, place=place, right=is_right)
        self._changed()
        if not is_right:
            raise StrangerRefused(
                "the code is wrong, and used up; have a new one shown", CloseCause.WRONG_CODE
            )
        return station_proof(key)
