"""Diagnosis of a network route: the address, the computer there, and its answer."""

from saloon.sync.diagnostics.connection_trial import PATIENCE_S, TrialIdentity, TrialResult, try_connection
from saloon.sync.ports.stream_port import PlainStream
from saloon.sync.ports.tcp import TcpPort
from saloon.sync.station.station_address import host_and_port


def look_at_address(address: str, visitor: TrialIdentity, *, patience_s: float = PATIENCE_S) -> TrialResult:
    """Try an address ``host:port``. Raises BadData for an invalid one; never for a bad network."""
    host, port = host_and_port(address, "address of the station")
    return try_connection(PlainStream(TcpPort(host, port)), visitor, address, patience_s=patience_s)
