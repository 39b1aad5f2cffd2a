"""The first lines of ``serve``: an address that opens, and the fingerprint of the certificate."""

import ssl
import urllib.request
from pathlib import Path

import pytest

from demo.processes import Processes, free_port, poll_until_timeout, program
from station.web.page_certificate import format_fingerprint


def printed(tmp_path: Path, *more: str) -> str:
    """Start a station, and return what it prints until it serves."""
    data, words = tmp_path / "data", ""
    with Processes(tmp_path / "logs") as processes:
        processes.start(
            "station", program("saloon-station"), "serve", "--data", str(data), "--tls-port", "0",
            "--no-announce", *more,
        )  # fmt: skip
        for _ in poll_until_timeout(30):
            processes.check()
            words = processes.last_words("station", 40)
            if "The first account" in words:
                break
        for line in words.splitlines():
            if line.startswith("Saloon station: "):
                trusting = (
                    ssl.create_default_context(cafile=str(data / "pages-certificate.pem"))
                    if "https" in line
                    else None
                )
                with urllib.request.urlopen(f"{line.split(': ')[1]}/login", context=trusting) as answer:
                    assert answer.status == 200
    return words


@pytest.mark.slow
def test_with_https_an_address_that_opens_is_printed_and_the_fingerprint(tmp_path: Path) -> None:
    words = printed(tmp_path, "--http", f"0.0.0.0:{free_port()}", "--https")
    assert "0.0.0.0" not in words.partition("Terminals:")[0]
    assert format_fingerprint(tmp_path / "data" / "pages-certificate.pem") in words


@pytest.mark.nightly
@pytest.mark.slow
def test_on_the_loopback_the_address_is_the_one_that_was_asked_for(tmp_path: Path) -> None:
    port = free_port()
    words = printed(tmp_path, "--http", f"127.0.0.1:{port}")
    assert f"Saloon station: http://127.0.0.1:{port}\n" in words
    assert "certificate" not in words.partition("Terminals:")[0]
