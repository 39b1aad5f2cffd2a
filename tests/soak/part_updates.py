"""An update of each version to each other one, the power cut at every write of it."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.cuts import ROOT, digest_of, fast_folder, quiet
from tests.soak.other_versions import Version, versions_in
from tests.soak.recorded_disk import Call, Left, RecordedDisk
from tests.soak.update_card import IMAGE, Ending, UpdateCard, bundle_of, fetch_offered, watch

_AGAIN_EVERY = 6
"""The update is repeated from its beginning on every one of this many images after a cut."""
_FORGETS_UNTIL = 1_795_763_681
"""Cards of images made before this time may note ``damaged`` if an update was cut while it was undone."""


def run_updates(seed: int, seconds: float, progress: Progress) -> Counts:
    """Update between all ordered pairs of versions, at least once each, until the time is over."""
    quiet()
    end, done = time.monotonic() + seconds, Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-updates-", dir=fast_folder()) as folder:
        versions = versions_in(Path(folder) / "versions")
        for number, (image, former, new) in enumerate(updates(seed, versions)):
            if number and time.monotonic() > end:
                return done
            done += cut_update(image, former, new, seed + number)
            progress(done)
    return done


def updates(seed: int, versions: Sequence[Version]) -> Iterator[tuple[Version, Version, Version]]:
    """Yield the image of a card, its running version and an offered one: all ordered pairs, repeatedly."""
    chance = random.Random(f"updates {seed}")
    pairs = [(former, new) for former in versions for new in versions if former is not new]
    while True:
        chance.shuffle(pairs)
        for former, new in pairs:
            older = [one for one in versions if one.made <= former.made and _base(one) == _base(former)]
            yield chance.choice((former, chance.choice(older))), former, new


def ending_of(former: Version, new: Version) -> tuple[Ending, ...]:
    """Return the endings that the rules allow for an update from one version to another."""
    if _base(former) == _base(new) and new.made > former.made:
        return Ending.KEPT, Ending.UNDONE
    return (Ending.REFUSED,)


def cut_update(
    image: Version, former: Version, new: Version, seed: int, lost: Callable[[Call], bool] = lambda _: False
) -> Counts:
    """Cut the update of a card that runs ``former`` to ``new`` before each call, with each of its endings.

    ``lost`` calls are treated as not made, to test that this is noticed.
    """
    done = Counts()
    for ending in ending_of(former, new):
        with tempfile.TemporaryDirectory(prefix="saloon-update-", dir=fast_folder()) as folder:
            cut = _CutUpdate(Path(folder), (image, former, new), ending, seed)
            try:
                done += cut.everywhere(lost)
            except AssertionError as error:
                done += Counts(seeds=1, failures=(f"{cut.name}: {error}",))
    return done


def _base(version: Version) -> str:
    return bundle_of(version).about.base


class _CutUpdate:
    """One recorded update, and the cards that a power cut leaves."""

    def __init__(
        self, folder: Path, versions: tuple[Version, Version, Version], ending: Ending, seed: int
    ) -> None:
        self._image, self._former, self._new = versions
        names = " → ".join(version.name for version in versions)
        self.name = f"updates, {names}, {ending.value}, seed {seed}"
        self._ending = ending
        self._seed = seed
        self._is_fetched_by_us = self._former.folder == ROOT and ending is not Ending.REFUSED
        self._bundle = bundle_of(self._new)
        self._before = bundle_of(self._former)
        self._runs_before = IMAGE if self._former is self._image else self._before.name
        bundles = (self._before, self._bundle)
        self._card = UpdateCard(folder / "recorded", self._image, bundles)
        self._cut_card = UpdateCard(folder / "found", self._image, bundles)

    def everywhere(self, lost: Callable[[Call], bool]) -> Counts:
        """Record the update, cut it before each call and at its end, and start each resulting card."""
        start = self._first_card()
        self._card.insert(start)
        assert self._card.boot() == self._runs_before, "the former version does not run"
        self._fetch(self._card)
        start = self._card.files()
        calls = self._card.record(self._ending, self._image)
        root = self._card.root / "data"
        disk = RecordedDisk(root)
        for call in _written(root, start):
            disk.apply(call)
        done, starts, seen = Counts(seeds=1), 0, set[tuple[bytes, int]]()
        for number, call in enumerate([*calls, Call("end", str(root), ok=True)]):
            if call.name == "told":
                starts += 1
            elif call.path.startswith(str(root)):
                for which, left in enumerate(Left):
                    chance = random.Random(f"{self._seed} {number} {which}")
                    files = disk.after_cut(left, chance)
                    if (key := (digest_of(files), starts)) in seen:
                        continue
                    seen.add(key)
                    where = f"{self.name}, cut before call {number} ({call.name}), {left.value} left"
                    done += self._look(files, starts, where, is_sampled=len(seen) % _AGAIN_EVERY == 0)
            if not lost(call):
                disk.apply(call)
        assert len(seen) > 3, "nothing was recorded"
        return done

    def _fetch(self, card: UpdateCard) -> None:
        """Offer the version to this version's own fetcher, or place files that another one has fetched."""
        if self._is_fetched_by_us:
            card.offer(self._bundle)
        else:
            card.fetch(self._bundle)

    def _first_card(self) -> dict[str, bytes]:
        if self._former is self._image:
            return {}
        name = self._before.name
        return {f"updates/{name}.squashfs": self._before.payload, "updates/kept": f"{name}\n".encode()}

    def _look(self, files: dict[str, bytes], starts: int, where: str, *, is_sampled: bool) -> Counts:
        self._cut_card.insert(files)
        failures: tuple[str, ...] = ()
        try:
            self._starts(starts)
            if is_sampled:
                self._goes_on()
        except AssertionError as error:
            failures = (f"{where}: {error}",)
        octets = sum(map(len, files.values()))
        return Counts(crashes=1, cuts=1, octets=octets, failures=failures)

    def _starts(self, starts: int) -> None:
        """Start the card, and check that a complete version runs which the rules allow."""
        runs = self._cut_card.boot()
        refused = self._cut_card.noted(f"refused/{self._bundle.name}")
        is_over = starts == (1 if self._ending is Ending.REFUSED else 2)
        if runs not in {self._runs_before, self._bundle.name}:
            raise AssertionError(f"{runs} runs, which is neither the former version nor the new one")
        match self._ending:
            case Ending.KEPT:
                assert not refused, f"a good version is refused: {refused}"
                assert runs == self._bundle.name or not starts, "the former version runs again"
            case Ending.UNDONE:
                known = {"", "not-up"} | ({"damaged"} if self._image.made <= _FORGETS_UNTIL else set())
                assert refused in known, f"refused for another reason: {refused}"
                assert runs == self._runs_before or not is_over, "a version that failed runs again"
            case Ending.REFUSED:
                assert runs == self._runs_before, "a version that the rules refuse runs"
                assert refused or not is_over, "why it is refused is forgotten"

    def _goes_on(self) -> None:
        """Let the terminal retry, and the trial be kept or undone. It must end as without a cut."""
        if self._cut_card.noted("trial") == "":
            runs = self._cut_card.boot()
            if runs == self._runs_before and not self._cut_card.noted(f"refused/{self._bundle.name}"):
                self._fetch(self._cut_card)
                if self._is_fetched_by_us:
                    fetch_offered(self._cut_card.root)
                is_tried = self._cut_card.apply(self._image)
                assert is_tried == (self._ending is not Ending.REFUSED), "it is not tried as before"
        if self._cut_card.noted("trial"):
            assert self._cut_card.boot() == self._bundle.name, "what is on trial does not start"
            watch(self._cut_card.root, self._ending)
        wanted = self._bundle.name if self._ending is Ending.KEPT else self._runs_before
        assert self._cut_card.boot() == wanted, "it does not end as without a cut"


def _written(root: Path, files: dict[str, bytes]) -> Iterator[Call]:
    """Yield the calls that create files which existed before the recording."""
    for name, content in files.items():
        path = str(root / name)
        yield Call("openat", path, ok=True, creates=True)
        yield Call("write", path, ok=True, data=content)
        yield Call("flush", path, ok=True)
    yield Call("flush", str(root), ok=True)
