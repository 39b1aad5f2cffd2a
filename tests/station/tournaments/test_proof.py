"""The page of the proof pack shows the digest that the file has."""

from pathlib import Path

from core.cli.export_file import pack_of
from core.proof.verify import verify_pack
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station


def test_the_digest_on_the_page_is_that_of_the_file(station: Station, judge: Browser, tmp_path: Path) -> None:
    station.opens(10, Waivers(rounds=1))
    terminals = (station.terminal(1), station.terminal(2))
    station.publishes()
    for terminal in terminals:
        terminal.plays()
    station.does(DrawLots("ab" * 32))
    station.does(PublishRanking())
    page = judge.get(f"/judge/t/{OPEN}/proof")
    # The digest is on that page: nobody downloads the file past it.
    then = judge.get(f"/judge/t/{OPEN}")
    assert then.count(f'href="/judge/t/{OPEN}/proof"') == 2
    assert f"/judge/t/{OPEN}/export" not in then
    file = tmp_path / "pack.jsonl"
    file.write_text(judge.get(f"/judge/t/{OPEN}/export"), encoding="utf-8", newline="")
    pack = pack_of(file)
    assert pack.digest in page
    verdict = verify_pack(pack, pack.digest)
    assert verdict.faults == ()
    assert verdict.games is not None
    assert (verdict.games.replayed, verdict.games.accepted) == (2, 2)
    assert f"of {pack.count} lines" in page
    assert "Announce it with the ranking" in page


def test_nobody_but_judges_gets_the_file(station: Station, visitor: Browser) -> None:
    station.opens(10)
    for path in ("proof", "export"):
        assert visitor.status(f"/judge/t/{OPEN}/{path}").status_code in {302, 303, 307}
