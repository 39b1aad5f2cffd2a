"""The layout of the disk: three partitions in an MBR table, as a Pi 3 supports nothing else."""

import hashlib

import msgspec

from image.recipe.target import Architecture, Target

MIB = 1024 * 1024
SECTOR = 512
ALIGNED = 4 * MIB
"""The alignment of partitions in bytes, matching the blocks of SD cards."""
_MBR_SECTORS = 0xFFFFFFFF


class Partition(msgspec.Struct, frozen=True):
    """A partition: its number, MBR type, and position in bytes."""

    number: int
    mbr_type: str
    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size


class Disk(msgspec.Struct, frozen=True):
    """A disk's size in bytes, its identifier (8 hexadecimal digits) and its partitions in order."""

    identifier: str
    size: int
    partitions: tuple[Partition, ...]

    def script(self) -> str:
        """Return the input of sfdisk that writes the table."""
        lines = ["label: dos", f"label-id: 0x{self.identifier}", "unit: sectors", f"sector-size: {SECTOR}"]
        for part in self.partitions:
            place = f"start={part.start // SECTOR}, size={part.size // SECTOR}"
            lines.append(f"{place}, type={part.mbr_type}{', bootable' if part.number == 1 else ''}")
        return "\n".join(lines) + "\n"


def aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def identifier_of(target: Target) -> str:
    """Return the disk's identifier, which is the same for every image of a target."""
    return hashlib.sha256(target.name.encode()).hexdigest()[:8]


def uuid_of(target: Target, part: str) -> str:
    """Return a file system's UUID, derived from target and part, in the form of RFC 4122."""
    digits = hashlib.sha256(f"{target.name} {part}".encode()).hexdigest()[:32]
    digits = f"{digits[:12]}5{digits[13:16]}8{digits[17:]}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def laid_out(target: Target, boot: int, root: int, data: int) -> Disk:
    """Return the disk for three partitions of at least these sizes in bytes.

    A PC's firmware needs the EFI partition type, and a Pi's needs FAT with LBA.
    """
    boot_type = "ef" if target.architecture is Architecture.AMD64 else "c"
    start = ALIGNED
    partitions = []
    for number, (mbr_type, size) in enumerate(((boot_type, boot), ("83", root), ("83", data)), start=1):
        partitions.append(Partition(number, mbr_type, start, aligned(size)))
        start = partitions[-1].end
    assert start // SECTOR <= _MBR_SECTORS
    return Disk(identifier_of(target), start, tuple(partitions))
