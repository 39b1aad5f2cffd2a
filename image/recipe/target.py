"""The target of an image: a kind of machine and its processor."""

from enum import Enum

import msgspec


class Architecture(Enum):
    """A processor family, by Debian's name."""

    ARM64 = "arm64"
    AMD64 = "amd64"

    @property
    def machine(self) -> str:
        """The kernel's and Python's name."""
        return {Architecture.ARM64: "aarch64", Architecture.AMD64: "x86_64"}[self]

    @property
    def efi_program(self) -> str:
        """The file that a PC's firmware starts from a removable disk."""
        return {Architecture.ARM64: "BOOTAA64.EFI", Architecture.AMD64: "BOOTX64.EFI"}[self]


class Kind(Enum):
    """A machine of a tournament."""

    TERMINAL = "terminal"
    STATION = "station"


class Target(msgspec.Struct, frozen=True):
    """One image that can be made."""

    kind: Kind
    architecture: Architecture

    @property
    def name(self) -> str:
        """The name of the image's file, without its ending."""
        return f"saloon-{self.kind.value}-{self.architecture.value}"
