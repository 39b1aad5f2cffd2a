"""What a terminal is told when it starts."""

from pathlib import Path

import msgspec


class Settings(msgspec.Struct, frozen=True):
    """What the command line said. size: of the picture as people see it, in pixels. inches: its diagonal.

    size, quarter_turns, inches: None where it said nothing; language: empty likewise.
    stick: where the system mounts a USB stick.
    sets_clock: whether this machine's wall clock follows the station's.
    boot_files: provisioning files on the card, which are moved away from there; the last one counts.
    system_root: of the image's files. screen_within_s: how long a graphics card is waited for.
    """

    data: Path
    provisioning: Path | None
    virtual: int | None
    size: tuple[int, int] | None
    quarter_turns: int | None
    language: str
    panel: str
    pins: str
    serial: str
    stations: tuple[str, ...]
    stick: Path
    bus: str = ""
    bus_rts: bool = False
    boot_files: tuple[Path, ...] = ()
    is_rehearsal: bool = False
    sets_clock: bool = False
    inches: float | None = None
    system_root: Path = Path("/")
    screen_within_s: float = 0
