"""The data that an earlier version wrote, unpacked once, and a station of today on a copy of it."""

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.station.browser import Browser
from tests.station.conftest import Station


@pytest.fixture(scope="session")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything; a test that changes something works on a copy."""
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(Path(__file__).with_name("earlier-11-28.tar.xz")) as packed:
        # Python has filters since 3.11.4; Debian 12 has 3.11.2.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def station(earlier: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Station]:
    """A station on the data, started after its plug was pulled; tests only read."""
    folder = tmp_path_factory.mktemp("station")
    shutil.copytree(earlier / "station", folder, dirs_exist_ok=True)
    made = Station(folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def judge(station: Station) -> Iterator[Browser]:
    """The judge of the data, logged in by the earlier password."""
    browser = Browser(station, has_judges=False)
    browser.get("/login")
    browser.post("/login", name="judge", password="high-noon-demo")
    yield browser
    browser.close()
