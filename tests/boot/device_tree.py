"""A board's flattened device tree, read and written again: so that one board may say it is another."""

import struct
from collections.abc import Iterator
from typing import Final

import msgspec

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


def read(blob: bytes) -> Tree:
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


def written(tree: Tree) -> bytes:
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
