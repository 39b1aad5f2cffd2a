"""The texts of pages: labels, sentences of the history, and the format of values."""

import re
import string
from enum import Enum
from fractions import Fraction
from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po
from msgspec.structs import replace

from base.errors import BadData, Refused
from base.languages import LANGUAGES
from core.editions.edition import TieBreak, Waiver
from core.editions.game_rules import HighNoonStarter
from core.editions.winnings_table import WinningsCase
from core.game.correction import CorrectLife
from core.game.ending.finished_game import FinishedGame
from core.game.ending.record_sheet import Fate
from core.game.in_words import describe_event
from core.game.state.game import Because, Cause, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.rule_set import OptionKey, RuleSet
from core.terms import Ending, MatchKind, PlayerId, Role, RoundNo, SeatNo, TournamentId
from core.text.ejections import UNITS
from core.text.sentence import amounts_in, number_in
from core.tournament.decisions import TournamentStep, UndoSteps
from core.tournament.draw.drawing import SealDraw
from core.tournament.registration import RemovePlayer, RenamePlayer, RenameTournament
from core.tournament.sheets import CorrectSheet
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Stage, Waivers
from station import web
from station.accounts.invitations import FirstJudgeRefusal, InvitationRefusal
from station.accounts.judges import AccountRefusal
from station.accounts.permissions import AccountRole
from station.appliance.appliance import ApplianceRefusal
from station.backups.sealed_backup import BackupRefusal
from station.enrolment.enrolments import EnrolmentRefusal
from station.imports.findings import CsvProblem
from station.projections.cards import SheetState, TerminalLink
from station.rehearsals.runner import RehearsalReason
from station.sd_cards.card_files import CardState
from station.text.events_in_words import history_lines
from station.text.filters import exact, table_sizes
from station.text.i18n import LABELS, Words, language_of
from station.text.reasons import Done, FormReason, Missing, NotNow
from sync.enrolment.provisioning_keys import Fault
from sync.update.bundle import BundleFault
from tests.core.tournament.conftest import Judge, one_group
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, present
from tools import translations

ROOT = Path(translations.__file__).parents[1]
LOCALE = Path(next(iter(web.__path__))).parent / "locale"
NAMED = (
    Stage, SheetState, TerminalLink, Phase, HighNoon, HighNoonStarter, Role, Ending, Because, Cause, Fate,
    TieBreak, Waiver, WinningsCase, Source, OptionKey, MatchKind, CardState,
    AccountRole,
)  # fmt: skip
SENTENCES = (
    GameReason, TournamentReason, RehearsalReason, CsvProblem, FormReason, FirstJudgeRefusal,
    ApplianceRefusal, AccountRefusal, InvitationRefusal, BackupRefusal, EnrolmentRefusal, NotNow, Done,
    Missing, Fault, BundleFault,
)  # fmt: skip


@pytest.mark.parametrize("kind", NAMED)
def test_every_member_that_pages_show_has_a_name(kind: type[Enum]) -> None:
    assert [member for member in kind if member not in LABELS] == []


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.slow
@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_a_language_is_complete_and_keeps_the_fields(language: str) -> None:
    with (LOCALE / language / "LC_MESSAGES" / "station.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    with (LOCALE / "station.pot").open("rb") as file:
        assert [
            message.id for message in read_po(file) if message.id and catalogue.get(message.id) is None
        ] == []
    for message in catalogue:
        if message.id and message.string is not None:
            ids = [message.id] if isinstance(message.id, str) else list(message.id)
            strings = [message.string] if isinstance(message.string, str) else list(message.string)
            assert all(strings), message.id
            assert len(strings) == len(ids), message.id
            assert fields(str(strings[-1])) == fields(str(ids[-1])), message.id


def test_every_sentence_is_in_the_catalogue() -> None:
    with (LOCALE / "it/LC_MESSAGES/station.po").open("rb") as file:
        catalogue = read_po(file, locale="it")
    wanted = [*LABELS.values(), *(str(member.value) for kind in SENTENCES for member in kind)]
    assert [text for text in wanted if text and catalogue.get(text) is None] == []


@pytest.mark.slow
@pytest.mark.by_day(1)
@pytest.mark.parametrize("room", translations.CATALOGUES)
def test_no_message_is_used_both_with_and_without_a_plural(room: str) -> None:
    """Before Python 3.11.4, ``gettext`` finds no message that has a plural."""
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    plain = {value for kind in translations.ENUMS[room] for value in (str(one.value) for one in kind)}
    plural: set[str] = set()
    for folder in translations.CATALOGUES[room]:
        keywords = {**DEFAULT_KEYWORDS, "_": None}
        for message in extract_from_dir(ROOT / folder, methods, keywords=keywords):
            (plain if isinstance(message[2], str) else plural).add(
                message[2] if isinstance(message[2], str) else message[2][0]
            )
    assert set(UNITS) <= plain
    assert plural
    assert plain & plural == set()


def test_what_a_tournament_counts_is_in_the_readers_language() -> None:
    refused = Refused(TournamentReason.SHEETS_MISSING, unit="game", tables="1/1")
    assert "(partita/tavolo)" in Words("it").refusal(refused)


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "it-IT,it;q=0.9,en;q=0.8", "it"),
        (None, "fr-FR, it;q=0.5", "fr"),
        (None, "nl, de-CH;q=0.5", "de"),
        ("it", "en", "it"),
        ("xx", "nl", "en"),
    ],
)
def test_the_language_is_the_one_chosen_or_the_browsers_first_that_we_speak(
    cookie: str | None, accepted: str, language: str
) -> None:
    assert language_of(cookie, accepted) == language


