"""This version and the oldest in one hall, on cut cards, and with the oldest's data."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.soak.other_versions import COMMITS, NEEDS_HISTORY, has_history, this_version, versions_in
from tests.soak.part_archives import read_by, unpack_kept
from tests.soak.part_updates import cut_update
from tests.soak.part_versions import mixed
from tests.soak.part_wire import wired
from tests.soak.recorded_disk import Call

pytestmark = pytest.mark.faults
THIS, UPDATE = this_version(), this_version("its update", 1)


@pytest.mark.nightly
@pytest.mark.skipif(not has_history(), reason=NEEDS_HISTORY)
def test_the_oldest_version_and_this_one_share_a_hall_and_its_data(tmp_path: Path) -> None:
    done = mixed(1, versions_in(tmp_path, [next(iter(COMMITS))]), 1.0)
    assert done.failures == ()
    assert done.events > 50
    assert done.crashes > 3


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return unpack_kept(tmp_path)


def test_a_tournament_of_the_oldest_version_is_read_whole(archive: Path) -> None:
    done = read_by(THIS, archive)
    assert done.failures == ()
    assert done.events > 500


def test_an_entry_that_an_update_would_lose_is_found(archive: Path) -> None:
    with closing(sqlite3.connect(archive / "station/station.sqlite")) as database, database:
        database.execute("DELETE FROM entries WHERE arrival = (SELECT max(arrival) FROM entries)")
    assert read_by(THIS, archive).failures


@pytest.mark.nightly
def test_wherever_an_update_is_cut_a_whole_version_runs() -> None:
    done = cut_update(THIS, THIS, UPDATE, 1)
    assert done.failures == ()
    assert done.crashes > 20


def test_an_older_version_is_refused_wherever_it_is_cut() -> None:
    assert cut_update(THIS, UPDATE, THIS, 1).failures == ()


@pytest.mark.nightly
def test_a_version_that_was_not_flushed_before_its_trial_is_found() -> None:
    def is_lost(call: Call) -> bool:
        return call.name == "flush" and ".squashfs" in call.path

    assert cut_update(THIS, THIS, UPDATE, 1, is_lost).failures


@pytest.mark.nightly
@pytest.mark.slow
def test_an_update_comes_over_the_wire_while_both_ends_are_killed() -> None:
    done = wired(THIS, THIS, UPDATE, 1)
    assert done.failures == ()
    assert done.events
    assert done.crashes > 3
