"""A flood of connections does not flood the log."""

import socket
from pathlib import Path

import structlog

from tests.rigs.ends import PATIENCE_S, Station


def test_a_flood_of_strangers_is_a_line_and_not_a_flood(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as lines:
        station = Station(tmp_path)
        station.start()
        try:
            for _ in range(50):
                with socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as stranger:
                    stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
                    while stranger.recv(4096):
                        pass
            station.wait_for(lambda: len([line for line in lines if line["log_level"] == "debug"]) >= 50)
        finally:
            station.stop()
    loud = [line for line in lines if line["log_level"] != "debug"]
    assert len(loud) == 1
    assert loud[0]["event"] == "unknown connections refused"
