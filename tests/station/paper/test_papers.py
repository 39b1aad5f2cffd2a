"""Every paper as people get it: set, looked at page by page, and read again; and letters no font has."""

import io
import re
import subprocess
import unicodedata
from pathlib import Path
from typing import Final

import msgspec
import pytest
from PIL import Image, ImageChops, ImageStat

from base.errors import Refused
from base.fonts import FOLDER, SCRIPTS
from base.fonts.coverage import letters_of, missing_letters
from core.editions.loader import edition, rules_of
from core.game.result import FinishedDuel
from core.game.state.duel import DuelBecause
from core.rule_set import RecordMode
from core.terms import MatchKind, PlayerId, SeatNo, TableNo, TournamentId
from core.text.conduct import PUBLISHER_ADDRESS
from core.tournament.finals import BeginDuels, CallOffTieDuel, PublishRoundsRanking
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.prizes import ChangePrizes
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptDuel
from core.tournament.standings.ranking import DrawLots, PublishRanking, one_on_one_pairs
from core.tournament.standings.standings import standings_of
from core.tournament.state.prizes import Prize, PrizeBasis
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Player, Stage, Waivers
from station.accounts.permissions import Permission
from station.paper.certificates import CertificateChoice, Letterhead, certificates
from station.paper.layouts import Certificate, Paper, PaperSize
from station.paper.papers import PaperKind, PaperRefusal, PaperSource, needed_permission, paper_of
from station.paper.results import duel_sheets
from station.paper.typesetting import letters_of_paper, logo_of, pdf_of, pictures_of, thumbnail_of
from station.plan.service import arranged
from station.text.i18n import Words
from tests.core.game.duel.conftest import WITH_FINALS
from tests.core.tournament.conftest import Judge, outlaws_won, seed, time_was_up

HOSTILE: Final = (
    "W" * 80,
    "<@" + "M" * 78,
    "Maria del Carmen Fernández de la Vega y Gutiérrez de los Monteros y Castellanos",
    "דוד כהן",
    "محمد العربي",
    "Þórdís Ångström-Nuñez Straße",
    "Łukasz Lê İşçi Dvořák",
    "Ελένη Παπαδοπούλου",
    "Наташа Иванова",
    "#set page(width: 1cm) $x$ *bold* <b> \\",
    '=cmd|" /C calc"!A0',
    "Bo 😀 Star ★",
)
"""Names that break programs: long, from right to left, accented, emoji, markup, formulas."""
PLAYERS: Final = 32
EDGE_MM: Final = 5
"""Printers leave this much white; nothing may be there."""
_MM_PER_INCH: Final = 25.4
_PREVIEW_PPI: Final = 60


def registered(rules: str, waivers: Waivers | None = None, mode: RecordMode = RecordMode.FULL) -> Judge:
    judge = Judge(edition(rules), mode).opens(waivers=waivers)
    others = (f"Player {number}" for number in range(len(HOSTILE), PLAYERS))
    people = [
        Player(
            PlayerId(f"p{number:03}"), name, ("", "Padova", "Club dei Pistoleri di Reggio Emilia")[number % 3]
        )
        for number, name in enumerate((*HOSTILE, *others))
    ]
    judge.does(RegisterPlayers(tuple(people)))
    return judge


@pytest.fixture(scope="module")
def over() -> Judge:
    """Return a finished tournament of two rounds with an ejected player, whose ranking is not public yet."""
    judge = registered("championship-2022", Waivers(rounds=2))
    judge.plays_round()
    judge.does(EjectPlayer(PlayerId("p020"), "Looked at other hands"))
    judge.plays_round()
    break_ties(judge)
    judge.does(ChangePrizes((Prize("Best Sheriff", PrizeBasis.WON), Prize("Best of the rest", places=3))))
    return judge


def break_ties(judge: Judge) -> None:
    while groups := standings_of(judge.state, judge.rules).draw_groups:
        judge.does(DrawLots(seed(groups)))


