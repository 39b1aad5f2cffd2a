"""The page of new versions: uploaded, tried by one terminal, and each terminal's report."""

import hashlib
import resource
from collections.abc import AsyncIterator, Iterator
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
from tests.station.conftest import ScriptedTerminal, Station
from tests.sync.update.rig import NEW, OLD, PUBLIC, SIGN, head_for

PAYLOAD = bytes(range(256)) * 4_000
BUNDLE = head_for(PAYLOAD).data + PAYLOAD
ROOM = 4 * 1024 * 1024
DIGEST = hashlib.sha256(PAYLOAD).digest()


class Post:
    """Records offers, with the judge who makes them."""

    def __init__(self, station: Station, judge: Browser) -> None:
        self.station, self.judge = station, judge
        self.updates = station.context.updates
        self.opens()

    def opens(self) -> None:
        self.offers: list[tuple[TerminalId, UpdateOffer]] = []
        self.station.run(self.updates.open(lambda terminal, offer: self.offers.append((terminal, offer))))

    def introduced(self, terminal: TerminalId, *, is_new: bool = False) -> None:
        self.station.on_loop(lambda: self.updates.on_introduction(terminal, NEW if is_new else OLD))

    def report(self, terminal: TerminalId, report: UpdateReported) -> None:
        self.station.on_loop(lambda: self.updates.on_progress(terminal, report))

    def table(self) -> ScriptedTerminal:
        """A terminal at table 1 that has said its version."""
        terminal = self.station.terminal(1)
        self.introduced(terminal.id)
        return terminal

    def page(self) -> str:
        return self.judge.get("/judge/updates")

    def brings(self, content: bytes = BUNDLE, name: str = "saloon-0.3.0.saloon") -> str:
        self.page()
        return self.judge.send_file("/judge/updates/bring", "bundle", name, content)

    def goes(self, step: str) -> str:
        return self.judge.post("/judge/updates/arm64/go", step=step)

    def close(self) -> None:
        self.station.run(self.updates.close())


@pytest.fixture
def post(station: Station, judge: Browser) -> Iterator[Post]:
    made = Post(station, judge)
    yield made
    made.close()


def test_a_version_is_brought_and_offered_to_nobody_yet(post: Post) -> None:
    post.table()
    page = post.brings()
    assert "Version 0.3.0-e5f6 for arm64 has been checked and is stored here." in page
    assert "Not offered to any terminal yet." in page
    assert "running on 0 terminals · 1 can still get it" in page
    assert "can't be rolled back here, only replaced by a newer one" in page
    assert (
        'data-confirm="Terminals on which this version works will keep it: '
        "you can't undo this here. Offer it?\"" in page
    )
    assert post.offers == []


def test_a_removed_version_that_is_uploaded_again_is_offered_to_nobody_yet(post: Post) -> None:
    post.table()
    post.brings()
    post.goes("everywhere")
    post.judge.post("/judge/updates/arm64/remove")
    post.offers.clear()
    assert "Not offered to any terminal yet." in post.brings()
    assert post.offers == []


def test_a_version_older_than_the_terminals_is_never_called_running(post: Post) -> None:
    post.introduced(post.station.terminal(1).id)
    post.introduced(post.station.terminal(2).id, is_new=True)
    older = head_for(PAYLOAD, msgspec.structs.replace(OLD, version="0.1.0", made=OLD.made - 1))
    page = post.brings(older.data + PAYLOAD)
    assert "running on 0 terminals" in page
    assert "2 keep a newer version" in page
    assert "0 can still get it" in page
    assert "Waiting for a terminal" not in post.goes("one-first")
    assert post.offers == []


