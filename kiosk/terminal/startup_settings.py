"""The settings of a terminal at startup."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from base.errors import BadData
from base.toml_lines import explain

_Pixels = Annotated[int, Meta(ge=320)]


class StartupSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings from the command line or the image's file. ``data`` is the folder for journal and keys.

    boot_files: provisioning files on the card, which are moved away; the last one counts.
    virtual: port of a virtual terminal.
    virtual_socket: Unix socket of a virtual terminal that ends with its parent process.
    size: the picture's size as people see it, in pixels.
    inches: its diagonal. size, inches and quarter_turns are None, and language is empty, if not given.
    stick: mount point of USB drives.
    sets_clock: this machine's wall clock follows the station's.
    screen_within_s: how long to wait for a graphics card.
    """

    data: Path
    provisioning: Path | None = None
    boot_files: tuple[Path, ...] = ()
    virtual: Annotated[int, Meta(ge=0, le=65535)] | None = None
    virtual_socket: Path | None = None
    size: tuple[_Pixels, _Pixels] | None = None
    inches: Annotated[float, Meta(ge=3, le=32)] | None = None
    quarter_turns: Annotated[int, Meta(ge=0, le=3)] | None = None
    language: Literal["", "en", "it", "de", "fr", "es"] = ""
    panel: str = ""
    pins: Literal["mock", "rpigpio", "lgpio"] = "mock"
    serial: str = ""
    bus: str = ""
    bus_rts: bool = False
    stations: tuple[str, ...] = ()
    stick: Path = Path("/media/saloon")
    is_rehearsal: bool = False
    sets_clock: bool = False
    screen_within_s: Annotated[float, Meta(ge=0, le=600)] = 0
    system_root: Path = Path("/")

    @property
    def virtual_place(self) -> int | Path | None:
        """Return the port or socket of a virtual terminal, or None for a terminal with a screen."""
        return self.virtual if self.virtual_socket is None else self.virtual_socket


def settings_from(values: Mapping[str, object]) -> StartupSettings:
    return msgspec.convert(values, StartupSettings, dec_hook=_path)


def settings_in(file: Path) -> StartupSettings:
    """Read the settings from a file. Raises BadData naming the invalid key."""
    try:
        return settings_from(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadData(str(file), error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadData(str(file), f"not TOML: {error}") from error
    except msgspec.ValidationError as error:
        key, problem = explain(error, StartupSettings)
        raise BadData(f"{file}: {key}" if key else str(file), problem) from error


def _path(_kind: type, value: object) -> Path:
    if not isinstance(value, str | Path):
        raise TypeError("Expected the name of a file or folder")
    return Path(value)
