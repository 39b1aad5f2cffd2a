"""The visibility of pages, and their text when something is refused."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.tournament.draw.draw_algorithm import seal_of
from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, running_hall
from demo.judge import JudgeAtWork
from demo.pages import Form, Pages, PageTrouble, ParsedPage

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    directory: Path = tmp_path_factory.mktemp("station")
    with running_hall(directory, frozenset()) as (hall, _):
        hall.start_station()
        hall.wait_for_station()
        yield hall


@pytest.fixture
def visitor(hall: Hall) -> Iterator[Pages]:
    pages = Pages(hall.http)
    yield pages
    pages.close()


@pytest.fixture
def pages(hall: Hall) -> Iterator[Pages]:
    pages = Pages(hall.http)
    JudgeAtWork(pages).log_in(JUDGE, JUDGE_PASSWORD)
    yield pages
    pages.close()


def opened(pages: Pages, players: int, directory: Path) -> JudgeAtWork:
    judge = JudgeAtWork(pages)
    judge.open_tournament(f"Of {players}", "championship-2022", "2026-11-20")
    file = directory / "players.csv"
    file.write_text("name\n" + "".join(f"Player {n}\n" for n in range(players)), encoding="utf-8")
    judge.register(file.name, file.read_bytes())
    return judge


@pytest.mark.parametrize(
    "path", ["/judge", "/judge/terminals", "/judge/backup", "/judge/t/x/standings", "/judge/t/x/floor"]
)
def test_everybody_but_a_judge_is_sent_to_the_login(visitor: Pages, path: str) -> None:
    assert visitor.get(path).has_form("/login")


def test_a_wrong_password_lets_nobody_in(visitor: Pages) -> None:
    page = visitor.send(visitor.get("/login").form("/login"), {"name": JUDGE, "password": "wrong wrong"})
    assert "Wrong name or password." in page.html
    assert visitor.get("/judge").has_form("/login")


def test_the_login_leads_to_no_other_site(visitor: Pages) -> None:
    form = visitor.get("/login").form("/login")
    page = visitor.send(form, {"name": JUDGE, "password": JUDGE_PASSWORD, "next": "//elsewhere.example/"})
    assert page.url.endswith("/judge")


def test_a_form_without_its_token_is_refused(pages: Pages, hall: Hall) -> None:
    with pytest.raises(PageTrouble, match="403"):
        pages.send(Form(f"{hall.http}/judge/tournaments", "post", {}), {"name": "x"})


def test_an_unknown_page_says_so(visitor: Pages) -> None:
    with pytest.raises(PageTrouble, match=r"(?s)404.*tournament doesn"):
        visitor.get("/t/nowhere")


def test_too_few_players_are_refused_with_the_reason(pages: Pages, tmp_path: Path) -> None:
    judge = opened(pages, 9, tmp_path)
    page = pages.get(f"/judge/t/{judge.tournament}/draw")
    assert "Too few players (9)" in page.html


def test_the_seed_is_public_only_after_the_draw_is_published(
    pages: Pages, visitor: Pages, tmp_path: Path
) -> None:
    judge = opened(pages, 10, tmp_path)
    base, public = f"/judge/t/{judge.tournament}/draw", f"/t/{judge.tournament}"
    checked = f"{public}/rounds/1/draw"
    pages.send(pages.get(base).form("/seal"))
    before = visitor.get(public).html
    assert "sealed" in before
    assert "Table 1" not in before
    page = pages.send(pages.get(base).form("/make"), {"hall_word": "cactus"})
    assert "Table 1" not in visitor.get(public).html
    secret = visitor.get(checked).html
    assert "cactus" not in secret
    assert "Table 1" not in secret
    pages.send(page.form("/publish"))
    assert "Table 1" in visitor.get(public).html
    text = visitor.get(checked).html
    seed = re.search(r"printf %s ([0-9a-f]{64})", text)
    assert seed is not None
    assert seal_of(seed[1]) in text
    assert seed[1] not in secret
    assert "cactus" in text


def test_totals_stay_secret_until_the_ranking_is_published(
    pages: Pages, visitor: Pages, tmp_path: Path
) -> None:
    judge = opened(pages, 10, tmp_path)
    judge.begin_round("word")
    assert "$" not in visitor.get(f"/t/{judge.tournament}").html.split("<main")[1]


def warned_twice(pages: Pages, players: str) -> ParsedPage:
    """Warn player 1 twice; the second time, a page asks for confirmation."""
    first = pages.get(f"{players}/p001/penalty").form("/warn")
    pages.send(first, {"offence": "slow-play", "reason": "slow play"})
    second = pages.get(f"{players}/p001/penalty").form("/warn")
    question = pages.send(second, {"offence": "swearing", "reason": "swearing"})
    return pages.send(question.form("/warn"))


def test_a_second_warning_ejects(pages: Pages, tmp_path: Path) -> None:
    judge = opened(pages, 10, tmp_path)
    players = f"/judge/t/{judge.tournament}/players"
    page = warned_twice(pages, players)
    assert "ejected" in page.html


def test_a_reason_is_asked_for(pages: Pages, tmp_path: Path) -> None:
    judge = opened(pages, 10, tmp_path)
    players = f"/judge/t/{judge.tournament}/players"
    page = pages.send(pages.get(f"{players}/p002").form("/withdraw"), {"reason": " "})
    assert "Please give a reason" in page.html


def test_the_history_takes_steps_back_and_keeps_them(pages: Pages, tmp_path: Path) -> None:
    judge = opened(pages, 10, tmp_path)
    history = f"/judge/t/{judge.tournament}/history"
    page = pages.send(pages.get(history).form("/undo"), {"reason": "wrong list"})
    assert "<del>10 players registered</del>" in page.html


def test_a_list_with_errors_names_their_lines_and_registers_nobody(pages: Pages) -> None:
    judge = JudgeAtWork(pages)
    judge.open_tournament("Broken list", "championship-2022", "2026-11-20")
    form = pages.get(f"/judge/t/{judge.tournament}/players").form("/import")
    page = pages.send(form, file=("players.csv", b"name,club\nAda,Torino\n,Milano\nAda,Torino\n"))
    assert "line 3" in page.html
    assert "line 4" in page.html
    assert not page.has_form("/import/confirm")


def test_no_page_may_run_scripts_from_elsewhere(visitor: Pages) -> None:
    assert "script-src 'self'" in visitor.headers("/")["content-security-policy"]


def test_ejected_players_are_reported_to_the_publisher_as_a_text(pages: Pages, tmp_path: Path) -> None:
    judge = opened(pages, 10, tmp_path)
    players = f"/judge/t/{judge.tournament}/players"
    assert "Nobody was ejected." in pages.get(f"{players}/ejected").html
    warned_twice(pages, players)
    ejection = pages.get(f"{players}/p003/penalty").form("/eject")
    pages.send(ejection, {"offence": "cheating", "reason": "marked cards"})
    pages.send(pages.get(f"{players}/p004").form("/withdraw"), {"reason": "train"})
    assert f'href="{players}/ejected"' in pages.get(players).html
    text = pages.download(f"{players}/ejected.txt").decode()
    assert text.startswith("To: organizedplay@dvgames.com\n")
    for words in (
        "Reason: swearing",
        "Warning: slow play",
        "Reason: marked cards",
        "BANG! Championship",
    ):
        assert words in text
    assert "train" not in text
    assert text.count("\n- ") == 2