def test_a_refusal_is_told_in_english_without_a_catalogue() -> None:
    words = Words("en")
    assert words.error(Refused(FormReason.ROLE_MISSING, seat=3)) == "Seat 3: choose a role."
    assert words.error(BadData("table", "give a number")) == "table: give a number"


def test_a_refusal_words_the_members_it_names() -> None:
    refused = Refused(TournamentReason.WAIVER_NOT_ALLOWED, waiver=Waiver.FEWER_ROUNDS)
    assert Words("en").refusal(refused).endswith(": fewer rounds.")
    assert Words("it").refusal(refused).endswith(": meno turni di gara.")


def test_the_chosen_language_stays(station: Station, visitor: Browser) -> None:
    station.opens(10)
    visitor.get("/")
    assert '<html lang="it">' in visitor.post("/language", language="it", next=f"/t/{OPEN}")
    assert '<html lang="it">' in visitor.get("/", "en")


@pytest.mark.parametrize(
    ("life", "language", "sentence"),
    [
        (1, "en", "Judge: Rita has 1 life point (slip)"),
        (0, "en", "Judge: Rita has 0 life points (slip)"),
        (1, "it", "Giudice: Rita ha 1 punto vita (slip)"),
        (2, "it", "Giudice: Rita ha 2 punti vita (slip)"),
    ],
)
def test_life_points_are_counted_in_both_languages(life: int, language: str, sentence: str) -> None:
    assert describe_event(CorrectLife(SeatNo(1), life, "slip"), ["Rita"], Words(language)) == sentence


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (Refused(GameReason.NOT_UNDOABLE, allowed=1), "Steps that can be undone: 1."),
        (
            Refused(GameReason.AFTER_THE_END, count=1, seat=3),
            "Elimination 1 ended the game; seat 3 can't have been eliminated later.",
        ),
    ],
)
def test_refusals_with_a_number_fit_one_as_well(refused: Refused, sentence: str) -> None:
    assert Words("en").refusal(refused) == sentence


@pytest.mark.parametrize(
    ("language", "present", "confirmed"),
    [
        ("en", "1 of 5 players are here", "Game 1 is in progress: 0 of 1 record sheet confirmed."),
        ("it", "Giocatori presenti: 1 su 5", "in corso: fogli partita confermati 0 su 1."),
    ],
)
def test_one_player_and_one_table_are_counted_right(
    station: Station, judge: Browser, language: str, present: str, confirmed: str
) -> None:
    station.opens(5, rules=RuleSet("official-2003"))
    judge.post(f"/judge/t/{OPEN}/check-in/p001", state="here")
    assert present in judge.get(f"/judge/t/{OPEN}/check-in", language)
    station.publishes()
    assert confirmed in judge.get(f"/judge/t/{OPEN}", language)


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("terminal 4 (PIN)", "terminal of table 4, by PIN"),
        ("terminal 12 (key)", "terminal of table 12, by key"),
        ("Ada", "Ada"),
    ],
)
def test_who_confirmed_at_a_table_is_told_in_words(by: str, said: str) -> None:
    step = TournamentStep(
        TournamentId("open"),
        (SealDraw(round=RoundNo(1), attempt=1, seed="seed", seal="seal", by=by),),
        "2026-11-21T10:00:00+00:00",
    )
    (line,) = history_lines((step,), Judge(one_group()).opens(5).state, Words("en"))
    assert line.by == said


