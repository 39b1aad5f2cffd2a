"""A station whose ports are held by a crowd: tables play, pages answer, memory and log stay small."""

from pathlib import Path

import pytest

from tests.faults.hostile.besiegers import SiegePlan
from tests.faults.siege import Siege

pytestmark = pytest.mark.faults

SECONDS = 16.0
PER_S = 50.0


@pytest.mark.nightly
def test_while_thousands_hold_connections_tables_play_and_pages_answer(tmp_path: Path) -> None:
    with Siege(tmp_path) as siege:
        suffered = siege.suffer(SiegePlan(siege.pages, siege.terminals), SECONDS, PER_S)
        assert suffered.wrong(SECONDS * PER_S) == "", siege.log_end()
        assert suffered.opened.idle >= 5_000
        assert suffered.opened.half >= 1_000
        assert suffered.opened.bodies >= 60
        assert suffered.pages >= 3