def source_of(judge: Judge, language: str = "en", *, codes: bool = True) -> PaperSource:
    return PaperSource(
        judge.state,
        judge.rules,
        Words(language),
        arranged([TableNo(number) for number in range(1, 7)], 3),
        "https://192.0.2.1:8443" if codes else "",
        lambda player: f"CODE{player}",
        takes_applications=True,
    )


def pictures(paper: Paper) -> list[Image.Image]:
    return [Image.open(io.BytesIO(page)).convert("L") for page in pictures_of(paper)]


def text_of(paper: Paper) -> str:
    return raw_text_of(paper).replace("\u200b", "")


def raw_text_of(paper: Paper) -> str:
    """Return the text of a paper as people would copy it."""
    read = ["pdftotext", "-raw", "-", "-"]
    return subprocess.run(read, input=pdf_of(paper), check=True, capture_output=True).stdout.decode()


def refusal_of(judge: Judge, kind: PaperKind, round_no: int | None = None) -> Refused:
    with pytest.raises(Refused) as refused:
        paper_of(kind, source_of(judge), round_no=round_no)
    return refused.value


def letters(text: str) -> str:
    """Return a text without its spaces, of which some versions of pdftotext lose some."""
    return "".join(unicodedata.normalize("NFD", text).split())


PRINTED = [kind for kind in PaperKind if kind is not PaperKind.DUEL_SHEETS]


@pytest.mark.by_day(15)
@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("size", PaperSize)
@pytest.mark.parametrize("kind", PRINTED)
def test_no_page_is_blank_and_nothing_leaves_the_paper(
    over: Judge, kind: PaperKind, size: PaperSize, language: str
) -> None:
    pages = pictures(paper_of(kind, source_of(over, language), size=size))
    assert pages
    edge = round(EDGE_MM / _MM_PER_INCH * _PREVIEW_PPI)
    for number, page in enumerate(pages, 1):
        inside = page.crop((edge, edge, page.width - edge, page.height - edge))
        dark = sum(inside.histogram()[:128])
        assert dark > 100, f"page {number} of {kind.value} is blank"
        page.paste(255, (edge, edge, page.width - edge, page.height - edge))
        assert not any(page.histogram()[:200]), f"page {number} of {kind.value} is cut"


def test_the_poster_is_printed_only_while_players_may_apply(over: Judge) -> None:
    source = source_of(over)
    text = text_of(paper_of(PaperKind.REGISTRATION_POSTER, source))
    assert f"{source.address}/t/{over.state.tournament}/register" in text
    for closed, reason in (
        (msgspec.structs.replace(source, takes_applications=False), PaperRefusal.NO_REGISTRATION),
        (msgspec.structs.replace(source, address=""), PaperRefusal.NO_ADDRESS),
    ):
        with pytest.raises(Refused) as refused:
            paper_of(PaperKind.REGISTRATION_POSTER, closed)
        assert refused.value.reason is reason


LISTS = (
    PaperKind.SEATS_BY_NAME, PaperKind.SEATS_BY_TABLE, PaperKind.RECORD_SHEETS, PaperKind.RESULTS,
    PaperKind.STANDINGS, PaperKind.BADGES, PaperKind.CHECK_IN_LIST, PaperKind.CERTIFICATES, PaperKind.PROOF,
)  # fmt: skip


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize("kind", LISTS)
def test_every_name_is_printed_whole(over: Judge, kind: PaperKind) -> None:
    text = letters(text_of(paper_of(kind, source_of(over))))
    left_to_right = [name for name in HOSTILE if not any("\u0590" <= letter <= "\u06ff" for letter in name)]
    for name in left_to_right:
        assert letters(name) in text.replace("-\n", "-"), name


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize("kind", PRINTED)
def test_every_font_goes_with_the_file(over: Judge, kind: PaperKind) -> None:
    """Print shops have none of our fonts."""
    pdf = pdf_of(paper_of(kind, source_of(over)))
    listed = subprocess.run(["pdffonts", "-"], input=pdf, check=True, capture_output=True).stdout.decode()
    fonts = [line.split() for line in listed.splitlines()[2:]]
    assert fonts
    assert all(font[-5] == "yes" for font in fonts), listed


