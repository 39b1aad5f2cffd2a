"""Draw the wiring plan of each included panel into docs/pictures."""

from pathlib import Path

from hardware.wiring import NONE, VIRTUAL, shipped_names, shipped_wiring
from tools.wiring_plan import plan_of
from tools.wiring_plan_svg import plan_svg

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"


def plans() -> dict[str, str]:
    """Return the drawings by file name, without panels that have no wires."""
    return {
        f"wiring-{name}.svg": plan_svg(plan_of(shipped_wiring(name)))
        for name in shipped_names()
        if name not in {NONE, VIRTUAL}
    }


def main() -> None:
    """Write all drawings."""
    for file, drawing in plans().items():
        (PICTURES / file).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
