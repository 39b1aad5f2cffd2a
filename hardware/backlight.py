"""The light behind the glass: as bright as it goes while a camera looks at the screen."""

import contextlib
from pathlib import Path

import structlog

_log = structlog.get_logger()
USUAL = Path("/sys/class/backlight")


class Backlight:
    """The lights that the system knows; where there is none, or it may not be changed, nothing happens."""

    def __init__(self, folder: Path = USUAL) -> None:
        self._folder = folder
        self._before: dict[Path, str] = {}

    def brighten(self) -> None:
        """As bright as it goes, until ``restore``. Again is harmless."""
        if self._before:
            return
        for light in self._lights():
            with contextlib.suppress(OSError):
                before = (light / "brightness").read_text(encoding="ascii").strip()
                self._set(light, (light / "max_brightness").read_text(encoding="ascii").strip())
                self._before[light] = before

    def restore(self) -> None:
        """As it was before."""
        for light, brightness in self._before.items():
            with contextlib.suppress(OSError):
                self._set(light, brightness)
        self._before.clear()

    def _lights(self) -> list[Path]:
        with contextlib.suppress(OSError):
            return sorted(self._folder.iterdir())
        return []

    def _set(self, light: Path, brightness: str) -> None:
        (light / "brightness").write_text(brightness, encoding="ascii")
        _log.info("backlight", light=light.name, brightness=brightness)
