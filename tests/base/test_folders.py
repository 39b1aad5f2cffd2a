"""The default folder of a program's data."""

from pathlib import Path

import pytest

from base.errors import BadData
from base.folders import default_folder


def test_data_is_where_the_system_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert default_folder("station") == tmp_path / "share" / "saloon" / "station"
    assert default_folder("terminal") == tmp_path / "share" / "saloon" / "terminal"
    assert not (tmp_path / "share").exists()


@pytest.mark.parametrize(("use", "former"), [("station", "station-data"), ("terminal", "saloon-terminal")])
def test_data_of_an_older_version_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, use: str, former: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / former).mkdir()
    with pytest.raises(BadData, match=f"choose it with --data {former}"):
        default_folder(use)
    (tmp_path / "share" / "saloon" / use).mkdir(parents=True)
    assert default_folder(use).is_relative_to(tmp_path / "share")
