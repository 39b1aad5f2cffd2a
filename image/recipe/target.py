"""The target of an image: a kind of machine and its processor."""

from enum import Enum

import msgspec


class Architecture(Enum):
    """A processor family, by Debian's name."""

    ARM64 = "arm64"
    AMD64 = "amd64"

    @property
    def machine(self) -> str:
        """The name used by the kernel and Python."""
        return {Architecture.ARM64: "aarch64", Architecture.AMD64: "x86_64"}[self]

    @property
    def efi_program(self) -> str:
        """The file that a PC's firmware starts from a removable disk."""
        return {Architecture.ARM64: "BOOTAA64.EFI", Architecture.AMD64: "BOOTX64.EFI"}[self]


class Kind(Enum):
    """A kind of machine in a tournament."""

    TERMINAL = "terminal"
    STATION = "station"


class Target(msgspec.Struct, frozen=True):
    """An image that can be built."""

    kind: Kind
    architecture: Architecture

    @property
    def name(self) -> str:
        return f"saloon-{self.kind.value}-{self.architecture.value}"
