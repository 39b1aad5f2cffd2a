"""Update terminals: track their versions, offer new ones, and serve pieces of bundles."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import msgspec
import structlog
from msgspec.structs import replace

from base import __version__
from base.errors import Unavailable
from station.updates.rollout import (
    Rollout,
    RolloutPhase,
    TerminalProgress,
    allow_retry,
    can_be_offered,
    has_rejected_version,
    may_try_again,
    next_step,
    runs_newer_version,
    runs_version,
    version_in_progress,
)
from station.updates.update_store import UpdateStore
from sync.protocol.entry import TerminalId
from sync.update.bundle import About, Manifest
from sync.update.bundle_file import BundleFile
from sync.update.messages import UpdateOffer, UpdateReason, UpdateReported, UpdateStage

_log = structlog.get_logger()
LOOK_S: Final = 10.0
"""The interval for checking stalled terminals, and bundles stored by the command line."""

Offer = Callable[[TerminalId, UpdateOffer], None]


class Version(msgspec.Struct, frozen=True):
    """A version at the station, for the judge. The numbers count terminals.

    done: those that run it.
    newer: those that run a newer one.
    left: those that declined it or rolled back.
    waiting: those that can still get it.
    unheard: those of ``left`` that could not reach the station and may try again.
    why: the reason for an automatic stop.
    """

    manifest: Manifest
    phase: RolloutPhase
    first: TerminalId | None
    why: UpdateReason
    done: int
    newer: int
    left: int
    waiting: int
    unheard: int = 0


class TerminalVersion(msgspec.Struct, frozen=True):
    """A terminal's version, and its report and progress on a stored one."""

    about: About | None
    report: UpdateReported | None = None
    percent: int = 0
    version: str = ""