def test_a_spare_tries_it_first_and_the_others_follow(post: Post) -> None:
    table, spare = post.table(), post.station.terminal(None)
    post.introduced(spare.id)
    post.brings()
    page = post.goes("one-first")
    assert [terminal for terminal, _ in post.offers] == [spare.id]
    assert f"The first one is terminal {spare.id[:8]}." in page
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST))
    waits = post.page()
    assert "will download 0.3.0 when it has no game" in waits
    assert "downloading" not in waits
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST, len(PAYLOAD) * 2 // 5))
    assert "downloading 0.3.0: 40%" in post.page()
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST, len(PAYLOAD) * 2))
    assert "downloading 0.3.0: 100%" in post.page()
    post.report(spare.id, UpdateReported(UpdateStage.FETCHING, DIGEST, len(PAYLOAD) * 2 // 5))
    assert "0.2.0-a1b2c3d4 → 0.3.0 40 %" in post.judge.get("/judge/terminals")
    post.introduced(spare.id, is_new=True)
    assert [terminal for terminal, _ in post.offers] == [spare.id, table.id]
    assert "Offered to all terminals" in post.page()
    piece = post.station.run(post.updates.piece(DIGEST, len(PAYLOAD) - 10, 64))
    assert piece == PAYLOAD[-10:]


def test_another_terminal_is_first_when_the_spare_stays_away(post: Post) -> None:
    table, spare = post.table(), post.station.terminal(None)
    post.introduced(spare.id)
    post.brings()
    post.goes("one-first")
    fetching = UpdateReported(UpdateStage.FETCHING, DIGEST, 1_000)
    post.report(spare.id, fetching)
    post.updates.on_disconnect(spare.id)
    post.close()
    post.opens()
    assert post.offers == []
    post.station.clock.passed_ms += GONE_MS
    post.introduced(table.id)
    assert [(terminal, bool(offer.head)) for terminal, offer in post.offers] == [(table.id, True)]
    post.introduced(spare.id)
    post.report(spare.id, fetching)
    assert [(terminal, bool(offer.head)) for terminal, offer in post.offers[1:]] == [(spare.id, False)]


def test_stopped_means_that_nothing_more_is_given(post: Post) -> None:
    table = post.table()
    post.brings()
    post.goes("everywhere")
    page = post.goes("stop")
    assert post.offers == [(table.id, UpdateOffer(head_for(PAYLOAD).data)), (table.id, UpdateOffer(b""))]
    assert "No longer offered." in page
    assert post.station.run(post.updates.piece(DIGEST, 0, 64)) == b""
    assert "No versions here yet." in post.judge.post("/judge/updates/arm64/remove")


@pytest.mark.parametrize("stage", [UpdateStage.FETCHING, UpdateStage.WAITING])
def test_who_was_away_when_it_was_stopped_hears_so_when_it_comes_back(post: Post, stage: UpdateStage) -> None:
    table = post.table()
    post.brings()
    post.goes("everywhere")
    post.report(table.id, UpdateReported(stage, DIGEST, 1_000))
    post.updates.on_disconnect(table.id)
    post.goes("stop")
    assert len(post.offers) == 1
    post.introduced(table.id)
    post.report(table.id, UpdateReported(stage, DIGEST, 1_000))
    assert post.offers[1:] == [(table.id, UpdateOffer(b""))]
    post.report(table.id, UpdateReported(UpdateStage.NONE))
    assert len(post.offers) == 2


def test_stopped_reaches_who_goes_on_with_an_older_offer(post: Post) -> None:
    tables = [post.station.terminal(number) for number in range(1, 7)]
    post.brings()
    post.goes("everywhere")
    for table in tables:
        post.introduced(table.id)
        post.report(table.id, UpdateReported(UpdateStage.FETCHING, DIGEST, 1_000))
    assert len(post.offers) < len(tables)
    post.offers.clear()
    post.goes("stop")
    assert {terminal for terminal, _ in post.offers} == {table.id for table in tables}


def test_a_return_is_told_with_its_reason_and_stops_the_version(post: Post) -> None:
    table = post.table()
    post.brings()
    post.goes("one-first")
    post.report(table.id, UpdateReported(UpdateStage.WENT_BACK, DIGEST, 0, UpdateReason.NOT_UP))
    page = post.page()
    assert "rolled back from 0.3.0: the screen didn't come up in time" in page
    assert "The update stopped automatically: the screen didn't come up in time." in page


def test_a_terminal_that_met_no_station_gets_one_more_trial(post: Post) -> None:
    table = post.station.terminal(1)
    went_back = UpdateReported(UpdateStage.WENT_BACK, DIGEST, 0, UpdateReason.NO_STATION)
    head = head_for(PAYLOAD).data
    post.introduced(table.id)
    post.brings()
    post.goes("one-first")
    post.report(table.id, went_back)
    assert "1 terminal started it but didn't reach the station in time." in post.page()
    page = post.judge.post("/judge/updates/arm64/again")
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
    assert "No longer offered." in post.page()


def test_a_version_that_does_not_come_up_is_not_tried_again(post: Post) -> None:
    table = post.table()
    post.brings()
    post.goes("one-first")
    post.report(table.id, UpdateReported(UpdateStage.WENT_BACK, DIGEST, 0, UpdateReason.STARTS))
    assert "try again" not in post.page()
    offers = len(post.offers)
    post.judge.post("/judge/updates/arm64/again")
    assert len(post.offers) == offers or post.offers[-1][1] == UpdateOffer(b"")


def test_how_far_a_version_may_go_outlives_the_station(post: Post) -> None:
    post.brings()
    post.goes("everywhere")
    post.close()
    post.opens()
    table = post.table()
    assert [terminal for terminal, _ in post.offers] == [table.id]


REFUSED = [
    (b"nothing of ours", "this isn't a Saloon bundle"),
    (BUNDLE[:-1], "incomplete"),
    (BUNDLE + b"x", "doesn't match its signature"),
    (BUNDLE[:-1] + b"?", "doesn't match its signature"),
    (head_of(Manifest(About("0.3.0"), DIGEST, len(PAYLOAD)), SIGN).data + PAYLOAD, "names no board"),
]


def test_what_a_power_cut_left_of_a_bundle_is_gone_at_the_next_start(post: Post) -> None:
    assert post.station.context.parts.folder is not None
    folder = post.station.context.parts.folder / "updates"
    half = UpdateStore(folder).upload()
    half.add(b"half")
    half.end()
    post.close()
    post.opens()
    assert list(folder.iterdir()) == []


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


def test_what_is_no_bundle_is_refused_and_leaves_nothing(post: Post) -> None:
    assert post.station.context.parts.folder is not None
    folder = post.station.context.parts.folder / "updates"
    for content, why in REFUSED:
        assert why in (page := post.brings(content))
        assert "saloon-0.3.0.saloon:" in page
        assert str(folder) not in page
        assert post.updates.versions() == ()
        assert list(folder.iterdir()) == []
    assert "Choose a version's bundle" in post.judge.send_file("/judge/updates/bring", "bundle", "", b"")


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


def test_a_command_puts_a_version_on_the_shelf_of_a_running_station(post: Post, tmp_path: Path) -> None:
    (tmp_path / "new.saloon").write_bytes(BUNDLE)
    done = CliRunner().invoke(update, ["--data", str(tmp_path), str(tmp_path / "new.saloon")])
    assert "Version 0.3.0-e5f6 for arm64 is stored" in done.output
    post.station.run(post.updates._reload())
    assert [version.manifest.about for version in post.updates.versions()] == [NEW]


def test_only_what_is_new_comes_when_the_page_asks_again(station: Station, judge: Browser) -> None:
    page = judge.get("/judge/updates")
    key = page.partition("/now?seen=")[2].partition('"')[0]
    assert station.run(judge._client.get(f"/judge/updates/now?seen={key}")).status_code == 204
