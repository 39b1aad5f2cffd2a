"""The page of new versions: uploaded, tried by one terminal, and each terminal's report."""

import hashlib
import resource
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from base.errors import BadData, Unavailable
from station.cli.terminals import update
from station.updates.rollout import GONE_MS
from station.updates.update_store import BundleUpload, UpdateStore
from sync.protocol.entry import TerminalId
from sync.update.bundle import About, Manifest, head_of
from sync.update.bundle_file import generate_key, public_text
from sync.update.messages import UpdateOffer, UpdateReason, UpdateReported, UpdateStage
from tests.station.browser import Browser
from tests.station.conftest import Station
from tests.sync.update.rig import NEW, OLD, PUBLIC, SIGN, head_for

PAYLOAD = bytes(range(256)) * 4_000
BUNDLE = head_for(PAYLOAD).data + PAYLOAD
ROOM = 4 * 1024 * 1024
DIGEST = hashlib.sha256(PAYLOAD).digest()


class Post:
    """Records offers."""

    def __init__(self, station: Station) -> None:
        self.station = station
        self.offers: list[tuple[TerminalId, UpdateOffer]] = []
        station.run(
            station.context.updates.open(lambda terminal, offer: self.offers.append((terminal, offer)))
        )

    def introduced(self, terminal: TerminalId, *, is_new: bool = False) -> None:
        self.station.run(
            self._do(lambda: self.station.context.updates.on_introduction(terminal, NEW if is_new else OLD))
        )

    def report(self, terminal: TerminalId, report: UpdateReported) -> None:
        self.station.run(self._do(lambda: self.station.context.updates.on_progress(terminal, report)))

    async def _do(self, what: object) -> None:
        assert callable(what)
        what()

    def close(self) -> None:
        self.station.run(self.station.context.updates.close())


def bring(browser: Browser, content: bytes = BUNDLE, name: str = "saloon-0.3.0.saloon") -> str:
    browser.get("/judge/updates")
    return browser.send_file("/judge/updates/bring", "bundle", name, content)


def test_a_version_is_brought_and_offered_to_nobody_yet(station: Station, judge: Browser) -> None:
    post = Post(station)
    first = station.terminal(1)
    post.introduced(first.id)
    page = bring(judge)
    assert "Version 0.3.0-e5f6 for arm64 has been checked and is stored here." in page
    assert "Not offered to any terminal yet." in page
    assert "running on 0 terminals · 1 can still get it" in page
    assert "can't be rolled back here, only replaced by a newer one" in page
    assert (
        'data-confirm="Terminals on which this version works will keep it: '
        "you can't undo this here. Offer it?\"" in page
    )
    assert post.offers == []
    post.close()


def test_a_removed_version_that_is_uploaded_again_is_offered_to_nobody_yet(
    station: Station, judge: Browser
) -> None:
    post = Post(station)
    post.introduced(station.terminal(1).id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="everywhere")
    judge.post("/judge/updates/arm64/remove")
    post.offers.clear()
    assert "Not offered to any terminal yet." in bring(judge)
    assert post.offers == []
    post.close()


def test_a_version_older_than_the_terminals_is_never_called_running(station: Station, judge: Browser) -> None:
    post = Post(station)
    post.introduced(station.terminal(1).id)
    post.introduced(station.terminal(2).id, is_new=True)
    older = head_for(PAYLOAD, msgspec.structs.replace(OLD, version="0.1.0", made=OLD.made - 1))
    page = bring(judge, older.data + PAYLOAD)
    assert "running on 0 terminals" in page
    assert "2 keep a newer version" in page
    assert "0 can still get it" in page
    assert "Waiting for a terminal" not in judge.post("/judge/updates/arm64/go", step="one-first")
    assert post.offers == []
    post.close()


def test_a_spare_tries_it_first_and_the_others_follow(station: Station, judge: Browser) -> None:
    post = Post(station)
    table, spare = station.terminal(1), station.terminal(None)
    post.introduced(table.id)
    post.introduced(spare.id)
    bring(judge)
    page = judge.post("/judge/updates/arm64/go", step="one-first")
    assert [terminal for terminal, _ in post.offers] == [spare.id]
    assert f"The first one is terminal {spare.id[:8]}." in page
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST))
    waits = judge.get("/judge/updates")
    assert "will download 0.3.0 when it has no game" in waits
    assert "downloading" not in waits
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST, len(PAYLOAD) * 2 // 5))
    assert "downloading 0.3.0: 40%" in judge.get("/judge/updates")
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST, len(PAYLOAD) * 2))
    assert "downloading 0.3.0: 100%" in judge.get("/judge/updates")
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST, len(PAYLOAD) * 2 // 5))
    assert "0.2.0-a1b2c3d4 → 0.3.0 40 %" in judge.get("/judge/terminals")
    post.introduced(spare.id, is_new=True)
    assert [terminal for terminal, _ in post.offers] == [spare.id, table.id]
    assert "Offered to all terminals" in judge.get("/judge/updates")
    piece = station.run(station.context.updates.piece(DIGEST, len(PAYLOAD) - 10, 64))
    assert piece == PAYLOAD[-10:]
    post.close()