def test_pages_are_numbered_and_heads_are_repeated(over: Judge) -> None:
    judge = Judge(edition("championship-2022")).opens(400)
    judge.publishes()
    pages = text_of(paper_of(PaperKind.SEATS_BY_NAME, source_of(judge))).split("\f")[:-1]
    assert len(pages) > 3
    for number, text in enumerate(pages, 1):
        assert letters(f"Page {number} of {len(pages)}") in letters(text)
        assert text.count("Player ") > text.count("Table") >= 1
    assert sum(text.count("★") for text in pages) == len(judge.state.rounds[-1].tables)


def test_certificates_count_everybody_who_played() -> None:
    """Count a player who was ejected after a game, but not one who withdrew before the first draw."""
    judge = registered("championship-2022", Waivers(rounds=2))
    judge.does(WithdrawPlayer(PlayerId("p030"), "ill"))
    judge.plays_round()
    judge.does(EjectPlayer(PlayerId("p020"), "Looked at other hands"))
    judge.does(WithdrawPlayer(PlayerId("p021"), "the last train"))
    judge.plays_round()
    break_ties(judge)
    printed = certified(judge)
    assert len(printed) == PLAYERS - 3
    assert {part.text.split(" · ")[0] for part in printed} == {f"of {PLAYERS - 1} players"}
    places = ["Champion", "Second place", "Third place", "Fourth place"]
    assert [part.place for part in printed[:4]] == places
    assert [part.place for part in printed[7:9]] == ["Eighth place", "Place 9"]
    assert [part.medal for part in printed[:5]] == [1, 2, 3, 0, 0]
    assert printed[9].number == "10"


def certified(judge: Judge, best: int | None = None, player: str = "") -> tuple[Certificate, ...]:
    choice = CertificateChoice(best, player)
    return certificates(judge.state, judge.rules, Words("en"), choice=choice).certificates


def test_certificates_of_the_best_include_all_who_share_the_last_of_these_places() -> None:
    judge = registered("championship-2022", Waivers(rounds=1))
    judge.plays_round()
    ranked = [row for row in standings_of(judge.state, judge.rules).rows if row.rank]
    shared = next(row.rank for row in ranked if row.rank and row.rank.is_shared)
    best = certified(judge, shared.first)
    assert [part.number for part in best] == [str(row.rank) for row in ranked[: shared.last]]
    assert best[-1].place.endswith(", shared")
    assert "Champion, shared" not in {part.place for part in best}
    (one,) = certified(judge, player=ranked[-1].player)
    assert one.name == next(
        player.name for player in judge.state.entrants if player.player == ranked[-1].player
    )
    assert certified(judge, player="nobody") == ()


def test_certificates_before_the_end_are_marked_as_samples_and_name_no_player() -> None:
    judge = registered("championship-2022")
    judge.plays_round()
    assert needed_permission(PaperKind.CERTIFICATES, judge.state) is Permission.TOURNAMENTS
    text = text_of(paper_of(PaperKind.CERTIFICATES, source_of(judge)))
    assert text.count("Sample") == text.count("\f") == 4
    assert "$" not in text
    assert not any(letters(player.name) in letters(text) for player in judge.state.entrants)


