"""The panel file: which part hangs on which pin."""

import tomllib
from enum import Enum
from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec

from saloon.hardware.contract import Button

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]


class WiringFault(ValueError):
    """A panel file is wrong. where: file and key. problem: what is wrong and what is allowed."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class ButtonWiring(_Part, frozen=True):
    """A push-button. pin: GPIO number. to_ground: closed, it pulls the pin low."""

    pin: Pin
    to_ground: bool = True
    hold_ms: Annotated[int, msgspec.Meta(ge=100, le=10_000)] = 800


class KeyWiring(_Part, frozen=True):
    """The judge's key switch."""

    pin: Pin
    to_ground: bool = True


class LampWiring(_Part, frozen=True):
    """The status lamp, a pin for each colour. active_high: a high pin lights it."""

    red: Pin
    green: Pin
    blue: Pin
    active_high: bool = True


class Sound(Enum):
    """What a buzzer needs to sound."""

    ACTIVE = "active"
    """Power alone: it has a tone of its own."""
    PASSIVE = "passive"
    """The tone itself: it is a small loudspeaker."""


class BuzzerWiring(_Part, frozen=True):
    """A buzzer."""

    pin: Pin
    active_high: bool = True
    sound: Sound = Sound.ACTIVE


class Wiring(_Part, frozen=True):
    """A whole panel; what is None is not there."""

    name: str
    buttons: dict[str, ButtonWiring] = {}
    key: KeyWiring | None = None
    lamp: LampWiring | None = None
    buzzer: BuzzerWiring | None = None

    def pins(self) -> tuple[tuple[str, int], ...]:
        """Every part's name with its pin."""
        found = [(f"button {name}", part.pin) for name, part in self.buttons.items()]
        if self.key is not None:
            found.append(("key", self.key.pin))
        if self.lamp is not None:
            lamp = self.lamp
            found += [("lamp red", lamp.red), ("lamp green", lamp.green), ("lamp blue", lamp.blue)]
        if self.buzzer is not None:
            found.append(("buzzer", self.buzzer.pin))
        return tuple(found)


def wiring_of(text: str, where: str) -> Wiring:
    """The wiring that a panel file's text describes. Raises WiringFault naming ``where``, line or key."""
    try:
        wiring = msgspec.convert(tomllib.loads(text), Wiring)
    except tomllib.TOMLDecodeError as error:
        raise WiringFault(where, f"not TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise WiringFault(where, str(error)) from error
    known = {button.value for button in Button}
    for name in wiring.buttons:
        if name not in known:
            raise WiringFault(
                f"{where}: buttons.{name}", f"no such button; there are {', '.join(sorted(known))}"
            )
    taken: dict[int, str] = {}
    for part, pin in wiring.pins():
        if pin in taken:
            raise WiringFault(f"{where}: {part}", f"pin {pin} is already the one of {taken[pin]}")
        taken[pin] = part
    return wiring


def read_wiring(path: Path) -> Wiring:
    """A panel file. Raises WiringFault when it is wrong or cannot be read."""
    try:
        return wiring_of(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise WiringFault(str(path), str(error)) from error


def shipped_wiring(name: str = "bare-pi") -> Wiring:
    """A panel that comes with Saloon. Raises WiringFault for an unknown name."""
    folder = resources.files("saloon.hardware") / "panels"
    file = folder / f"{name}.toml"
    if not file.is_file():
        known = ", ".join(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir()))
        raise WiringFault(f"panel {name}", f"no such panel; there are {known}")
    return wiring_of(file.read_text(encoding="utf-8"), file.name)