def test_another_terminal_is_first_when_the_spare_stays_away_and_the_spare_stops(
    station: Station, judge: Browser
) -> None:
    post = Post(station)
    table, spare = station.terminal(1), station.terminal(None)
    post.introduced(table.id)
    post.introduced(spare.id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="one-first")
    fetching = UpdateReported(UpdateStage.FETCHING, DIGEST, 1_000)
    post.report(spare.id, fetching)
    station.context.updates.on_disconnect(spare.id)
    post.close()
    post.offers.clear()
    post = Post(station)
    assert post.offers == []
    station.clock.passed_ms += GONE_MS
    post.introduced(table.id)
    assert [(terminal, bool(offer.head)) for terminal, offer in post.offers] == [(table.id, True)]
    post.introduced(spare.id)
    post.report(spare.id, fetching)
    assert [(terminal, bool(offer.head)) for terminal, offer in post.offers[1:]] == [(spare.id, False)]
    post.close()


def test_stopped_means_that_nothing_more_is_given(station: Station, judge: Browser) -> None:
    post = Post(station)
    table = station.terminal(1)
    post.introduced(table.id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="everywhere")
    page = judge.post("/judge/updates/arm64/go", step="stop")
    assert post.offers == [(table.id, UpdateOffer(head_for(PAYLOAD).data)), (table.id, UpdateOffer(b""))]
    assert "No longer offered." in page
    assert station.run(station.context.updates.piece(DIGEST, 0, 64)) == b""
    assert "No versions here yet." in judge.post("/judge/updates/arm64/remove")
    post.close()


@pytest.mark.parametrize("stage", [UpdateStage.FETCHING, UpdateStage.WAITING])
def test_who_was_away_when_it_was_stopped_hears_so_when_it_comes_back(
    station: Station, judge: Browser, stage: UpdateStage
) -> None:
    post, table = Post(station), station.terminal(1)
    post.introduced(table.id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="everywhere")
    post.report(table.id, UpdateReported(stage, DIGEST, 1_000))
    station.context.updates.on_disconnect(table.id)
    judge.post("/judge/updates/arm64/go", step="stop")
    assert len(post.offers) == 1
    post.introduced(table.id)
    post.report(table.id, UpdateReported(stage, DIGEST, 1_000))
    assert post.offers[1:] == [(table.id, UpdateOffer(b""))]
    post.report(table.id, UpdateReported(UpdateStage.NONE))
    assert len(post.offers) == 2
    post.close()


def test_stopped_reaches_who_goes_on_with_what_it_was_offered_before(
    station: Station, judge: Browser
) -> None:
    post, tables = Post(station), [station.terminal(number) for number in range(1, 7)]
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="everywhere")
    for table in tables:
        post.introduced(table.id)
        post.report(table.id, UpdateReported(UpdateStage.FETCHING, DIGEST, 1_000))
    assert len(post.offers) < len(tables)
    post.offers.clear()
    judge.post("/judge/updates/arm64/go", step="stop")
    assert {terminal for terminal, _ in post.offers} == {table.id for table in tables}
    post.close()


def test_a_return_is_told_with_its_reason_and_stops_the_version(station: Station, judge: Browser) -> None:
    post = Post(station)
    table = station.terminal(1)
    post.introduced(table.id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="one-first")
    post.report(table.id, UpdateReported(UpdateStage.WENT_BACK, DIGEST, 0, UpdateReason.NOT_UP))
    page = judge.get("/judge/updates")
    assert "rolled back from 0.3.0: the screen didn't come up in time" in page
    assert "The update stopped automatically: the screen didn't come up in time." in page
    post.close()


def test_a_terminal_that_met_no_station_is_offered_it_once_more_for_one_trial(
    station: Station, judge: Browser
) -> None:
    post = Post(station)
    table = station.terminal(1)
    went_back = UpdateReported(UpdateStage.WENT_BACK, DIGEST, 0, UpdateReason.NO_STATION)
    head = head_for(PAYLOAD).data
    post.introduced(table.id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="one-first")
    post.report(table.id, went_back)
    assert "1 terminal started it but didn't reach the station in time." in judge.get("/judge/updates")
    page = judge.post("/judge/updates/arm64/again")
    assert "One terminal tries this version first." in page
    post.introduced(table.id)
    post.report(table.id, UpdateReported(UpdateStage.APPLYING, DIGEST, len(PAYLOAD)))
    post.introduced(table.id)
    first, none, again, plain = (
        UpdateOffer(head),
        UpdateOffer(b""),
        UpdateOffer(head, True),
        UpdateOffer(head),
    )
    assert [offer for _, offer in post.offers] == [first, none, again, again, plain]
    post.report(table.id, went_back)
    assert "No longer offered." in judge.get("/judge/updates")
    post.close()


