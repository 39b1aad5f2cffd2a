"""``saloon-terminal panel``: list the included panels, or check one and show its wiring."""

import sys
from typing import Final

import click

from base.terminal_text import echo, echo_lines
from hardware.contract import WiringFault
from hardware.wiring import (
    DRIVERS_OF,
    HEADER,
    PLACE_OF,
    RESERVED,
    WORDS_OF,
    Wiring,
    free_pins,
    reserved_pins,
    shipped_names,
    wiring_named,
)

WRONG: Final = 2


@click.command()
@click.argument("name", default="", metavar="[NAME|FILE]")
def panel(name: str) -> None:
    """List the included panels, or check a panel and show its wiring.

    No outputs are switched. Exits with status 2 if the file is invalid, and says what to fix.
    """
    try:
        if name:
            echo_lines(plan_text(wiring_named(name)))
        else:
            for known in shipped_names():
                wiring = wiring_named(known)
                echo(f"{known:<14}{wiring.name} ({WORDS_OF[wiring.board]}), --pins {driver_of(wiring)}")
    except WiringFault as fault:
        echo(f"saloon-terminal: {fault}", err=True)
        sys.exit(WRONG)


def driver_of(wiring: Wiring) -> str:
    """Return the pin driver for a panel's board."""
    return DRIVERS_OF[wiring.board][0]


def plan_text(wiring: Wiring) -> str:
    """Return a text drawing of the header with the part wired to each pin, then free and reserved pins."""
    parts = {place.pin: place.part for place in wiring.places()}
    kept = reserved_pins(wiring.uses)
    rows = [f"{wiring.name}: {WORDS_OF[wiring.board]}, pins by {driver_of(wiring)}", ""]
    pins = [_describe_pin(what, parts, kept, is_left=place % 2 == 1) for place, what in enumerate(HEADER, 1)]
    wide = max(len(left) for left in pins[::2])
    for odd, (left, right) in enumerate(zip(pins[::2], pins[1::2], strict=True)):
        rows.append(f"{left:>{wide}}  {odd * 2 + 1:>2} ▪ ▪ {odd * 2 + 2:<2}  {right}".rstrip())
    rows += ["", f"free: {', '.join(f'GPIO {pin} ({PLACE_OF[pin]})' for pin in free_pins(wiring))}"]
    rows += [
        f"kept for {RESERVED[use].what}: GPIO {', '.join(map(str, RESERVED[use].pins))}"
        + (" (from memory: compare with the maker's sheet)" if RESERVED[use].from_memory else "")
        for use in wiring.uses
    ]
    return "\n".join(rows)


def _describe_pin(what: int | str, parts: dict[int, str], kept: dict[int, str], *, is_left: bool) -> str:
    """Return a pin's number and description, with the number next to the header."""
    if isinstance(what, str):
        return what
    part = parts.get(what) or (f"({kept[what]})" if what in kept else "")
    words = (part, f"GPIO {what}") if is_left else (f"GPIO {what}", part)
    return " ".join(words).strip()