class Updates:
    """The station's side of updates (``terminal_session.Offering``). Used on one event loop.

    order: returns the terminals; those that should try a version first come first.
    changed: called when pages have something new to show.
    """

    def __init__(
        self,
        update_store: UpdateStore | None,
        monotonic_ms: Callable[[], int],
        order: Callable[[], Sequence[TerminalId]],
        changed: Callable[[TerminalId | None], None],
    ) -> None:
        self._store = update_store
        self._monotonic_ms = monotonic_ms
        self._order = order
        self._changed = changed
        self._offer: Offer = lambda _terminal, _offered: None
        self._terminals: dict[TerminalId, TerminalProgress] = {}
        self._bundles: dict[str, BundleFile] = {}
        self._rollouts: dict[str, Rollout] = {}
        self._reloading: asyncio.Task[None] | None = None
        self._saves: set[asyncio.Task[None]] = set()
        self._saving = asyncio.Lock()

    @property
    def about(self) -> About:
        return About(__version__)

    async def open(self, offer: Offer) -> None:
        """Load the stored versions and start offering them. ``offer`` sends an offer to a terminal."""
        self._offer = offer
        if self._store is not None:
            await asyncio.to_thread(self._store.remove_leftovers)
            self._rollouts = await asyncio.to_thread(self._store.rollouts)
            for one in self._rollouts.values():
                if one.first is not None:
                    away = TerminalProgress(moved_ms=self._monotonic_ms())
                    self._terminals.setdefault(one.first, away)
        await self._reload()
        self._reloading = asyncio.get_running_loop().create_task(self._keep_reloading())

    async def close(self) -> None:
        """Stop offering versions, and wait for pending writes."""
        if self._reloading is not None:
            self._reloading.cancel()
            await asyncio.gather(self._reloading, *self._saves, return_exceptions=True)

    def on_introduction(self, terminal: TerminalId, about: About | None) -> None:
        """Record the version of a terminal that has connected."""
        again = self._terminals.get(terminal, TerminalProgress()).again
        now_ms = self._monotonic_ms()
        self._terminals[terminal] = TerminalProgress(about, None, is_here=True, moved_ms=now_ms, again=again)
        self._changed(terminal)
        self._continue_rollouts()

    def on_disconnect(self, terminal: TerminalId) -> None:
        """Mark a terminal as disconnected; its last report is kept."""
        known = self._terminals.get(terminal)
        if known is not None:
            self._terminals[terminal] = replace(
                known, is_here=False, offered="", moved_ms=self._monotonic_ms()
            )

    def on_progress(self, terminal: TerminalId, report: UpdateReported) -> None:
        """Record a terminal's progress, and offer the version to others if that allows it."""
        known = self._terminals.get(terminal)
        if known is None:
            return
        if known.report is None or known.report.stage is not report.stage:
            _log.info(
                "terminal reported an update", terminal=terminal, stage=report.stage.value, have=report.have
            )
        now_ms = self._monotonic_ms()
        # A permission is for one trial, which starts when the version is installed.
        again = "" if report.stage is UpdateStage.APPLYING else known.again
        now = replace(known, report=report, moved_ms=now_ms, again=again)
        self._terminals[terminal] = now
        if version_in_progress(now) not in {"", *self._offered_versions(terminal)}:
            # It was disconnected when this version was withdrawn, or another terminal is now the first.
            self._offer(terminal, UpdateOffer(b""))
        self._changed(terminal)
        self._continue_rollouts()

    async def piece(self, digest: bytes, offset: int, length: int) -> bytes:
        """Return a piece of an offered bundle, or nothing if it is not offered any more."""
        for bundle in self._bundles.values():
            if bundle.head.manifest.digest == digest and self._rollout(bundle).phase in _OFFERED:
                return await asyncio.to_thread(bundle.piece, offset, length)
        return b""

    def versions(self) -> tuple[Version, ...]:
        """Return the stored versions, by architecture."""
        return tuple(self._version(bundle) for _, bundle in sorted(self._bundles.items()))

    def terminal_version(self, terminal: TerminalId) -> TerminalVersion:
        """Return a terminal's version and update progress, as last reported."""
        known = self._terminals.get(terminal, TerminalProgress())
        for bundle in self._bundles.values():
            manifest = bundle.head.manifest
            if known.report is not None and known.report.digest == manifest.digest:
                percent = min(100, 100 * known.report.have // manifest.payload)
                return TerminalVersion(known.about, known.report, percent, manifest.about.version)
        return TerminalVersion(known.about)

    async def upload(self, pieces: AsyncIterator[bytes], by: str) -> Manifest:
        """Store an uploaded bundle, without offering it yet. Raises BadData and Unavailable."""
        update_store = self._store
        if update_store is None:
            raise Unavailable("this station has no folder for versions")
        upload = await asyncio.to_thread(update_store.upload)
        try:
            async for piece in pieces:
                await asyncio.to_thread(upload.add, piece)
        except BaseException:
            upload.forget()
            raise
        bundle = await asyncio.to_thread(update_store.add, upload)
        _log.info("version uploaded", version=bundle.head.manifest.about.name, by=by)
        await self._reload()
        return bundle.head.manifest

    async def set_phase(self, architecture: str, phase: RolloutPhase, by: str) -> None:
        """Set the phase of a rollout. Raises KeyError for an architecture without a version, Unavailable."""
        bundle = self._bundles[architecture]
        _log.info("rollout phase set", architecture=architecture, phase=phase.value, by=by)
        await self._save(architecture, Rollout(bundle.head.manifest.name, phase))
        if phase not in _OFFERED:
            self._withdraw(bundle.head.manifest.name)
        self._continue_rollouts()

    async def retry(self, architecture: str, by: str) -> None:
        """Offer a version again to terminals that could not reach the station. Raises as ``remove``."""
        bundle = self._bundles[architecture]
        rollout, again = allow_retry(self._rollout(bundle), bundle.head.manifest, self._terminals)
        _log.info("version offered again", architecture=architecture, terminals=len(again), by=by)
        self._terminals.update(again)
        await self._save(architecture, rollout)
        self._continue_rollouts()

    async def remove(self, architecture: str, by: str) -> None:
        """Delete a version. Raises KeyError and Unavailable."""
        bundle = self._bundles[architecture]
        if self._store is not None:
            await asyncio.to_thread(self._store.remove, bundle)
        await self._save(architecture, Rollout(bundle.head.manifest.name))
        _log.info("version removed", architecture=architecture, by=by)
        await self._reload()

    async def _keep_reloading(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self._reload()

    async def _reload(self) -> None:
        """Read the stored bundles, and continue their rollouts."""
        if self._store is None:
            return
        before = [bundle.head for bundle in self._bundles.values()]
        bundles = await asyncio.to_thread(self._store.bundles)
        self._bundles = {bundle.head.manifest.about.architecture: bundle for bundle in bundles}
        for gone in {one.offered for one in self._terminals.values()} - self._offered_versions() - {""}:
            self._withdraw(gone)
        if before != [bundle.head for bundle in self._bundles.values()]:
            self._changed(None)
        self._continue_rollouts()

    def _offered_versions(self, terminal: TerminalId | None = None) -> set[str]:
        rollouts = [self._rollout(bundle) for bundle in self._bundles.values()]
        return {
            one.name
            for one in rollouts
            if one.phase is RolloutPhase.EVERYWHERE
            or (one.phase is RolloutPhase.ONE_FIRST and (one.first is None or terminal in {None, one.first}))
        }

    def _rollout(self, bundle: BundleFile) -> Rollout:
        manifest = bundle.head.manifest
        known = self._rollouts.get(manifest.about.architecture)
        return known if known is not None and known.name == manifest.name else Rollout(manifest.name)

    def _continue_rollouts(self) -> None:
        """Send due offers, and store changes of the rollouts."""
        now_ms = self._monotonic_ms()
        for architecture, bundle in self._bundles.items():
            before, manifest = self._rollout(bundle), bundle.head.manifest
            after, offers = next_step(before, manifest, self._terminals, self._order(), now_ms)
            for terminal in offers:
                known = self._terminals[terminal]
                self._terminals[terminal] = replace(known, offered=after.name, moved_ms=now_ms)
                self._offer(terminal, UpdateOffer(bundle.head.data, again=known.again == after.name))
            if after != before:
                self._rollouts[architecture] = after
                self._changed(None)
                if after.phase is RolloutPhase.STOPPED:
                    _log.error("rollout stopped", version=manifest.about.name, why=after.why.value)
                    self._withdraw(after.name)
                task = asyncio.get_running_loop().create_task(self._save_or_log(architecture, after))
                self._saves.add(task)
                task.add_done_callback(self._saves.discard)

    def _withdraw(self, name: str) -> None:
        for terminal, known in self._terminals.items():
            # A reconnected terminal continues with the version that it was offered before.
            if known.is_here and name in {known.offered, version_in_progress(known)}:
                self._terminals[terminal] = replace(known, offered="")
                self._offer(terminal, UpdateOffer(b""))

    async def _save_or_log(self, architecture: str, rollout: Rollout) -> None:
        try:
            await self._save(architecture, rollout)
        except Unavailable as error:
            _log.error("rollout cannot be saved", problem=str(error))

    async def _save(self, architecture: str, rollout: Rollout) -> None:
        self._rollouts[architecture] = rollout
        if self._store is not None:
            async with self._saving:
                await asyncio.to_thread(self._store.save_rollouts, dict(self._rollouts))
        self._changed(None)

    def _version(self, bundle: BundleFile) -> Version:
        manifest, rollout = bundle.head.manifest, self._rollout(bundle)
        known = self._terminals.values()
        newer = sum(runs_newer_version(manifest, one) for one in known)
        return Version(
            manifest,
            rollout.phase,
            rollout.first,
            rollout.why,
            done=sum(runs_version(manifest, one) for one in known) - newer,
            newer=newer,
            left=sum(has_rejected_version(manifest, one) for one in known),
            waiting=sum(can_be_offered(manifest, one) for one in known),
            unheard=sum(may_try_again(manifest, one) for one in known),
        )


_OFFERED: Final = frozenset({RolloutPhase.ONE_FIRST, RolloutPhase.EVERYWHERE})
