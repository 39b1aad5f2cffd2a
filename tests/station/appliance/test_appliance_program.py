"""The station as its image starts it: a real process, a supervisor that listens, a signal that ends it."""

import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import msgspec
import pytest

from demo.processes import free_port
from station.appliance.status import STATUS_FILE, StationStatus

PATIENCE_S = 60


def status_in(folder: Path) -> StationStatus:
    end = time.monotonic() + PATIENCE_S
    while not (folder / STATUS_FILE).exists():
        assert time.monotonic() < end, "the own screen hears nothing"
        time.sleep(0.05)
    return msgspec.json.decode((folder / STATUS_FILE).read_bytes(), type=StationStatus)


@pytest.mark.faults
def test_it_says_when_it_is_ready_serves_its_code_and_ends_in_order(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    http, plain = free_port(), free_port()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(PATIENCE_S)
        words = [
            "serve",
            "--data",
            str(tmp_path / "data"),
            "--https",
            "--no-announce",
            "--appliance",
            str(run),
        ]
        words += ["--http", f"127.0.0.1:{http}", "--redirect", f"127.0.0.1:{plain}"]
        words += ["--tls-host", "127.0.0.1", "--tls-port", "0", "--stick", str(tmp_path / "stick")]
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000", "PATH": "/bin"}
        program = Path(sys.executable).parent / "saloon-station"
        with subprocess.Popen(
            [program, *words], env=environment, stdout=subprocess.PIPE, text=True
        ) as station:
            assert supervisor.recv(1_000).startswith(b"READY=1")
            status = status_in(run)
            assert len(status.first_code) == 11
            trusting = ssl.create_default_context()
            trusting.check_hostname = False
            trusting.verify_mode = ssl.CERT_NONE
            page = f"http://127.0.0.1:{plain}/first?code={status.first_code}"
            with urllib.request.urlopen(page, timeout=PATIENCE_S, context=trusting) as answer:
                assert answer.url == f"https://127.0.0.1:{http}/first?code={status.first_code}"
                assert status.first_code in answer.read().decode()
            station.send_signal(signal.SIGTERM)
            output, _ = station.communicate(timeout=PATIENCE_S)
            assert station.returncode == 0
    assert status.first_code in output
    assert status_in(run).is_ending
