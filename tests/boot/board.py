"""The emulated boards: what QEMU is told, as values, and their device trees. Nothing here starts anything."""

import datetime as dt
import enum
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from tests.boot.disk import LIMITS


class Arch(enum.Enum):
    """A processor that images are made for; the value is Debian's name."""

    ARM64 = "arm64"
    AMD64 = "amd64"


class Kernel(msgspec.Struct, frozen=True):
    """The files that a boot loader would load from the image's boot partition.

    append: the kernel's command line.
    """

    image: Path
    initrd: Path
    append: str


class Wiring(msgspec.Struct, frozen=True):
    """The devices of an emulated board.

    disk: written by the guest. folder: for sockets and logs. ssh_port: of the host's loopback, leads to the
    guest's port 22. https_port: the same for 443, where it has one. serial: a device of the host that is the
    other end of the guest's cable. size: of the screen, in pixels. device_tree: instead of the board's own.
    clock: what the board's clock with a battery says at power on, else the host's time. usb: whether sticks
    can be plugged in. is_slow: the disk is the socket of a slow card.
    """

    disk: Path
    folder: Path
    ssh_port: int
    size: tuple[int, int] = (800, 480)
    serial: Path | None = None
    device_tree: Path | None = None
    https_port: int | None = None
    watchdog: bool = False
    clock: dt.datetime | None = None
    usb: bool = False
    is_slow: bool = False


_MACHINE: Final = {
    Arch.ARM64: ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53"),
    Arch.AMD64: ("qemu-system-x86_64", "-M", "q35", "-cpu", "Nehalem"),
}
"""The processors: of a Pi 3; and the oldest that Debian's programs still know well enough."""
_FIRMWARE: Final = {
    Arch.ARM64: "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd",
    Arch.AMD64: "/usr/share/ovmf/OVMF.fd",
}
CONSOLE: Final = {Arch.ARM64: "ttyAMA0", Arch.AMD64: "ttyS0"}
"""The serial ports of the kernel's messages. They are not those of the cables to the station."""


def arguments(arch: Arch, wiring: Wiring, kernel: Kernel | None) -> tuple[str, ...]:
    """QEMU's command line. kernel: None lets the firmware find the image's own boot loader."""
    width, height = wiring.size
    forwards = [f"hostfwd=tcp:127.0.0.1:{wiring.ssh_port}-:22"]
    if wiring.https_port is not None:
        forwards.append(f"hostfwd=tcp:127.0.0.1:{wiring.https_port}-:443")
    return (
        *_MACHINE[arch],
        *("-accel", "tcg,thread=multi"),
        *("-smp", "2", "-m", "1G"),
        # A board that switched itself off stays to be looked at.
        *("-action", "shutdown=pause"),
        *("-display", "none", "-vga", "none", "-nodefaults", "-no-user-config"),
        *("-qmp", f"unix:{wiring.folder / 'qmp'},server=on,wait=off"),
        *("-serial", f"file:{wiring.folder / 'console.log'}"),
        *_loader(arch, kernel),
        *("-drive", f"{_file(wiring)},if=none,id=card"),
        *("-device", "virtio-blk-pci,drive=card"),
        *("-device", f"virtio-gpu-pci,xres={width},yres={height}"),
        *("-device", "virtio-tablet-pci", "-device", "virtio-keyboard-pci"),
        *("-netdev", f"user,id=net,{','.join(forwards)}", "-device", "virtio-net-pci,netdev=net,romfile="),
        *("-device", "virtio-rng-pci"),
        *_cable(wiring.serial),
        *(("-dtb", str(wiring.device_tree)) if wiring.device_tree is not None else ()),
        *(("-device", "i6300esb", "-action", "watchdog=reset") if wiring.watchdog else ()),
        *(("-device", "qemu-xhci") if wiring.usb else ()),
        *(("-rtc", f"base={wiring.clock:%Y-%m-%dT%H:%M:%S}") if wiring.clock is not None else ()),
    )


def pi_3b(disk: Path, folder: Path, kernel: Kernel, device_tree: Path) -> tuple[str, ...]:
    """QEMU's command line of a Raspberry Pi 3 B. disk: its size is a power of two, as of a real card.

    Nothing is plugged into its USB: the emulated controller interrupts thousands of times a second then.
    """
    return (
        *("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=multi"),
        *("-action", "shutdown=pause", "-display", "none", "-nodefaults", "-no-user-config"),
        *("-qmp", f"unix:{folder / 'qmp'},server=on,wait=off"),
        *("-serial", f"file:{folder / 'console.log'}"),
        *_loader(Arch.ARM64, kernel),
        *("-dtb", str(device_tree)),
        *("-drive", f"file={disk},if=sd,format=qcow2"),
    )


