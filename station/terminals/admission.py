"""Enrolment of new terminals by a judge: those waiting at a cable, and by join code."""

import asyncio

import msgspec
import structlog

from core.terms import TableNo
from station.enrolment.enrolments import JoinCode, check_table_number
from station.hall.station_context import StationContext
from station.projections.terminal_cards import CodeState, JoinCodeState, NewTerminal
from station.terminals.service import check_not_playing
from sync.enrolment.agreement import in_groups

_log = structlog.get_logger()


class TerminalAdmission:
    """Enrols or refuses unknown terminals."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    def waiting(self) -> tuple[NewTerminal, ...]:
        """Return the terminals waiting at a cable to be enrolled."""
        return self._context.newcomers.waiting()

    async def take_in(
        self, check_code: str, table: TableNo | None, by: str, *, is_floor: bool = True
    ) -> None:
        """Enrol the terminal that shows this check code. Raises KeyError if it is gone, BadData.

        ``is_floor`` means that ``by`` is a floor or head judge. For others, raises Refused while the table is
        playing.
        """
        newcomers = self._context.newcomers
        check_not_playing(self._context, table, is_floor=is_floor)
        terminal = await self._context.run_to_completion(
            newcomers.take_in(check_code, check_table_number(table), by=by, trusted=is_floor)
        )
        _log.info("terminal taken in", terminal=terminal, table=table, by=by)

    async def refuse(self, check_code: str, by: str) -> None:
        """Refuse the terminal that shows this check code. Raises KeyError if it is gone."""
        self._context.newcomers.refuse(check_code)
        _log.info("terminal refused", by=by)

    async def show_code(self, table: TableNo | None, by: str, *, is_floor: bool = True) -> None:
        """Show a new join code, which invalidates the previous one.

        Raises BadData, and as ``take_in`` does.
        """
        check_not_playing(self._context, table, is_floor=is_floor)
        work = self._context.newcomers.show_code(check_table_number(table), by=by, trusted=is_floor)
        await self._context.run_to_completion(work)
        self._context.feed.publish("terminals")
        _log.info("code shown", table=table, by=by)

    async def code_shown(self, *, is_floor: bool) -> JoinCodeState | None:
        """Return the join code or the outcome of a recent one, or None if there is none.

        ``is_floor`` means that a floor or head judge reads it. Others get a judge's code as empty: its
        terminal is trusted.
        """
        codes = self._context.parts.enrolments.codes
        last = await asyncio.to_thread(codes.last)
        if last is None:
            return None
        state = _join_code_state(last, codes.remaining_ms(last))
        return msgspec.structs.replace(state, code="") if last.trusted and not is_floor else state


def _join_code_state(last: JoinCode, left_ms: int) -> JoinCodeState:
    if left_ms:
        state = CodeState.VALID
    elif last.was_right is None:
        state = CodeState.OVER if last.tried_by is None else CodeState.CHECKED
    else:
        state = CodeState.LET_IN if last.was_right else CodeState.WRONG
    code = in_groups(last.code) if state is CodeState.VALID else ""
    return JoinCodeState(state, last.table, left_s=-(-left_ms // 1000), code=code)
