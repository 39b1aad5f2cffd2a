"""Lists as people have them: each file of ``inputs`` with the players it means, or the words that refuse it.

The files are small and made up. Each has one oddity that a real list had: a sheet with a cell in its last
corner, a separator within a title, a list saved twice in the wrong encoding, another program's export.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import BadData
from core.cli.files import file_text
from core.editions.loader import read_house_rules
from core.tournament.registration import MOST_PLAYERS as MOST_OF_TOURNAMENT
from core.tournament.registration import register_in_parts
from core.tournament.state.names import fold_name
from station.appliance.card import card_from
from station.imports.findings import CsvProblem as P
from station.imports.findings import ListColumns, ListFormat, PlayerRow, Preview
from station.imports.player_list import MOST_PLAYERS, new_players, preview
from tests.examples import examples

INPUTS = Path(__file__).parent / "inputs"
ADA, BEA = ("Ada Rossi", "Roma"), ("Bea Verdi", "Pisa")
JUST_ADA = ("Ada", "Roma")

Findings = list[tuple[int | None, P]]
RIGHT: dict[str, tuple[list[tuple[str, str]], Findings, Findings]] = {
    # Cells far away, whole columns and rows filled to the end of the sheet.
    "far-corner.xlsx": ([ADA, BEA], [], [(None, P.CELLS_IGNORED)]),
    "far-corner-empty-cell.xlsx": ([ADA, BEA], [], []),
    "far-down-26-columns.xlsx": ([ADA, BEA], [], []),
    "far-down-one-column.xlsx": ([ADA, BEA], [], []),
    "dimension-only.xlsx": ([ADA, BEA], [], []),
    "space-at-row-end.xlsx": ([ADA, BEA], [], []),
    "ods-plain-tail.ods": ([ADA], [], []),
    "ods-column-filled-down.ods": ([ADA], [], [(None, P.CELLS_IGNORED), (3, P.NO_NAMES_BELOW)]),
    # What cells hold.
    "rich-runs.xlsx": ([ADA], [], []),
    "escaped-underscore.xlsx": ([ADA], [], []),
    "numbers-as-names.xlsx": ([("1000000000000000", "0.1")], [], [(2, P.NOTE)]),
    "bool-name.xlsx": ([("TRUE", "Roma")], [], []),
    "uncached-formula.xlsx": ([], [(2, P.TOO_MANY_FIELDS)], []),
    "error-cells.xlsx": ([("Ada Rossi", "")], [(2, P.NAME_IS_ERROR)], [(3, P.CLUB_IS_ERROR)]),
    "excel-errors.csv": (
        [("Ada", "")], [(line, P.NAME_IS_ERROR) for line in (2, 3, 4, 6)], [(5, P.CLUB_IS_ERROR)],
    ),
    "newline-in-cell.csv": ([ADA], [], []),
    "nul.csv": ([], [(2, P.UNPRINTABLE)], []),
    # Separators, quotes, titles.
    "comma-in-header-semicolon.csv": ([ADA], [], []),
    "quoted-comma-header.csv": ([("Rossi, Ada", "Roma")], [], []),
    "sep-line.csv": ([ADA], [], []),
    "title-above.csv": ([ADA], [], []),
    "pipe.csv": ([JUST_ADA], [], []),
    "decimal.csv": ([JUST_ADA], [], [(1, P.COLUMN_IGNORED)]),
    "header-colon.csv": ([JUST_ADA], [], []),
    "whole-line-quoted.csv": ([ADA], [], []),
    "single-column-comma.csv": ([], [(2, P.TOO_MANY_FIELDS)], []),
    "quote-nickname.csv": ([('Ada "The Kid" Rossi', "Roma")], [(3, P.BROKEN)], []),
    "german.csv": ([("Anna Müller", "Köln"), ("Bernd Müller", "Köln")], [], []),
    "first-only.csv": ([JUST_ADA], [], []),
    "own-export.csv": ([ADA], [], []),
    "tabbycat-speakers.csv": (
        [("Ada Rossi", "Ludoteca di Roma, Centro"), ("Bea Verdi", "")], [], [(1, P.COLUMN_IGNORED)] * 5
    ),
    "trf.csv": ([], [(1, P.NO_NAME_COLUMN)], []),
    "empty.csv": ([], [(None, P.EMPTY)], []),
    # Marks that nobody sees.
    "zwsp.csv": ([ADA], [], []),
    "shy.csv": ([("Anna-Maria", "Roma")], [], []),
    "bomname.csv": ([ADA], [], []),
    "rlm.csv": ([("דנה כהן", "חיפה")], [], []),
    # One person or several?
    "apostrophes.csv": (
        [("Marco D'Angelo", "Roma"), ("Marco D’Angelo", "Roma"), ("Marco D´Angelo", "Roma")],
        [], [(3, P.ALIKE_IN_FILE), (4, P.ALIKE_IN_FILE)],
    ),
    "accents.csv": (
        [("Niccolò Rossi", "Roma"), ("Niccolo Rossi", "Roma"), ("Niccolo' Rossi", "Roma")],
        [], [(3, P.ALIKE_IN_FILE), (4, P.ALIKE_IN_FILE)],
    ),
    "swapped.csv": ([("Mario Rossi", "Roma"), ("Rossi Mario", "Roma")], [], [(3, P.ALIKE_IN_FILE)]),
    # Encodings.
    "utf16-tab.csv": ([("Niccolò", "Forlì")], [], []),
    "utf32.csv": ([JUST_ADA], [], []),
    "utf8-one-bad.csv": ([("Niccolò Rossi", "Forlì"), ("Zoé", "Lyon")], [], [(3, P.LINE_GUESSED)]),
    "mojibake.csv": (
        [("NiccolÃ² Rossi", "ForlÃ¬"), ("JosÃ© GarcÃa", "CÃ¡diz")],
        [], [(2, P.MOJIBAKE), (2, P.MOJIBAKE), (3, P.MOJIBAKE), (3, P.MOJIBAKE)],
    ),
    "shiftjis.csv": ([], [(2, P.STRANGE), (2, P.STRANGE)], [(None, P.GUESSED)]),
    "gbk.csv": ([], [(1, P.NO_NAME_COLUMN)], [(None, P.GUESSED)]),
    "macroman.csv": ([], [(None, P.NO_TEXT)], []),
    "cp850.csv": ([], [(None, P.NO_TEXT)], []),
    # Files of other programs.
    "old.xls": ([], [(None, P.OLD_EXCEL)], []),
    "list.numbers": ([], [(None, P.NUMBERS)], []),
}  # fmt: skip
SETTINGS: dict[str, str | None] = {
    "ours-bom.toml": None,
    "ours-crlf.toml": None,
    "ours-utf16.toml": "this is not UTF-8 text",
    "station-bom.toml": None,
    "station-crlf.toml": None,
    "station-cr.toml": "line 1: .*: not valid TOML",
    "station-cp1252.toml": "this isn't plain UTF-8 text",
    "station-utf16.toml": "this isn't plain UTF-8 text",
}
"""House rules and files for the boot partition: None for those that are read, or words that refuse them."""


def read(name: str, choice: ListFormat | None = None) -> Preview:
    return preview((INPUTS / name).read_bytes(), (), choice or ListFormat())


def players(result: Preview) -> list[tuple[str, str]]:
    return [(row.name, row.club) for row in result.rows]


@pytest.mark.parametrize("name", RIGHT)
def test_each_list_gives_its_players_or_says_why_not(name: str) -> None:
    result = read(name)
    rows, errors, warnings = RIGHT[name]
    assert players(result) == rows
    assert [(one.line, one.problem) for one in result.errors] == errors
    assert [(one.line, one.problem) for one in result.warnings] == warnings


def test_every_list_of_the_folder_is_described() -> None:
    described = {*RIGHT, *SETTINGS, "ods-all-filled.ods"}
    assert {path.name for path in INPUTS.iterdir()} == described


@pytest.mark.parametrize("name", SETTINGS)
def test_house_rules_and_boot_files_from_any_editor_are_read_or_refused_in_words(name: str) -> None:
    read_file = _read_rules if name.startswith("ours") else _read_boot_file
    if SETTINGS[name] is None:
        assert read_file(INPUTS / name)
    else:
        with pytest.raises(BadData, match=SETTINGS[name]):
            read_file(INPUTS / name)


def _read_rules(path: Path) -> bool:
    return read_house_rules(file_text(path), path.name).title == "Official Score System 2003"


def _read_boot_file(path: Path) -> bool:
    return card_from(path.read_bytes()).hall.name == "Sala Grande"


SECOND = ("Bea", "Pisa")
LEFT_OUT = [P.NO_NAMES_BELOW]
IGNORED = [P.COLUMN_IGNORED]


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        # Lines that are nobody.
        ("Nome;Club\nAda;Roma\nBea;Pisa\nTotale;2\n", LEFT_OUT),
        ("Name;Verein\nAda;Roma\nBea;Pisa\n\nSumme: 2\n", LEFT_OUT),
        ("N.;Nome;Club;Quota\n1;Ada;Roma;10\n2;Bea;Pisa;10\n;Totale;;20\n", [*IGNORED, *IGNORED, *LEFT_OUT]),
        ("Nome;Club;Quota\nAda;Roma;10\nBea;Pisa;10\n;;20\n", [*IGNORED, *LEFT_OUT]),
        ("N;Nome;Club\n1;Ada;Roma\n2;Bea;Pisa\n3;;\n4;;\n5;;\n", [*IGNORED, *LEFT_OUT]),
        ("Nome;Club\nAda;Roma\nNome;Club\nBea;Pisa\n", []),
        ("| Name | Club |\n|------|:-----|\n| Ada | Roma |\n| Bea | Pisa |\n", []),
        # Numbers and bullets before all names.
        ("Nome;Club\n1. Ada;Roma\n2. Bea;Pisa\n", []),
        ("Nome;Club\n- Ada;Roma\n- Bea;Pisa\n", []),
        ("Nome;Club\n1 Ada;Roma\n2 Bea;Pisa\n", []),
        ("Nome;Club\n#1 - Ada;Roma\n#2 - Bea;Pisa\n", []),
        ("Name;Club\n1° Ada;Roma\n2° Bea;Pisa\n", []),
        ("Name;Club\n[ ] Ada;Roma\n[x] Bea;Pisa\n", []),
        ("Name;Club\nAda;Roma\nBea;Pisa\nTeilnehmer gesamt;2\n", LEFT_OUT),
        ("Nome;Club\nAda;Roma\nBea;Pisa\nTotale giocatori: 2;\n", LEFT_OUT),
        # Merged titles above the titles.
        ("Torneo 2026;;\nElenco iscritti;;\n;;\nNome;Club;\nAda;Roma;\nBea;Pisa;\n", []),
        ("Persona;Club\nNome;\nAda;Roma\nBea;Pisa\n", []),
        ("Nome;Torneo di Natale\nData;12/12\nNome;Club\nAda;Roma\nBea;Pisa\n", [P.NOT_READ_ABOVE]),
        # Titles that are questions, or say whose name they mean.
        ("Nome del giocatore;Nome del club\nAda;Roma\nBea;Pisa\n", []),
        ("Player's name;Player's club\nAda;Roma\nBea;Pisa\n", []),
        ("Teilnehmername;Heimatort\nAda;Roma\nBea;Pisa\n", []),
        ("Nome;Comune di nascita;Comune di residenza\nAda;Lucca;Roma\nBea;Siena;Pisa\n", IGNORED),
        ("Timestamp,What is your name?,Which club do you play for?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Timestamp,Your full name *,Your club (if any)\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Informazioni cronologiche,Come ti chiami?,Da quale città vieni?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Informazioni cronologiche,Il tuo nome,Qual è il tuo club?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Zeitstempel,Wie heißt du?,In welchem Verein bist du?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Zeitstempel,Vor- und Nachname,Verein/Ort\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Horodateur,Quel est votre nom ?,De quelle ville venez-vous ?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Horodateur,Comment vous appelez-vous ?,Votre club\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Marca temporal,¿Cómo te llamas?,¿De qué ciudad eres?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Marca temporal,¿Cuál es tu nombre?,¿Cuál es tu club?\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Carimbo de data/hora,Qual é o seu nome?,Clube ou cidade\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
        ("Tijdstempel,Wat is je naam?,Vereniging\nx,Ada,Roma\nx,Bea,Pisa", IGNORED),
    ],
)  # fmt: skip
def test_a_list_of_two_players_gives_these_two(text: str, warnings: list[P]) -> None:
    result = preview(text.encode())
    assert players(result) == [JUST_ADA, SECOND]
    assert result.errors == ()
    assert [one.problem for one in result.warnings] == warnings


@pytest.mark.parametrize("club", ["-", "—", "/", "n/a", "None", "nessuno", "kein Verein", "aucun", "ninguno"])
def test_a_word_for_no_club_is_no_club(club: str) -> None:
    assert players(preview(f"Nome;Club\nAda;{club}\n".encode())) == [("Ada", "")]


@pytest.mark.parametrize(
    "note",
    ["\nIscrizioni chiuse", "ROMA", "GRUPPO 1", "Riserve:", "chi arriva tardi non gioca il primo", "46146",
     "Player"],
)  # fmt: skip
def test_a_line_that_may_be_a_note_is_asked_about(note: str) -> None:
    result = preview(f"Nome;Club\nAda;Roma\n{note};\n".encode())
    assert [one.problem for one in result.warnings] == [P.NOTE]


@pytest.mark.parametrize("name", ["Total Recall", "Suma Rao", "Soma Kovács", "Sir Summe"])
def test_the_last_player_may_be_called_like_a_total(name: str) -> None:
    assert players(preview(f"Nome\nAda\n{name}\n".encode())) == [("Ada", ""), (name, "")]


def test_a_total_among_the_players_and_a_line_without_a_name_are_named_by_their_lines() -> None:
    total = preview(b"Nome;Club\nAda;Roma\nTotale;1\nBea;Pisa\n")
    assert [(one.line, one.problem) for one in total.warnings] == [(3, P.NOTE)]
    nobody = preview(b"Nome;Club\nAda;Roma\n;Pisa\n")
    assert [(one.line, one.problem) for one in nobody.errors] == [(3, P.NAME_MISSING)]


@pytest.mark.slow
def test_a_sheet_that_is_filled_to_its_last_corner_names_lines_and_stops() -> None:
    result = read("ods-all-filled.ods")
    assert players(result) == [ADA]
    assert {error.problem for error in result.errors} == {P.TOO_MANY_FIELDS}
    assert len(result.errors) < MOST_PLAYERS


@pytest.mark.parametrize(
    ("name", "encoding", "rows"),
    [
        ("mojibake.csv", "twice", [("Niccolò Rossi", "Forlì"), ("José García", "Cádiz")]),
        ("shiftjis.csv", "cp932", [("山田太郎", "東京")]),
        ("macroman.csv", "mac_roman", [("Niccolò è qui", "Forlì")]),
        ("cp850.csv", "cp850", [("Niccolò Jürgen", "Forlì")]),
    ],
)
def test_a_chosen_encoding_reads_the_letters(name: str, encoding: str, rows: list[tuple[str, str]]) -> None:
    result = read(name, ListFormat(encoding))
    assert players(result) == rows
    assert (result.errors, result.warnings) == ((), ())


def test_chosen_columns_need_no_known_titles() -> None:
    result = read("gbk.csv", ListFormat("gb18030", ListColumns((0,), 1)))
    assert players(result) == [("王伟", "北京")]
    untitled = ListFormat(columns=ListColumns((1, 0), 2), has_titles=False)
    assert players(preview(b"Rossi;Ada;Roma\n", (), untitled)) == [ADA]


def test_a_chosen_encoding_that_does_not_fit_names_the_line() -> None:
    result = read("utf8-one-bad.csv", ListFormat("utf-8"))
    assert [(one.line, one.problem) for one in result.errors] == [(3, P.NOT_IN_ENCODING)]


TITLES_OF = {
    "Ada;Rossi;Roma": (
        "First name;Last name;Club", "First;Last;Club", "Player First Name;Player Last Name;Team",
        "Nombre;Apellidos;Ciudad", "Nombre;Apellido;Asociación", "Tu nombre;Tus apellidos;Tu ciudad",
        "Voornaam;Achternaam;Vereniging", "Imię;Nazwisko;Klub", "Имя;Фамилия;Город",
        "Giocatore;;Club\nNome;Cognome;", "Nome giocatore;Cognome giocatore;Club",
        "Qual è il tuo nome?;Qual è il tuo cognome?;Da dove vieni?",
    ),
    "Rossi;Ada;Roma": (
        "Cognome;Nome;Città", "Nachname;Vorname;Verein", "Name;Vorname;Ort", "Nom;Prénom;Ville",
        "NOM DE FAMILLE;PRÉNOM;CLUB",
    ),
    "Rossi,Ada,Roma": ("last_name,first_name,team",),
    "Ada Rossi;Roma": (
        "Cognome e nome;Circolo", "Nome e cognome dell'iscritto;Club", "Name *;Club or town (optional)",
        "player name;school", "Your first and last name;Your town", "Name des Spielers;Verein",
        "Nom et prénom du joueur;Club", "Nombre y apellidos del jugador;Población", "Spieler/in;Verein",
        "TeilnehmerIn;Ort", "Joueur(se);Ville", "Participant·e;Ville", "Jugador/a;Club", "ФИО;Клуб",
        "이름;도시", "氏名;都市",
    ),
    "Ada Rossi;ada;Roma": ("Display Name;Username;Team",),
    "Ada Rossi;5;Roma": ("Player;Last;Club",),
    "x;Ada;Rossi;Roma": ("Attendee name;Attendee name: Given name;Attendee name: Family name;City",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("header", "row"), [(one, row) for row, titles in TITLES_OF.items() for one in titles]
)
def test_first_and_last_names_in_two_columns_are_one_name(row: str, header: str) -> None:
    assert players(preview(f"{header}\n{row}\n".encode())) == [ADA]


def test_an_apostrophe_that_our_own_export_adds_is_taken_off() -> None:
    result = preview(b"number,player,name,club,status,warnings,sheriff_in\n1,p001,'=Ada,'@home,playing,0,\n")
    assert players(result) == [("=Ada", "@home")]


@pytest.mark.parametrize("before", [0, 8])
def test_titles_are_looked_for_in_the_first_ten_lines(before: int) -> None:
    above = "".join(f"Note {n};;\n" for n in range(before))
    assert players(preview(f"{above}Nome;Club;\nAda Rossi;Roma;\n".encode())) == [ADA]


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"%PDF-1.7", "PDF"), (b"  <html><table>", "HTML"), (b"<?xml version='1.0'?>", "XML")],
)
def test_files_of_other_kinds_are_named(content: bytes, kind: str) -> None:
    (error,) = preview(content).errors
    assert (error.problem, error.fields) == (P.OTHER_KIND, {"kind": kind})


def test_whoever_is_like_a_registered_player_is_asked_about() -> None:
    there = [PlayerRow(0, "Marco D'Angelo", "Roma"), PlayerRow(0, "José Núñez", "Cádiz")]
    result = preview(
        "name,club\nMarco D’Angelo,Roma\nNunez Jose,Cadiz\nJose\u0301 Nu\u0301n\u0303ez,Cádiz\n".encode(),
        there,
    )
    assert [(one.line, one.problem) for one in result.warnings] == [(2, P.ALIKE), (3, P.ALIKE), (4, P.KNOWN)]
    assert len(result.rows) == 2


def test_other_spellings_of_one_name_are_asked_about_and_kept() -> None:
    there = [PlayerRow(0, "Anna Müller", "Köln"), PlayerRow(0, "Ea De Luca", "Bari")]
    content = "name,club\nAnna Mueller,Bonn\nDeluca Ea,Bari\nMarco D Angelo,Roma\nMarco D'Angelo,Roma\n"
    result = preview(content.encode(), there)
    assert [(one.line, one.problem) for one in result.warnings] == [
        (2, P.ALIKE), (3, P.ALIKE), (5, P.ALIKE_IN_FILE)
    ]  # fmt: skip
    assert len(result.rows) == 4


@pytest.mark.nightly
def test_the_preview_and_the_registration_have_the_same_limits() -> None:
    long = "".join(f"{'Ж' * 70} {n};{'Щ' * 80}\n" for n in range(MOST_PLAYERS))
    result = preview(f"name;club\n{long}".encode())
    assert (len(result.rows), result.errors) == (MOST_PLAYERS, ())
    commands = list(register_in_parts(new_players(result.rows, ())))
    assert len(commands) > 1
    assert sum(len(command.players) for command in commands) == MOST_PLAYERS
    there = [PlayerRow(0, f"P{n}", "") for n in range(MOST_OF_TOURNAMENT - MOST_PLAYERS + 1)]
    (error,) = preview(f"name;club\n{long}".encode(), there).errors
    assert error.problem is P.TOO_MANY_IN_ALL


@pytest.mark.parametrize("head", ["name,club", "name", "Giocatore,Città"])
def test_names_that_are_like_titles_are_players(head: str) -> None:
    """Lists made to try the station often have such names."""
    names = ["Player A", "Player B", "Team C", "Nome D", "Spieler 5", "Town"]
    width = head.count(",")
    text = "\n".join([head, *(name + ",Town" * width for name in names)])
    assert [name for name, _ in players(preview(text.encode()))] == names


WORDS = [
    "Player", "Name", "Nome", "Town", "Club", "Total", "Summe", "Spieler 5", "A", "5", "-", "", "Ada", "#N/A",
]  # fmt: skip


@pytest.mark.slow
@given(
    st.sampled_from([["Name"], ["Name", "Club"], ["N.", "Player", "Zone"], ["Name", "Vorname", "Ort"]]),
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=14),
)
@settings(max_examples=examples(100))
def test_no_line_is_lost_without_a_word(titles: list[str], cells: list[list[str]]) -> None:
    """Each line with a letter becomes a row, or an error or warning names it or the lines around it."""
    result = preview("\n".join(map(";".join, [titles, *cells])).encode())
    findings = [*result.errors, *result.warnings]
    named = {row.line for row in result.rows} | {one.line for one in findings}
    for one in findings:
        if one.problem is P.NO_NAMES_BELOW:
            named.update(range(one.line or 0, len(cells) + 2))
        if one.problem is P.NOT_READ_ABOVE:
            named.update(range(one.line or 0, int(one.fields["last"]) + 1))
    whole = any(
        one.line is None or one.problem in {P.NO_NAME_COLUMN, P.COLUMN_TWICE} for one in result.errors
    )
    again = [fold_name(title) for title in result.titles if title]
    for line, row in enumerate(cells, 2):
        is_title_again = [fold_name(cell) for cell in row if cell] == again
        if any(map(str.isalpha, "".join(row))) and not is_title_again and not whole:
            assert line in named
