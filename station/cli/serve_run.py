"""Set up the web app, the code of the first account and the appliance's tasks for ``serve``."""

import threading
import webbrowser
from pathlib import Path
from typing import Final

from litestar import Litestar

from base.clock import SystemClock
from base.console import plain_console
from base.journal import is_to_journal
from hardware.supervisor import Supervisor
from station.accounts.invitations import FirstJudge
from station.accounts.judges import Judges
from station.app.app import web_app
from station.appliance.appliance import Appliance, ApplianceResources, BrowserAddresses
from station.appliance.preparing import take_account
from station.appliance.status import read_hall
from station.appliance.stick import Stick, mark_of
from station.hall.station_service import StationService
from station.server.addresses import ANYWHERE, address_of, hall_addresses
from station.server.serving import StationAddresses
from station.store.data_folder import DataFolder
from station.store.settings import CERTIFICATE, Settings
from station.web.page_certificate import format_fingerprint
from station.web.site import Site
from sync.tls.certificates import fingerprint_of_pem

_USUAL_PORT: Final = 443


class ServeRun:
    """A run of ``serve``: it creates the web app and prints how to reach it.

    supervisor: notified at the start and regularly afterwards.
    appliance: the folder shared with system and screen; None if this computer is no appliance.
    stick: where an appliance mounts a USB drive.
    opens: the pages are opened in this computer's browser.
    """

    def __init__(
        self,
        data: DataFolder,
        supervisor: Supervisor,
        *,
        appliance: Path | None,
        stick: Path,
        is_rehearsal: bool,
        opens: bool,
    ) -> None:
        self._data = data
        self._opens = opens
        self._folder = appliance
        self._stick = stick
        self._is_rehearsal = is_rehearsal
        self._supervisor = supervisor
        self._clock = SystemClock()
        self._served: StationAddresses | None = None
        self._first: FirstJudge | None = None

    def pages(self, service: StationService, judges: Judges, settings: Settings) -> Litestar:
        """Create the web app."""
        self._first, appliance = FirstJudge(judges), None
        if self._folder is not None:
            take_account(self._data.path, judges)
            appliance = Appliance(service, self._first, self._resources(self._folder, settings))
        site = Site(
            service,
            judges,
            is_rehearsal=self._is_rehearsal,
            first=self._first,
            appliance=appliance,
            page_certificate=self._data.path / "pages-certificate.pem",
        )
        return web_app(site, settings)

    def ready(self, served: StationAddresses) -> None:
        """Print the addresses and the first account's code; notify the supervisor."""
        self._served = served
        console = plain_console(soft_wrap=True)
        addresses = self._find_addresses()
        # Browsers cannot open 0.0.0.0.
        openable = (
            addresses.pages if address_of(served.pages.partition("://")[2], "pages").host in ANYWHERE else ()
        )
        pages = openable[0] if openable else served.pages
        console.print(f"Saloon station: {pages}")
        for other in (*openable[1:], *filter(None, (addresses.local,))):
            console.print(f"           also: {other}")
        if pages.startswith("https:") and addresses.fingerprint:
            console.print(f"Its certificate (SHA-256): {addresses.fingerprint}")
            console.print(f"Browsers warn of it once: compare these numbers, or see {pages}/guide/station")
        console.print(f"Terminals: port {served.terminals_port}")
        code = "" if self._first is None else self._first.code()
        # Keep the code out of the system's journal. An appliance shows it on its screen.
        if code and not is_to_journal():
            console.print(f"No judge yet. The first account: {pages}/first, code {code}")
        if self._opens:
            link = f"{pages}/first?code={code}" if code else f"{pages}/judge"
            # A text browser would block until it is closed.
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
        self._supervisor.ready(self._clock.monotonic_ms())

    def _resources(self, folder: Path, settings: Settings) -> ApplianceResources:
        own = fingerprint_of_pem(settings.get(CERTIFICATE) or "", "the station's certificate")
        return ApplianceResources(
            folder=folder,
            data=self._data,
            stick=Stick(self._stick),
            clock=self._clock,
            mark=mark_of(own),
            hall=read_hall(folder),
            find_addresses=self._find_addresses,
            alive=lambda: self._supervisor.on_turn(self._clock.monotonic_ms()),
        )

    def _find_addresses(self) -> BrowserAddresses:
        if self._served is None:
            return BrowserAddresses()
        scheme, _, rest = self._served.pages.partition("://")
        port = address_of(rest, "pages").port
        place = "" if port == _USUAL_PORT else f":{port}"
        hosts = [address_of(address, "address").host for address in hall_addresses(port)]
        certificate = self._data.path / "pages-certificate.pem"
        return BrowserAddresses(
            pages=tuple(f"{scheme}://{host}{place}" for host in hosts if host != "127.0.0.1"),
            local=f"{scheme}://{local}{place}" if (local := self._served.local()) else "",
            fingerprint=format_fingerprint(certificate) if certificate.exists() else "",
        )
