"""The data of a panel's wiring drawing: each wire with its pin, grounds and power. Pure functions."""

from collections.abc import Iterator

import msgspec

from hardware.part_wiring import TRANSISTOR
from hardware.wiring import HEADER, PLACE_OF, RESERVED, WORDS_OF, Wiring, places_of, reserved_pins


class Wire(msgspec.Struct, frozen=True):
    """A wire. place: header pin, 1 to 40. gpio: None for power and ground. note: parts in between."""

    place: int
    part: str
    note: str
    gpio: int | None = None


class Plan(msgspec.Struct, frozen=True):
    """The wiring of a panel. kept: reserved pins, with their use."""

    title: str
    board: str
    wires: tuple[Wire, ...]
    kept: tuple[tuple[int, str], ...]
    remarks: tuple[str, ...]

    def wire_at(self, place: int) -> Wire | None:
        """Return the wire at a header pin, or None."""
        return next((wire for wire in self.wires if wire.place == place), None)


def plan_of(wiring: Wiring) -> Plan:
    """Return a panel's wiring plan, with wires in the order of the header."""
    signals = [Wire(PLACE_OF[place.pin], place.part, place.note, place.pin) for place in wiring.places()]
    wires = sorted((*signals, *_grounds(signals), *_power(signals)), key=lambda wire: wire.place)
    kept = tuple((PLACE_OF[pin], what) for pin, what in sorted(reserved_pins(wiring.uses).items()))
    return Plan(wiring.name, WORDS_OF[wiring.board], tuple(wires), kept, tuple(_remarks(wiring)))


def ground_for(place: int) -> int:
    """Return the ground pin nearest to a pin by rows; of two, the one on the same side."""
    return min(
        places_of("GND"),
        key=lambda ground: (abs(_row(ground) - _row(place)), ground % 2 != place % 2, ground),
    )


def _row(place: int) -> int:
    return (place - 1) // 2


def _grounds(signals: list[Wire]) -> Iterator[Wire]:
    """Yield a ground wire for each part, nearest to its first wire; parts may share one."""
    users: dict[int, list[str]] = {}
    for wire in signals:
        name = _device(wire.part)
        if not any(name in names for names in users.values()):
            users.setdefault(ground_for(wire.place), []).append(name)
    for place, names in users.items():
        yield Wire(place, "ground", "for " + ", ".join(name.removeprefix("button ") for name in names))


def _power(signals: list[Wire]) -> Iterator[Wire]:
    """Yield a 5 V wire for parts that are switched by a transistor."""
    fed = dict.fromkeys(_device(wire.part) for wire in signals if wire.note == TRANSISTOR)
    if fed:
        yield Wire(2, "5 V", "plus of " + _joined(list(fed)))


def _joined(names: list[str]) -> str:
    lamps = [name for name in names if name.startswith("lamp in")]
    others = [name for name in names if not name.startswith("lamp in")]
    return ", ".join([*(["lamps in buttons"] if lamps else []), *others])


def _device(part: str) -> str:
    """Return the part that a wire belongs to: three wires make one lamp."""
    for whole in ("lamp", "fan", "battery"):
        if part.startswith(whole) and not part.startswith("lamp in"):
            return whole
    return part


def _remarks(wiring: Wiring) -> Iterator[str]:
    for use in wiring.uses:
        kept = RESERVED[use]
        memory = " From memory: compare with the maker's sheet." if kept.from_memory else ""
        yield f"GPIO {', '.join(map(str, kept.pins))}: {kept.what}.{memory}"
    if wiring.buzzer is not None:
        yield f"Buzzer: {wiring.buzzer.sound.value}."
    shut_down = wiring.buttons.get("shut-down")
    if shut_down is not None and HEADER[PLACE_OF[shut_down.pin] - 1] == 3:  # noqa: PLR2004 (GPIO 3)
        yield "The shut-down button on GPIO 3 also starts a Pi 3 or 4 that was shut down."
