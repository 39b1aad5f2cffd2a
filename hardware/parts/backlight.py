"""The backlight of the screen."""

import contextlib
from pathlib import Path

import structlog

_log = structlog.get_logger()
USUAL = Path("/sys/class/backlight")


class NoBacklight(OSError):
    """The backlight is missing, or must not be changed."""


class Backlight:
    """All backlights known to the system, or the one with a given name."""

    def __init__(self, folder: Path = USUAL, name: str = "") -> None:
        self._folder = folder
        self._name = name

    def set(self, percent: int) -> None:
        """Set the brightness, 0 (dark) to 100 percent; more than 0 is never dark.

        Raises NoBacklight if there is none or it must not be changed.
        """
        lights = self._lights()
        if not lights:
            raise NoBacklight(f"no backlight in {self._folder}")
        for light in lights:
            try:
                most = int((light / "max_brightness").read_text(encoding="ascii"))
                wanted = max(most * min(percent, 100) // 100, 1 if percent > 0 else 0)
                self._write(light, str(wanted))
            except (OSError, ValueError) as error:
                raise NoBacklight(f"backlight {light.name}: {error}") from error

    def _lights(self) -> list[Path]:
        with contextlib.suppress(OSError):
            return [light for light in sorted(self._folder.iterdir()) if self._name in {"", light.name}]
        return []

    def _write(self, light: Path, brightness: str) -> None:
        (light / "brightness").write_text(brightness, encoding="ascii")
        _log.info("backlight", light=light.name, brightness=brightness)