def test_a_version_that_does_not_come_up_is_not_tried_again(station: Station, judge: Browser) -> None:
    post = Post(station)
    table = station.terminal(1)
    post.introduced(table.id)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="one-first")
    post.report(table.id, UpdateReported(UpdateStage.WENT_BACK, DIGEST, 0, UpdateReason.STARTS))
    assert "try again" not in judge.get("/judge/updates")
    offers = len(post.offers)
    judge.post("/judge/updates/arm64/again")
    assert len(post.offers) == offers or post.offers[-1][1] == UpdateOffer(b"")
    post.close()


def test_how_far_a_version_may_go_outlives_the_station(station: Station, judge: Browser) -> None:
    post = Post(station)
    bring(judge)
    judge.post("/judge/updates/arm64/go", step="everywhere")
    station.run(station.context.updates.close())
    again = Post(station)
    table = station.terminal(1)
    again.introduced(table.id)
    assert [terminal for terminal, _ in again.offers] == [table.id]
    again.close()
    del post


REFUSED = [
    (b"nothing of ours", "this isn't a Saloon bundle"),
    (BUNDLE[:-1], "incomplete"),
    (BUNDLE + b"x", "doesn't match its signature"),
    (BUNDLE[:-1] + b"?", "doesn't match its signature"),
    (head_of(Manifest(About("0.3.0"), DIGEST, len(PAYLOAD)), SIGN).data + PAYLOAD, "names no board"),
]


def test_what_a_power_cut_left_of_a_bundle_is_gone_at_the_next_start(station: Station) -> None:
    assert station.context.parts.folder is not None
    folder = station.context.parts.folder / "updates"
    half = UpdateStore(folder).upload()
    half.add(b"half")
    half.end()
    post = Post(station)
    assert list(folder.iterdir()) == []
    post.close()


def filled(shelf: UpdateStore, upload: BundleUpload, length: int) -> None:
    for _ in range(0, length, 500):
        upload.add(bytes(500))
    shelf.add(upload)


@pytest.mark.parametrize("length", [2 * ROOM, ROOM + 1_000])
def test_what_a_full_disk_did_not_take_gives_its_room_back(tmp_path: Path, length: int) -> None:
    shelf = UpdateStore(tmp_path / "shelf")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, usual[1]))
    try:
        upload = shelf.upload()
        with pytest.raises(Unavailable, match="File too large"):
            filled(shelf, upload, length)
        upload.forget()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert list((tmp_path / "shelf").iterdir()) == []


def test_what_is_no_bundle_is_refused_and_leaves_nothing(station: Station, judge: Browser) -> None:
    assert station.context.parts.folder is not None
    folder = station.context.parts.folder / "updates"
    post = Post(station)
    for content, why in REFUSED:
        assert why in (page := bring(judge, content))
        assert "saloon-0.3.0.saloon:" in page
        assert str(folder) not in page
        assert station.context.updates.versions() == ()
        assert list(folder.iterdir()) == []
    assert "Choose a version's bundle" in judge.send_file("/judge/updates/bring", "bundle", "", b"")
    post.close()


@pytest.mark.parametrize("page", ["/judge/updates/bring", "/judge/take-in"])
def test_nothing_of_what_a_stranger_sends_is_read(visitor: Browser, page: str) -> None:
    read = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal read
        yield b'--x\r\nContent-Disposition: form-data; name="bundle"; filename="a"\r\n\r\n'
        for _ in range(64):
            read += 1
            yield bytes(4096)

    assert visitor.streamed(page, body(), **{"content-type": "multipart/form-data; boundary=x"}) == 401
    assert read == 0


def test_where_the_maintainers_key_is_known_another_hand_is_refused(tmp_path: Path) -> None:
    (tmp_path / "release.pub").write_text(public_text(generate_key()[1], is_for_trials=False))
    with pytest.raises(BadData, match="isn't signed with a key"):
        kept(UpdateStore(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["release.pub"]
    (tmp_path / "release.pub").write_text(public_text(PUBLIC, is_for_trials=False))
    assert kept(UpdateStore(tmp_path)).name == "arm64.saloon"
    assert UpdateStore(tmp_path).bundles()[0].head.data == head_for(PAYLOAD).data


def kept(shelf: UpdateStore) -> Path:
    upload = shelf.upload()
    upload.add(BUNDLE)
    return shelf.add(upload).path


def test_a_command_puts_a_version_on_the_shelf_of_a_running_station(station: Station, tmp_path: Path) -> None:
    post = Post(station)
    (tmp_path / "new.saloon").write_bytes(BUNDLE)
    done = CliRunner().invoke(update, ["--data", str(tmp_path), str(tmp_path / "new.saloon")])
    assert "Version 0.3.0-e5f6 for arm64 is stored" in done.output
    station.run(station.context.updates._reload())
    assert [version.manifest.about for version in station.context.updates.versions()] == [NEW]
    post.close()


def test_only_what_is_new_comes_when_the_page_asks_again(station: Station, judge: Browser) -> None:
    page = judge.get("/judge/updates")
    key = page.partition("/now?seen=")[2].partition('"')[0]
    assert station.run(judge._client.get(f"/judge/updates/now?seen={key}")).status_code == 204
