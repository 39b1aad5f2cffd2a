"""Draw the housings, and write the tables of docs/setup/hardware.md: ``python -m tools.workshop``."""

from pathlib import Path
from typing import Final

from bench.__main__ import PAGE as PERFORMANCE
from bench.__main__ import figures_in
from tools.workshop.builds import builds, goods
from tools.workshop.housing import box_for, plate_for, screens
from tools.workshop.housing_svg import box_svg, plate_svg
from tools.workshop.page import tables, with_table

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "setup" / "hardware.md"
PICTURES: Final = DOCS / "pictures" / "housing"
TILTS: Final = (0.0, 25.0)
"""Tilts of a terminal in degrees: flat in the middle of the table, or at one end of it."""


def drawings() -> dict[str, str]:
    """Return the drawings by file name: a front plate and two boxes for each screen."""
    drawn = {}
    for key, screen in screens().items():
        plate = plate_for(screen)
        drawn[f"plate-{key}.svg"] = plate_svg(plate)
        for tilt in TILTS:
            drawn[f"box-{key}-{tilt:.0f}.svg"] = box_svg(box_for(plate, tilt))
    return drawn


def page() -> str:
    """Return docs/setup/hardware.md with updated tables. Raises MissingMarker if a table has no markers."""
    known = goods()
    text = PAGE.read_text(encoding="utf-8")
    figures = figures_in(PERFORMANCE.read_text(encoding="utf-8"))
    for name, table in tables(known, builds(known), figures).items():
        text = with_table(text, name, table)
    return text


def main() -> None:
    """Write the drawings and the page."""
    PICTURES.mkdir(exist_ok=True)
    for file, drawing in drawings().items():
        (PICTURES / file).write_text(drawing, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
