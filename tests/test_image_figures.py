"""The bench reads what the trials of the images kept: a figure only beside its peer of the same board."""

from pathlib import Path

import msgspec
import pytest

from base.errors import Unavailable
from bench.image import Measured, Report, Trial, figures_of, kept_in

KEPT = b"""{"at": "2026-11-21T23:00:00", "outcomes": [
  {"trial": "frame", "arch": "arm64", "verdict": "held", "took_s": 90.5, "said": ["seen"], "why": "",
   "measured": [
    {"what": "first frame", "value": 27.0, "unit": "s"},
    {"what": "login prompt of the same base", "value": 30.0, "unit": "s"},
    {"what": "first light on the screen", "value": 4.2, "unit": "s"}]},
  {"trial": "frame", "arch": "amd64", "verdict": "broke", "took_s": 9, "said": [], "why": "dark",
   "measured": [
    {"what": "login prompt of the same base", "value": 41.0, "unit": "s"}]}]}"""


def test_what_the_trials_kept_becomes_figures() -> None:
    (figure,) = figures_of(msgspec.json.decode(KEPT, type=Report))
    assert (figure.what, figure.ours, figure.peer) == ("first frame, arm64", 27.0, 30.0)
    assert figure.ratio == pytest.approx(0.9)
    assert figure.more == "first light on the screen 4.2 s"


def test_a_figure_of_one_board_has_no_peer_on_another() -> None:
    first = Trial("frame", "arm64", (Measured("first frame", 27.0, "s"),))
    other = Trial("frame", "amd64", (Measured("login prompt of the same base", 41.0, "s"),))
    assert list(figures_of(Report("now", (first, other)))) == []


def test_without_trials_the_bench_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="image-test"):
        kept_in(tmp_path / "report.json")
