"""A terminal's connections, including its enrolment.

A terminal that has no station tries to enrol by cable, or with a code when somebody types one. It stores the
station durably, and from then on connects to it by an uplink.
"""

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from base.errors import OurFault, PeerFault, SaloonError, Unavailable
from sync.enrolment.provisioning import Provisioning, StationPart
from sync.enrolment.terminal_side import Attempt
from sync.protocol.messages import CloseCause, TurnedAway
from sync.terminal.agent_contract import (
    AgentNews,
    AgentRequest,
    EnrolmentChanged,
    EnrolmentStage,
    LinkPhase,
    LinkReport,
    TryJoinCode,
)
from sync.terminal.routes import StationRoute
from sync.terminal.station_record import StationRecord
from sync.terminal.uplink import Uplink

_log = structlog.get_logger()
_ASK_AGAIN_MS = 2_000
_AFTER_REFUSAL_MS = 30_000
_REPEAT_MS = 1_000
_REPEATS = 20
_IDLE_S = 15.0


class CableAndNetwork(msgspec.Struct, frozen=True):
    """Routes to unknown stations: cables by device, and the maker of a route to ``host:port``."""

    cables: tuple[tuple[str, StationRoute], ...]
    to: Callable[[str], StationRoute]


class TerminalConnector:
    """The connections of the agent's thread; an ``UplinkContract``. Not thread-safe.

    certificate: the file of the terminal's certificate.
    uplink_to: creates the uplink to a known station.
    """

    def __init__(
        self,
        certificate: Path,
        record: StationRecord,
        routes: CableAndNetwork,
        uplink_to: Callable[[Provisioning], Uplink],
        known: Provisioning | None,
    ) -> None:
        self._certificate = certificate
        self._record = record
        self._routes = routes
        self._uplink_to = uplink_to
        self._uplink = uplink_to(known) if known is not None else None
        self._attempt: Attempt | None = None
        self._typed: TryJoinCode | None = None
        self._repeats = 0
        self._route: StationRoute | None = None
        self._cable = 0
        self._try_at_ms = 0
        self._orders = 0
        self._news = EnrolmentChanged(EnrolmentStage.IDLE)
        self._chance = random.Random()  # noqa: S311 (no secret)

    def fileno(self) -> int:
        """Implement ``UplinkContract.fileno``."""
        if self._attempt is not None:
            return self._attempt.fileno()
        return self._uplink.fileno() if self._uplink is not None else -1

    def wants_write(self) -> bool:
        """Implement ``UplinkContract.wants_write``."""
        if self._attempt is not None:
            return self._attempt.wants_write()
        return self._uplink is not None and self._uplink.wants_write()

    def seconds_to_deadline(self, now_ms: int) -> float:
        """Implement ``UplinkContract.seconds_to_deadline``."""
        if self._attempt is not None:
            return max(0, self._attempt.next_deadline_ms(now_ms) - now_ms) / 1000
        if self._may_ask():
            return max(0, self._try_at_ms - now_ms) / 1000
        return self._uplink.seconds_to_deadline(now_ms) if self._uplink is not None else _IDLE_S

    def resume(self, orders: int) -> None:
        """Implement ``UplinkContract.resume``."""
        self._orders = orders
        if self._uplink is not None:
            self._uplink.resume(orders)

    def on_appended(self) -> None:
        if self._uplink is not None:
            self._uplink.on_appended()

    @property
    def received(self) -> int:
        return self._uplink.received if self._uplink is not None else 0

    @property
    def report(self) -> LinkReport:
        return self._uplink.report if self._uplink is not None else LinkReport(LinkPhase.NOT_ENROLLED)

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Try a typed code in the next step, dropping any attempt, and pass other requests to the uplink."""
        if not isinstance(request, TryJoinCode):
            return self._uplink.handle_request(request, now_ms) if self._uplink is not None else ()
        self._close_attempt()
        self._typed, self._repeats = request, _REPEATS
        self._news = EnrolmentChanged(EnrolmentStage.IDLE)
        self._try_at_ms = 0
        if self._uplink is not None:
            self._uplink.close()
        return ()

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Continue the enrolment or the uplink. Raises only the uplink's errors."""
        if self._may_ask() or self._attempt is not None:
            return self._ask(now_ms)
        return self._uplink.step(now_ms) if self._uplink is not None else ()

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        return self._uplink.on_failed(error, now_ms) if self._uplink is not None else ()

    def close(self) -> None:
        """Implement ``UplinkContract.close``."""
        self._close_attempt()
        if self._uplink is not None:
            self._uplink.close()

    def _may_ask(self) -> bool:
        return self._typed is not None or (self._uplink is None and bool(self._routes.cables))

    def _ask(self, now_ms: int) -> tuple[AgentNews, ...]:
        if self._attempt is None and now_ms < self._try_at_ms:
            return ()
        try:
            if self._attempt is None:
                self._attempt = self._begin(now_ms)
            station = self._attempt.turn(now_ms)
            if station is not None:
                return self._use_station(station)
        except SaloonError as error:
            return self._on_failure(error, now_ms)
        except Exception as error:  # noqa: BLE001
            # A bug must not stop the thread that saves entries.
            _log.exception("internal error")
            return self._on_failure(OurFault(str(error)), now_ms)
        return self._tell(self._stage())

    def _begin(self, now_ms: int) -> Attempt:
        typed = self._typed
        if typed is not None and typed.address:
            self._route = self._routes.to(typed.address)
        elif self._routes.cables:
            self._route = self._routes.cables[self._cable % len(self._routes.cables)][1]
        else:
            raise Unavailable("no address was given, and there is no cable")
        return Attempt(self._route.port(), self._certificate, typed.code if typed else "", now_ms)

    def _stage(self) -> EnrolmentChanged:
        attempt, place = self._attempt, self._route.name if self._route is not None else ""
        if self._typed is not None:
            return EnrolmentChanged(EnrolmentStage.TRYING_CODE, place=place, by_code=True)
        if attempt is not None and attempt.check_code:
            return EnrolmentChanged(EnrolmentStage.COMPARE, attempt.check_code, place=place)
        return EnrolmentChanged(EnrolmentStage.SEARCHING, place=place)

    def _use_station(self, station: StationPart) -> tuple[AgentNews, ...]:
        """Store the station, then use it. Raises Unavailable, after which it is tried again."""
        typed = self._typed
        first = (typed.address,) if typed is not None and typed.address else ()
        by_cable = (
            "" if first else next((name for name, one in self._routes.cables if one is self._route), "")
        )
        addresses = tuple(dict.fromkeys((*first, *station.addresses)))
        known = self._record.save_joined(station.certificate, addresses, by_cable)
        self._close_attempt()
        self._typed = None
        if self._uplink is not None:
            self._orders = self._uplink.orders_known
        self._uplink = self._uplink_to(known)
        self._uplink.resume(self._orders)
        return self._tell(EnrolmentChanged(EnrolmentStage.DONE, by_code=typed is not None))

    def _on_failure(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        was_tried = self._attempt is not None and self._attempt.is_tried
        self._close_attempt()
        pause = _ASK_AGAIN_MS
        cause = error.cause if isinstance(error, TurnedAway) else CloseCause.OTHER
        if self._typed is not None and isinstance(error, Unavailable) and was_tried and self._repeats:
            # The answer may have been lost; the station repeats it when asked again.
            self._repeats -= 1
            self._try_at_ms = now_ms + _REPEAT_MS
            return ()
        by_code, self._typed = self._typed is not None, None
        self._cable += 1
        if isinstance(error, TurnedAway) and not by_code:
            pause = _AFTER_REFUSAL_MS
        self._try_at_ms = now_ms + int(pause * self._chance.uniform(0.5, 1.5))
        _log.info("enrolment failed", problem=str(error), by_code=by_code)
        if isinstance(error, PeerFault | OurFault) or by_code:
            failed = EnrolmentChanged(
                EnrolmentStage.FAILED,
                cause=cause,
                by_code=by_code,
                not_reached=isinstance(error, Unavailable),
            )
            return self._tell(failed)
        return self._tell(EnrolmentChanged(EnrolmentStage.SEARCHING))

    def _close_attempt(self) -> None:
        if self._attempt is not None:
            self._attempt.close()
            self._attempt = None

    def _tell(self, news: EnrolmentChanged) -> tuple[AgentNews, ...]:
        if news == self._news:
            return ()
        self._news = news
        return (news,)
