"""The publisher's document of a tournament: a stored PDF, or a link."""

import asyncio
import base64
import enum
import hashlib
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlsplit

import msgspec

from base.errors import Refused
from core.terms import TournamentId
from station.hall.station_context import StationContext

LARGEST_PDF: Final = 10 * 1024 * 1024
_LONGEST_LINK: Final = 500
_PIECE: Final = 64 * 1024
_HEAD, _TAIL = b"%PDF-", b"%%EOF"
_NEAR: Final = 1024
"""PDF readers accept the markers within this distance in bytes from start and end."""


class DocumentRefusal(enum.Enum):
    """The reasons for refusing a document, as English sentences."""

    NO_PDF = "Choose a PDF of up to 10 MB."
    NO_LINK = "Type the whole address of the document, beginning with https://."


class Document(msgspec.Struct, frozen=True):
    """A document for players: a link, or the digest of a stored PDF."""

    link: str = ""
    digest: str = ""


class Documents:
    """The documents of all tournaments, stored in the settings. The PDF read last is cached."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._lock = asyncio.Lock()
        self._latest: tuple[str, bytes] = ("", b"")

    async def find(self, tournament: TournamentId) -> Document | None:
        content = await asyncio.to_thread(self._context.parts.settings.get, _name(tournament))
        return msgspec.json.decode(content, type=Document) if content else None

    async def set_link(self, tournament: TournamentId, link: str) -> None:
        """Replace the document by a link, or remove it if the link is empty. Raises Refused."""
        if link and not _is_link(link):
            raise Refused(DocumentRefusal.NO_LINK)
        await self._store(tournament, Document(link=link) if link else None, b"")

    async def set_pdf(self, tournament: TournamentId, content: bytes) -> None:
        """Replace the document by a PDF. Raises Refused."""
        is_pdf = _HEAD in content[:_NEAR] and _TAIL in content[-_NEAR:]
        if not is_pdf or len(content) > LARGEST_PDF:
            raise Refused(DocumentRefusal.NO_PDF)
        digest = hashlib.sha256(content).hexdigest()
        await self._store(tournament, Document(digest=digest), content)

    async def pieces(self, tournament: TournamentId, document: Document) -> AsyncIterator[bytes]:
        """Yield a PDF in pieces, or nothing if it has been replaced."""
        async with self._lock:
            if self._latest[0] != document.digest:
                get = self._context.parts.settings.get
                text = await asyncio.to_thread(get, _file(tournament, document.digest))
                # Earlier versions stored one file without its digest.
                text = text or await asyncio.to_thread(get, _file(tournament))
                self._latest = ("", b"")
                content = await asyncio.to_thread(base64.b64decode, text or "")
                self._latest = (hashlib.sha256(content).hexdigest(), content)
            digest, content = self._latest
        if digest == document.digest:
            view = memoryview(content)
            for first in range(0, len(content), _PIECE):
                yield bytes(view[first : first + _PIECE])

    async def _store(self, tournament: TournamentId, document: Document | None, content: bytes) -> None:
        """Store the file, then the record that refers to it, and only then remove the former file."""
        settings, before = self._context.parts.settings, await self.find(tournament)
        digest = document.digest if document else ""
        if digest:
            text = await asyncio.to_thread(lambda: base64.b64encode(content).decode())
            await asyncio.to_thread(settings.set, _file(tournament, digest), text)
        await asyncio.to_thread(
            settings.set, _name(tournament), msgspec.json.encode(document).decode() if document else ""
        )
        if before and before.digest and before.digest != digest:
            for name in (_file(tournament, before.digest), _file(tournament)):
                await asyncio.to_thread(settings.set, name, "")


def _name(tournament: TournamentId) -> str:
    return f"document-{tournament}"


def _file(tournament: TournamentId, digest: str = "") -> str:
    return f"document-file-{tournament}{digest and '-'}{digest}"


def _is_link(link: str) -> bool:
    if len(link) > _LONGEST_LINK or not link.isprintable() or any(map(str.isspace, link)):
        return False
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and parts.username is None
