"""What is wrong with a network's way: the address, the computer there, and what answers."""

from saloon.sync.doctor.knock import PATIENCE_S, Knocked, Visitor, knock
from saloon.sync.ports.stream_port import PlainStream
from saloon.sync.ports.tcp import TcpPort
from saloon.sync.station_address import host_and_port


def look_at_address(address: str, visitor: Visitor, *, patience_s: float = PATIENCE_S) -> Knocked:
    """Knock at an address ``host:port``. Raises BadData for what is none; never for a bad network."""
    host, port = host_and_port(address, "address of the station")
    return knock(PlainStream(TcpPort(host, port)), visitor, address, patience_s=patience_s)