def test_certificates_carry_the_letterhead_and_prizes(over: Judge) -> None:
    prizes = (Prize("Dodge City"), Prize("A voucher"))
    source = msgspec.structs.replace(
        source_of(over, "it"),
        state=msgspec.structs.replace(over.state, prizes=prizes),
        letterhead=Letterhead("Circolo dei Lettori", "Dal Tenda APS"),
        certified=CertificateChoice(best=1),
    )
    text = letters(text_of(paper_of(PaperKind.CERTIFICATES, source)))
    for line in ("Circolo dei Lettori", "Dal Tenda APS", "Dodge City", "A voucher", over.state.name):
        assert letters(line) in text
    assert text_of(paper_of(PaperKind.CERTIFICATES, source)).count("\f") == 1


@pytest.mark.slow
def test_blank_sheets_ask_what_the_rules_need() -> None:
    """An auction needs characters and prices; the 2003 rules count turns."""
    judge = registered("championship-2010", Waivers(rounds=1))
    judge.publishes()
    text = text_of(paper_of(PaperKind.RECORD_SHEETS, source_of(judge)))
    assert {"Character", "Price", "Signature", "Judge:"} <= set(text.split())
    assert "Turns" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "questions"),
    [("championship-2022", set()), ("championship-2010", {"Price"}), ("official-2003", {"by", "Turns"})],
)
def test_blank_sheets_of_light_games_ask_only_what_decides(rules: str, questions: set[str]) -> None:
    judge = registered(rules, mode=RecordMode.LIGHT)
    judge.publishes()
    text = set(text_of(paper_of(PaperKind.RECORD_SHEETS, source_of(judge))).split())
    assert {"Role", "Elimination", "Ending:", "Signature"} <= text
    assert text & {"Character", "Price", "by", "Turns", "Winnings"} == questions


@pytest.mark.slow
def test_duel_sheets_know_the_four_best() -> None:
    judge = Judge(rules_of(WITH_FINALS))
    waivers = Waivers(rounds=1)
    judge.does(OpenTournament(TournamentId("open"), "Open", WITH_FINALS, "2026-11-20", waivers))
    judge.does(RegisterPlayers(tuple(Player(PlayerId(f"p{n}"), f"Player {n}") for n in range(10))))
    blank = text_of(paper_of(PaperKind.DUEL_SHEETS, source_of(judge)))
    assert letters("Semifinal 2") in letters(blank)
    assert not re.search(r"Player\d", letters(blank))
    judge.plays_round()
    break_ties(judge)
    judge.does(PublishRoundsRanking())
    judge.does(BeginDuels(kind=MatchKind.LONG_DUEL))
    finals = judge.state.finals
    assert finals is not None
    known = text_of(paper_of(PaperKind.DUEL_SHEETS, source_of(judge)))
    assert {f"Player{player[1:]}" for player in finals.finalists} <= set(
        re.findall(r"Player\d", letters(known))
    )
    duels = finals.begun[0]
    table = duels.tables[0]
    players = (table.players[0], table.players[1])
    score = DuelBecause.ELIMINATIONS
    won = FinishedDuel(duels.round, table.table, duels.kind, players, SeatNo(2), (3, 5), score)
    judge.does(AcceptDuel(table.game, won, Source.PAPER))
    text = text_of(paper_of(PaperKind.PROOF, source_of(judge))).split("Ranking")[0]
    one, other = (f"Player {player[1:]}" for player in players)
    rows = f"Semifinals: Results\nTable Player Player Score Winner\n1 {one} {other} 3:5 {other}"
    assert letters(rows) in letters(text)
    assert judge.state.lot_seeds[0] in text
    refused = refusal_of(registered("championship-2022"), PaperKind.DUEL_SHEETS)
    assert refused.reason is PaperRefusal.NO_DUELS