def _loader(arch: Arch, kernel: Kernel | None) -> tuple[str, ...]:
    if kernel is None:
        return ("-bios", _FIRMWARE[arch])
    return ("-kernel", str(kernel.image), "-initrd", str(kernel.initrd), "-append", kernel.append)


def _file(wiring: Wiring) -> str:
    if wiring.is_slow:
        return f"driver=qcow2,file.driver=nbd,file.path={wiring.disk},{LIMITS}"
    return f"file={wiring.disk},format=qcow2,discard=unmap"


def _cable(serial: Path | None) -> tuple[str, ...]:
    if serial is None:
        return ()
    return ("-chardev", f"serial,id=cable,path={serial}", "-device", "pci-serial,chardev=cable")


_MAGIC: Final = 0xD00DFEED
_BEGIN, _END, _PROP, _NOP, _LAST = 1, 2, 3, 4, 9
_HEADER: Final = ">10I"
_VERSION: Final = (17, 16)


class Node(msgspec.Struct):
    """A node: its properties in order, then its children."""

    name: str
    properties: dict[str, bytes] = msgspec.field(default_factory=dict)
    children: list["Node"] = msgspec.field(default_factory=list)

    def child(self, name: str) -> "Node":
        """The child of this name; made where there is none."""
        for child in self.children:
            if child.name == name:
                return child
        self.children.append(Node(name))
        return self.children[-1]

    def without(self, name: str) -> None:
        self.children = [child for child in self.children if child.name != name]


class Tree(msgspec.Struct):
    """All of it. reserved: the map of reserved memory as it is; processor: that boots."""

    root: Node
    reserved: bytes
    processor: int


class BadTree(ValueError):
    """These octets are no device tree."""


def tree_of(blob: bytes) -> Tree:
    """The tree in a blob. Raises BadTree."""
    try:
        header = struct.unpack_from(_HEADER, blob)
    except struct.error as error:
        raise BadTree("too short") from error
    magic, _, at, words_at, reserved_at, _, _, processor, words_size, size = header
    if magic != _MAGIC or at + size > len(blob):
        raise BadTree("not a device tree, or half of one")
    words = blob[words_at : words_at + words_size]
    reserved = blob[reserved_at : min(at, words_at)]
    return Tree(_nodes(blob[at : at + size], words), reserved, processor)


def _nodes(structure: bytes, words: bytes) -> Node:
    open_nodes: list[Node] = []
    root: Node | None = None
    for token, name, value in _tokens(structure, words):
        match token:
            case 1:
                node = Node(name)
                if open_nodes:
                    open_nodes[-1].children.append(node)
                root = root or node
                open_nodes.append(node)
            case 2:
                open_nodes.pop()
            case _:
                open_nodes[-1].properties[name] = value
    if root is None or open_nodes:
        raise BadTree("nodes are not closed")
    return root


def _tokens(structure: bytes, words: bytes) -> Iterator[tuple[int, str, bytes]]:
    at = 0
    while True:
        (token,) = struct.unpack_from(">I", structure, at)
        at += 4
        if token == _BEGIN:
            end = structure.index(b"\0", at)
            yield token, structure[at:end].decode(), b""
            at = _padded(end + 1)
        elif token == _END:
            yield token, "", b""
        elif token == _PROP:
            length, word = struct.unpack_from(">II", structure, at)
            at += 8
            yield token, words[word : words.index(b"\0", word)].decode(), structure[at : at + length]
            at = _padded(at + length)
        elif token == _LAST:
            return
        elif token != _NOP:
            raise BadTree(f"token {token}")


def blob_of(tree: Tree) -> bytes:
    words: dict[str, int] = {}
    structure = b"".join(_written_node(tree.root, words)) + struct.pack(">I", _LAST)
    strings = b"".join(word.encode() + b"\0" for word in words)
    at = _padded(struct.calcsize(_HEADER), 8)
    reserved = tree.reserved.ljust(_padded(len(tree.reserved), 8), b"\0")
    structure_at = at + len(reserved)
    words_at = structure_at + len(structure)
    total = words_at + len(strings)
    sizes = (*_VERSION, tree.processor, len(strings), len(structure))
    header = struct.pack(_HEADER, _MAGIC, total, structure_at, words_at, at, *sizes)
    return header.ljust(at, b"\0") + reserved + structure + strings


def _written_node(node: Node, words: dict[str, int]) -> Iterator[bytes]:
    yield struct.pack(">I", _BEGIN) + _filled(node.name.encode() + b"\0")
    for name, value in node.properties.items():
        if name not in words:
            words[name] = sum(len(word.encode()) + 1 for word in words)
        yield struct.pack(">III", _PROP, len(value), words[name]) + _filled(value)
    for child in node.children:
        yield from _written_node(child, words)
    yield struct.pack(">I", _END)


def _padded(length: int, to: int = 4) -> int:
    return -(-length // to) * to


def _filled(data: bytes) -> bytes:
    return data.ljust(_padded(len(data)), b"\0")