def test_a_long_history_is_shown_page_by_page(station: Station, judge: Browser) -> None:
    station.opens(10)
    for number in range(120):
        station.does(RenameTournament(f"Name {number}", "2026-11-21"))
    base = f"/judge/t/{OPEN}/history"
    pages = [judge.get(f"{base}{query}") for query in ("", "?page=2", "?page=99", "?page=-3")]
    assert pages[0].count('class="when"') == 100
    assert "Name 119" in pages[0]
    assert f"{base}?page=2" in pages[0]
    assert pages[1].count('class="when"') == len(station.service.history(OPEN)) - 100
    assert f"{base}?page=1" in pages[1]
    assert f"{base}?page=3" not in pages[1]
    assert [page.count('class="when"') for page in pages[2:]] == [pages[1].count('class="when"'), 100]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(1095), "1,095"),
        (Fraction(13600, 9), "1,511.11 (13600/9)"),
        (Fraction(450), "450"),
        (None, "–"),
    ],
)
def test_an_exact_value_parts_its_thousands_whole_or_not(value: object, written: str) -> None:
    assert exact(value) == written


def test_the_sizes_of_many_tables_are_counted() -> None:
    assert table_sizes((5, 5, 6)) == "5, 5, 6"
    assert table_sizes((6,) * 4 + (5,) * 190) == "190 × 5, 4 × 6"
    assert table_sizes(()) == ""


@pytest.mark.parametrize(
    ("language", "amounts", "number"),
    [
        ("en", "-$1,234,500 and $250, 1,000 points", "1,511.11"),
        ("it", "-$1.234.500 and $250, 1,000 points", "1.511,11"),
        ("de", "-$1.234.500 and $250, 1,000 points", "1.511,11"),
        ("es", "-$1.234.500 and $250, 1,000 points", "1.511,11"),
        ("fr", "-$1\u202f234\u202f500 and $250, 1,000 points", "1\u202f511,11"),
    ],
)
def test_numbers_are_written_as_the_language_does(language: str, amounts: str, number: str) -> None:
    assert amounts_in("-$1,234,500 and $250, 1,000 points", language) == amounts
    assert number_in("1,511.11", language) == number


def test_every_language_reads_amounts_with_its_separator(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.publishes_ranking()
    for path in (f"/t/{OPEN}", f"/t/{OPEN}/rules", f"/t/{OPEN}/statistics", f"/t/{OPEN}/why/p001"):
        assert "$1," in judge.get(path), path
        for language, amount in (("it", "$1."), ("de", "$1."), ("fr", "$1\u202f"), ("es", "$1.")):
            page = judge.get(path, language)
            assert amount in page, (path, language)
            assert re.findall(r"\$\d+,\d{3}", page) == [], (path, language)


def newest(station: Station) -> str:
    """Return the newest line of the history in English."""
    return history_lines(
        station.service.history(OPEN), station.service.tournament(OPEN), Words("en"), range(1)
    )[0].text


def test_a_corrected_sheet_says_what_was_in_it_before(station: Station) -> None:
    station.opens(10)
    drawn = station.publishes()
    station.accepts(drawn, 1)
    accepted = present(station.service.tournament(OPEN).rounds[-1].sheets[0])
    game = accepted.result
    assert isinstance(game, FinishedGame)
    by_dynamite = replace(game.eliminations[0], by=None, cause=Cause.DYNAMITE)
    station.does(
        CorrectSheet(accepted.game, replace(game, eliminations=(by_dynamite, *game.eliminations[1:])), "typo")
    )
    name = {one.player: one.name for one in station.service.tournament(OPEN).entrants}
    sheriff, killer = (name[game.players[seat - 1]] for seat in (1, 2))
    assert newest(station) == (
        f"Round 1, table 1: record sheet corrected: typo; {sheriff}: "
        f"Sheriff, eliminated by {killer} → Sheriff, eliminated by Dynamite"
    )


def test_a_new_name_or_club_is_shown_with_the_former_one(station: Station) -> None:
    station.opens(10)
    station.does(RenamePlayer(PlayerId("p001"), "Player 1", "Roma"))
    assert newest(station) == "Player 1, club or town: – → Roma"
    station.does(RenamePlayer(PlayerId("p001"), "Ada", "Pisa"))
    assert newest(station) == "Player 1 is now called Ada, club or town: Roma → Pisa"


def test_an_undo_names_the_steps_it_undid(station: Station) -> None:
    station.opens(10)
    for number in range(1, 6):
        station.does(RemovePlayer(PlayerId(f"p00{number}")))
    station.does(UndoSteps(1, "wrong one"))
    assert newest(station) == "1 step undone: wrong one (Player 5 removed)"
    station.does(UndoSteps(4, "all wrong"))
    assert newest(station) == (
        "4 steps undone: all wrong (Player 4 removed; Player 3 removed; Player 2 removed; …)"
    )
