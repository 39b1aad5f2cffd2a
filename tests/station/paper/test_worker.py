"""The process that sets papers: it ends, and it may take only so much time and memory."""

import asyncio
import sys
from pathlib import Path
from typing import Final

import pytest

from base.errors import OurFault, Refused
from station.paper.layouts import NameColumns, Paper, PaperForm
from station.paper.typesetting import pdf_of
from station.paper.worker import PaperFailure, PaperWorker
from tests.station.conftest import on_loop

_COUNTING: Final = """
import sys
open(sys.argv[1], "a").write("x")
sys.stdin.buffer.read()
sys.stdout.buffer.write(b"\\x91\\xc4\\x01p")
"""
"""A program that notes in a file that it ran, and answers with one page."""


def paper(title: str = "Seats by name", *names: str) -> Paper:
    rows = tuple((name, "1", "2") for name in names or ("Rita Longo",))
    return Paper(title, "Torino", NameColumns(("Player", "Table", "Seat"), rows), "Page {n} of {total}", "")


def children() -> list[str]:
    files = [thread / "children" for thread in Path("/proc/self/task").iterdir()]
    return [child for file in files for child in file.read_text().split()]


def counting(file: Path) -> PaperWorker:
    return PaperWorker((sys.executable, "-c", _COUNTING, str(file)))


@pytest.mark.slow
@on_loop
async def test_a_paper_is_set_as_in_this_process_and_the_process_has_ended() -> None:
    worker = PaperWorker()
    (content,) = await worker.set(paper(), PaperForm.PDF)
    assert content.startswith(b"%PDF")
    assert len(content) == pytest.approx(len(pdf_of(paper())), rel=0.01)
    pages = await worker.set(paper("Long", *(f"Player {n}" for n in range(600))), PaperForm.PICTURES)
    assert len(pages) > 1
    assert all(page.startswith(b"\x89PNG") for page in pages)
    assert not children()


@pytest.mark.slow
@on_loop
async def test_the_event_loop_goes_on_while_a_paper_is_set() -> None:
    setting = asyncio.ensure_future(PaperWorker().set(paper(), PaperForm.PDF))
    turns = 0
    while not setting.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert turns > 10
    await setting


@pytest.mark.slow
@on_loop
async def test_a_paper_that_needs_too_much_memory_is_refused_in_words() -> None:
    long = paper("Long", *(f"Player {n}" for n in range(9000)))
    with pytest.raises(Refused) as refused:
        await PaperWorker(memory=60 << 20).set(long, PaperForm.PDF)
    assert refused.value.reason is PaperFailure.MEMORY


@on_loop
async def test_a_paper_that_takes_too_long_is_refused_and_its_process_ended() -> None:
    sleeping = PaperWorker((sys.executable, "-c", "import time; time.sleep(60)"), time_s=0.3)
    with pytest.raises(Refused) as refused:
        await sleeping.set(paper(), PaperForm.PDF)
    assert refused.value.reason is PaperFailure.TIME
    assert not children()


@pytest.mark.slow
@on_loop
async def test_a_paper_that_nobody_waits_for_any_more_is_given_up() -> None:
    sleeping = PaperWorker((sys.executable, "-c", "import time; time.sleep(60)"))
    setting = asyncio.ensure_future(sleeping.set(paper(), PaperForm.PDF))
    await asyncio.sleep(0.5)
    assert children()
    setting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await setting
    assert not children()


@on_loop
async def test_a_fault_of_ours_is_none_of_memory() -> None:
    with pytest.raises(OurFault, match="ZeroDivisionError"):
        await PaperWorker((sys.executable, "-c", "1/0")).set(paper(), PaperForm.PDF)


@pytest.mark.slow
@on_loop
async def test_a_paper_asked_for_by_many_is_set_once_and_only_a_few_are_kept(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    worker = counting(ran)
    await asyncio.gather(*(worker.set(paper(), PaperForm.PICTURES) for _ in range(5)))
    assert ran.read_text() == "x"
    for number in range(4):
        await worker.set(paper(str(number)), PaperForm.PICTURES)
    await worker.set(paper(), PaperForm.PICTURES)
    assert ran.read_text() == "x" * 6
