from kiosk.terminal.link.station_connection import rs485_route
from sync.ports.bus_port import BusPort
from sync.protocol.entry import TerminalId
from sync.terminal.routes import RouteSource


def test_a_shared_pair_is_a_cable_that_keeps_its_port() -> None:
    way = rs485_route("/dev/ttyUSB0", TerminalId("0123456789abcdef" * 2), rts=False)
    assert (way.name, way.source) == ("bus /dev/ttyUSB0", RouteSource.CABLE)
    port = way.port()
    assert isinstance(port, BusPort)
    # The station's instruction to this unit must outlive a connection.
    assert way.port() is port