def test_duel_sheets_of_tied_players_have_the_rows_of_their_kind() -> None:
    judge = Judge(edition("official-2003")).opens(5)
    for number in range(5):
        judge.plays_round(outlaws_won if number == 0 else time_was_up)
    pairs = one_on_one_pairs(standings_of(judge.state, judge.rules), judge.rules)
    kinds = MatchKind.SHORT_DUEL, MatchKind.LONG_DUEL
    for pair, kind in zip(pairs, kinds, strict=True):
        judge.does(BeginDuels.of_tie((pair[0], pair[1]), kind, seed(kind)))
    forms = duel_sheets(judge.state, Words("en")).forms
    assert [(form.title, len(form.rows)) for form in forms] == [
        ("One-on-one, Table 1", 8), ("One-on-one, Table 2", 5),
    ]  # fmt: skip
    printed = text_of(paper_of(PaperKind.DUEL_SHEETS, source_of(judge)))
    assert "Semifinal" not in printed
    for duels in judge.state.duels:
        judge.does(CallOffTieDuel(duels.tables[0].game))
    assert refusal_of(judge, PaperKind.DUEL_SHEETS).reason is PaperRefusal.NO_DUELS


@pytest.mark.slow
def test_money_and_ranks_are_secret_until_they_are_public(over: Judge) -> None:
    state = over.state
    assert state.stage is Stage.FINISHED
    secret = {kind for kind in PaperKind if needed_permission(kind, state) is Permission.STANDINGS}
    certificates = {PaperKind.CERTIFICATES, PaperKind.PRIZE_CERTIFICATES}
    assert secret == certificates | {
        PaperKind.RESULTS,
        PaperKind.STANDINGS,
        PaperKind.PRIZES,
        PaperKind.PROOF,
    }
    for kind in PRINTED:
        text = text_of(paper_of(kind, source_of(over)))
        assert ("$" in text.replace("$x$", "")) <= (kind in secret), kind
        if kind in secret - certificates:
            assert letters("Secret until the ranking is published") in letters(text)

    judge = registered("championship-2022", Waivers(rounds=1))
    judge.plays_round()
    break_ties(judge)
    judge.does(PublishRanking())
    assert {needed_permission(kind, judge.state) for kind in secret} == {Permission.TOURNAMENTS}
    assert "Secret" not in text_of(paper_of(PaperKind.STANDINGS, source_of(judge)))


def test_what_cannot_be_printed_yet_says_why() -> None:
    judge = Judge(edition("championship-2022")).opens()
    reasons = {
        PaperKind.SEATS_BY_NAME: PaperRefusal.NO_ROUND,
        PaperKind.RESULTS: PaperRefusal.NO_ROUND,
        PaperKind.BADGES: PaperRefusal.NO_PLAYERS,
        PaperKind.TABLE_SIGNS: PaperRefusal.NO_PLAYERS,
    }
    for kind, reason in reasons.items():
        assert refusal_of(judge, kind).reason is reason
    judge.does(RegisterPlayers((Player(PlayerId("p1"), "Anna"),)))
    judge = registered("championship-2022")
    judge.publishes()
    assert refusal_of(judge, PaperKind.RESULTS).reason is PaperRefusal.NO_SHEETS
    assert refusal_of(judge, PaperKind.SEATS_BY_NAME, 7).fields == {"round": 7, "rounds": "1"}


def test_signs_can_be_printed_before_the_first_draw() -> None:
    text = text_of(paper_of(PaperKind.TABLE_SIGNS, source_of(registered("championship-2022"))))
    assert [line.strip() for line in text.split() if line.isdigit() and len(line) == 1][:2] == ["1", "1"]


