"""Names in every script on paper: looking as HarfBuzz draws them, in place, and never as boxes."""

import io
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from base.fonts.coverage import missing_letters
from core.editions.loader import edition
from core.rule_set import RecordMode
from core.terms import PlayerId
from core.tournament.registration import RegisterPlayers
from core.tournament.state.names import fold_name
from core.tournament.state.tournament import Player
from kiosk.ui.blocks import Typeface
from kiosk.ui.shaping import runs
from station.paper.papers import PaperKind, paper_of
from station.paper.typesetting import letters_of_paper, pdf_of
from tests.core.tournament.conftest import Judge
from tests.outlines import WORDS, drawn_by_harfbuzz, likeness
from tests.station.paper.test_papers import raw_text_of, source_of, text_of

DPI = 300
CONDENSED = Path("/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf")
"""Papers use it instead of our DejaVu Sans on computers that have it."""
NAME_PT = 30
"""The size of a short name on a badge."""
BADGE_MM, MARGIN_MM = (90, 54), (15, 10)
NAME_MM = (5, 16, 83, 37)
"""The place of the name on a badge without a code."""


def judge_of(names: Sequence[str]) -> Judge:
    judge = Judge(edition("championship-2022"), RecordMode.FULL).opens()
    people = (*names, *(f"Player {letter}" for letter in "ABCDEFGHIJ"[len(names) :]))
    judge.does(RegisterPlayers(tuple(Player(PlayerId(f"p{n:03}"), name) for n, name in enumerate(people))))
    return judge


def pictures_of_names(names: Sequence[str]) -> dict[str, Image.Image]:
    """Return the ink of each name on its badge."""
    judge = judge_of(names)
    pdf = pdf_of(paper_of(PaperKind.BADGES, source_of(judge, codes=False)))
    pages = []
    for page in range(1, -(-len(judge.state.entrants) // 10) + 1):
        command = ["pdftoppm", "-gray", "-r", str(DPI), "-f", str(page), "-l", str(page)]
        drawn = subprocess.run(command, input=pdf, check=True, capture_output=True).stdout
        pages.append(ImageOps.invert(Image.open(io.BytesIO(drawn)).convert("L")))
    cropped = {}
    for place, player in enumerate(sorted(judge.state.entrants, key=lambda one: fold_name(one.name))):
        row, column = divmod(place % 10, 2)
        left, top = MARGIN_MM[0] + column * BADGE_MM[0], MARGIN_MM[1] + row * BADGE_MM[1]
        box = (left + NAME_MM[0], top + NAME_MM[1], left + NAME_MM[2], top + NAME_MM[3])
        left_px, top_px, right_px, bottom_px = (round(mm / 25.4 * DPI) for mm in box)
        cropped[player.name] = pages[place // 10].crop((left_px, top_px, right_px, bottom_px))
    return cropped


@pytest.fixture(scope="module")
def badges() -> dict[str, Image.Image]:
    return pictures_of_names(WORDS)


def likeness_on_badge(picture: Image.Image, word: str) -> float:
    (run,) = runs(word)
    files = (run.file(Typeface.BOLD), CONDENSED)
    size = round(NAME_PT / 72 * DPI)
    return max(likeness(picture, drawn_by_harfbuzz(word, file, size)) for file in files if file.exists())


@pytest.mark.parametrize("word", WORDS)
def test_a_name_on_a_badge_looks_as_harfbuzz_draws_it(badges: dict[str, Image.Image], word: str) -> None:
    assert likeness_on_badge(badges[word], word) > 0.8
    assert len(word) <= 3 or likeness_on_badge(badges[word], word[::-1]) < 0.8


def right_edge(picture: Image.Image) -> int:
    box = picture.getbbox()
    assert box is not None
    return box[2]


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("محمد (2)", "محمد"),
        ("דנה, דוד 4", "דנה"),
        ("עלי [תל] 3", "עלי [תל]"),
        ("A דוד (ב) Li", "A דוד (ב)"),
    ],
)
def test_a_name_from_the_right_reorders_nothing_beside_it(name: str, beginning: str) -> None:
    drawn = pictures_of_names((name, beginning))
    width, whole = (right_edge(drawn[text]) for text in (beginning, name))
    left = drawn[name].crop((0, 0, width, drawn[name].height))
    assert whole > width + 20
    assert likeness(left, drawn[beginning]) > 0.9


@pytest.mark.parametrize("kind", [PaperKind.BADGES, PaperKind.RECORD_SHEETS, PaperKind.CHECK_IN_LIST])
def test_a_name_without_a_font_is_shown_as_far_as_possible_with_its_number(kind: PaperKind) -> None:
    rare = "\U00030000"
    judge = judge_of(("Ada", f"Wu {rare}", rare, "👩\u200d👩 Lin", "Eva"))
    judge.publishes()
    text = text_of(paper_of(kind, source_of(judge, codes=False)))
    assert missing_letters(text, letters_of_paper()) == ""
    for name in ("Ada", "Wu (Player 2)", "Player 3", "Eva"):
        assert name in text


def test_joined_and_stacked_letters_of_a_long_word_are_never_parted() -> None:
    names = ("สมเด็จพระเจ้าอยู่หัวภูมิพล", "नरेन्द्रदामोदरदासमोदीराष्ट्र", "Ruthven-Featherstonehaugh")
    text = raw_text_of(paper_of(PaperKind.CHECK_IN_LIST, source_of(judge_of(names))))
    assert [name in text for name in names] == [True, True, False]


def test_another_text_without_a_font_is_dotted() -> None:
    judge = judge_of(("Ada",))
    judge.does(RegisterPlayers((Player(PlayerId("p9"), "Bea", "Club \U00030000\U00030001!"),)))
    assert "Club …!" in text_of(paper_of(PaperKind.CHECK_IN_LIST, source_of(judge)))
