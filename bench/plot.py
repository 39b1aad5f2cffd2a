"""A chart of the figures as multiples of their peers, on a scale where right is better."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

from bench.figure import Figure

mpl.use("agg")

from matplotlib import pyplot as plt

_OURS, _BETTER, _WORSE, _INK = "#7a4b1f", "#3d7a4a", "#b0703a", "#2b2118"
_WIDTH_IN, _ROW_IN = 10.0, 0.34
_LONGEST = 78


def drawn(figures: Sequence[Figure], file: Path) -> None:
    """Draw the chart, with a bar to the right for each figure where ours is better, else to the left."""
    rows = [f for f in figures if f.peer > 0 and f.ours > 0]
    gains = [math.log10(f.ratio if f.better == "more" else 1 / f.ratio) for f in rows]
    height = _ROW_IN * len(rows) + 1.2
    figure, axes = plt.subplots(figsize=(_WIDTH_IN, height), layout="constrained")
    places = range(len(rows))
    axes.barh(places, gains, color=[_BETTER if gain >= 0 else _WORSE for gain in gains], height=0.7)
    axes.axvline(0, color=_INK, linewidth=1)
    axes.set_yticks(places, [_label(f) for f in rows], fontsize=7)
    axes.invert_yaxis()
    ticks = range(math.floor(min(gains)), math.ceil(max(gains)) + 1)
    axes.set_xticks(list(ticks), [_times(tick) for tick in ticks], fontsize=8)
    axes.set_xlabel("times as good as the peer or floor of the same run (logarithmic)", fontsize=8)
    for place, gain in zip(places, gains, strict=True):
        side = "left" if gain >= 0 else "right"
        text = f" {10**gain:.2g} " if gain >= 0 else f" 1/{10**-gain:.2g} "
        axes.text(gain, place, text, va="center", ha=side, fontsize=7, color=_INK)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.margins(x=0.12)
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def _label(figure: Figure) -> str:
    text = f"{figure.what}  |  {figure.peer_name}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _times(power: int) -> str:
    return "1" if power == 0 else f"{10**power:,}" if power > 0 else f"1/{10**-power:,}"