def test_the_number_of_a_table_can_be_read_from_ten_metres(over: Judge) -> None:
    """A digit should be at least 1/200 of the distance, here 50 mm, high."""
    source = source_of(over, codes=False)
    (page, *_) = pictures(paper_of(PaperKind.TABLE_SIGNS, source))
    inside = page.crop((page.width // 4, page.height * 6 // 10, page.width * 3 // 4, page.height * 9 // 10))
    box = inside.point(lambda shade: 255 if shade < 60 else 0).getbbox()
    assert box is not None
    assert (box[3] - box[1]) * _MM_PER_INCH / _PREVIEW_PPI > 50


def test_a_thumbnail_is_the_first_page_made_small(over: Judge) -> None:
    for kind in (PaperKind.BADGES, PaperKind.RECORD_SHEETS, PaperKind.PROOF, PaperKind.CERTIFICATES):
        paper = paper_of(kind, source_of(over))
        first = pictures(paper)[0]
        short = paper_of(kind, msgspec.structs.replace(source_of(over), most=12))
        small = Image.open(io.BytesIO(thumbnail_of(short))).convert("L")
        assert small.height < 400
        alike = (page.resize((24, 24), Image.Resampling.BOX) for page in (small, first))
        assert max(ImageStat.Stat(ImageChops.difference(*alike)).extrema[0]) < 24, kind


def test_no_codes_without_an_address(over: Judge) -> None:
    with_codes = paper_of(PaperKind.BADGES, source_of(over))
    without = paper_of(PaperKind.BADGES, source_of(over, codes=False))
    assert len(pdf_of(without)) < len(pdf_of(with_codes))


@pytest.mark.slow
@pytest.mark.parametrize("size", PaperSize)
def test_addresses_seeds_and_seals_can_be_copied(over: Judge, size: PaperSize) -> None:
    assert PUBLISHER_ADDRESS in raw_text_of(paper_of(PaperKind.EJECTIONS, source_of(over), size=size))
    text = raw_text_of(paper_of(PaperKind.PROOF, source_of(over), size=size))
    for drawn in over.state.published_rounds:
        assert drawn.seed in text
        assert drawn.seal in text


def test_our_fonts_have_the_letters_of_europe() -> None:
    assert (
        missing_letters("Ada Żółć ő Å ß Łukasz Ευρώπη Киев שלום 10 – “x”\u200b\u00ad", letters_of_paper())
        == ""
    )


@pytest.mark.parametrize(
    ("font", "has", "has_not"),
    [
        (FOLDER / "BarlowCondensed-Bold.ttf", "Aőß", "Жא山"),
        (SCRIPTS / "DejaVuSans.ttf", "AőЖא𝔸", "山"),
        (FOLDER / "SaloonSign-OFL.txt", "", "A"),
        (FOLDER / "missing.ttf", "", "A"),
    ],
)
def test_the_letters_of_a_font_are_read(font: Path, has: str, has_not: str) -> None:
    codes = letters_of(Path(str(font)), 0)
    assert {ord(letter) for letter in has} <= codes
    assert not {ord(letter) for letter in has_not} & codes


def picture(kind: str, size: tuple[int, int] = (900, 300)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "navy").save(out, kind)
    return out.getvalue()


SVG: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10">{}</svg>'
CIRCLE: Final = SVG.format('<circle cx="15" cy="5" r="5"/>').encode()


@pytest.mark.parametrize(
    ("content", "size"),
    [(picture("PNG"), (640, 213)), (picture("JPEG"), (640, 213)), (CIRCLE, (210, 210))],
    ids=["png", "jpeg", "svg"],
)
def test_a_logo_becomes_a_small_png_without_margins(content: bytes, size: tuple[int, int]) -> None:
    with Image.open(io.BytesIO(logo_of(content))) as logo:
        assert logo.format == "PNG"
        assert logo.size == pytest.approx(size, abs=2)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xd8\xff\xe0 no picture",
        picture("PNG")[:200],
        picture("GIF"),
        picture("PNG", (6000, 4100)),
        b"<html><script>alert(1)</script></html>",
        SVG.format('<image href="/etc/passwd" width="9" height="9"/>').encode(),
        SVG.format("").encode(),
    ],
    ids=["empty", "broken jpeg", "half a png", "gif", "too many pixels", "html", "file in svg", "blank svg"],
)
def test_no_other_file_becomes_a_logo(content: bytes) -> None:
    assert logo_of(content) == b""
