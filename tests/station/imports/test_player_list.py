"""Lists of players as the spreadsheets of the world write them, and all the oddities of their files."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from core.terms import PlayerId
from core.tournament.state.tournament import Entrant
from station.imports.findings import CsvProblem as P
from station.imports.findings import Preview
from station.imports.player_list import MOST_BYTES, MOST_PLAYERS, new_players, preview

EXAMPLE = Path(__file__).parents[3] / "demo" / "players-27.csv"


def names(result: Preview) -> list[tuple[str, str]]:
    return [(row.name, row.club) for row in result.rows]


def problems(result: Preview) -> list[tuple[int | None, P]]:
    return [(error.line, error.problem) for error in result.errors]


def test_the_example_has_27_players_and_no_fault() -> None:
    result = preview(EXAMPLE.read_bytes())
    assert (len(result.rows), result.errors, result.warnings) == (27, (), ())


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"], ids=str
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
def test_every_usual_encoding_and_line_end_is_read(encoding: str, end: str) -> None:
    text = end.join(["nome;città", "Zoë Müller;Forlì", "José Núñez;Cádiz", ""])
    result = preview(text.encode(encoding))
    assert names(result) == [("Zoë Müller", "Forlì"), ("José Núñez", "Cádiz")]
    assert result.errors == ()
    assert [w.problem for w in result.warnings] == ([P.GUESSED] if encoding == "cp1252" else [])


ONE = [("Ada Bianchi", "")]
FAULTY = [
    (2, P.NAME_MISSING), (3, P.TOO_LONG), (4, P.UNPRINTABLE), (5, P.TOO_MANY_FIELDS), (6, P.UNPRINTABLE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "rows", "errors"),
    [
        pytest.param("Player,Club\nAda,Torino\n", [("Ada", "Torino")], [], id="comma"),
        pytest.param("Player;Club\nAda;Torino\n", [("Ada", "Torino")], [], id="semicolon"),
        pytest.param("Player\tClub\nAda\tTorino\n", [("Ada", "Torino")], [], id="tab"),
        pytest.param("name\nAda Bianchi\n", ONE, [], id="name"),
        pytest.param("NOME\nAda Bianchi\n", ONE, [], id="capitals"),
        pytest.param(" Giocatore ,x\nAda Bianchi,1\n", ONE, [], id="blanks around a title"),
        pytest.param("Nome e Cognome\nAda Bianchi\n", ONE, [], id="both names in one column"),
        pytest.param("Nome,Cognome\nAda,Bianchi\n", ONE, [], id="two columns"),
        pytest.param("Last name,First name\nBianchi,Ada\n", ONE, [], id="the last name first"),
        pytest.param(
            'name,club\n"Bianchi, Ada","Dodge ""C"" City"\n', [("Bianchi, Ada", 'Dodge "C" City')], [],
            id="separators in quotes",
        ),
        pytest.param(
            "\n\n name , club \n\n  Ada   Bianchi ,  Torino \n , \n", [("Ada Bianchi", "Torino")], [],
            id="blanks and empty lines",
        ),
        pytest.param("name,nome\nAda,Ada\n", [], [(1, P.COLUMN_TWICE)], id="two columns of a kind"),
        pytest.param(
            f"name,club\n,Torino\n{'A' * 81}\nBe\x07ll\nx,y,z\nNul\x00l\nAda", [("Ada", "")], FAULTY,
            id="bad lines among good ones",
        ),
        pytest.param('name\nAda\n"Bruno\nCarla\n', [("Ada", "")], [(3, P.BROKEN)], id="an unended quote"),
        pytest.param("", [], [(None, P.EMPTY)], id="empty"),
        pytest.param("  \r\n\n", [], [(None, P.EMPTY)], id="empty lines"),
        pytest.param("\ufeff", [], [(None, P.EMPTY)], id="a byte order mark"),
        pytest.param("\x0b", [], [(None, P.EMPTY)], id="white space of any kind"),
        pytest.param("name,club\n", [], [(None, P.NO_PLAYERS)], id="titles alone"),
        pytest.param("x" * (MOST_BYTES + 1), [], [(None, P.TOO_LARGE)], id="a huge file"),
    ],
)  # fmt: skip
def test_a_text_gives_its_players_and_names_its_faulty_lines(
    content: str, rows: list[tuple[str, str]], errors: list[tuple[int | None, P]]
) -> None:
    result = preview(content.encode())
    assert (names(result), problems(result)) == (rows, errors)


def test_lines_are_numbered_as_in_the_file() -> None:
    assert [row.line for row in preview(b"\n\n name \n\n  Ada\n").rows] == [5]


def test_the_same_player_twice_is_an_error_that_names_both_lines() -> None:
    result = preview(b"name,club\nAda,Torino\nada , TORINO\nAda,Roma\n")
    assert names(result) == [("Ada", "Torino"), ("Ada", "Roma")]
    assert [str(error) for error in result.errors] == [
        "line 3: ada is already on line 2, with the same club or town."
    ]


def test_a_list_that_was_uploaded_before_adds_only_the_newcomers() -> None:
    entrants = (Entrant(PlayerId("p001"), "Ada", "Torino"), Entrant(PlayerId("p002"), "Carla", "Roma"))
    result = preview(b"name,club\nADA,Torino\nBruno,Bari\nCarla,Milano\nBruno,Lecce\n", entrants)
    assert names(result) == [("Bruno", "Bari"), ("Carla", "Milano"), ("Bruno", "Lecce")]
    assert [str(warning) for warning in result.warnings] == [
        "line 2: ADA is already registered and will be skipped.",
        "line 4: Carla is already registered with another club or town. Are they two people?",
        "line 5: Bruno is also on line 3, with another club or town. Are they two people?",
    ]


def test_a_file_without_names_says_which_headers_are_possible() -> None:
    result = preview(b"Ada Bianchi,Torino\nBruno Conti,Roma\n")
    assert problems(result) == [(1, P.NO_NAME_COLUMN)]
    assert "nome" in str(result.errors[0])
    assert "Ada Bianchi" in str(result.errors[0])
    assert result.rows == ()


def test_a_column_that_is_left_out_is_named() -> None:
    result = preview(b"name,shoe size\nAda,38\n")
    assert [str(warning) for warning in result.warnings] == ["line 1: The column shoe size was ignored."]


def test_a_picture_is_no_list() -> None:
    result = preview(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x81\x8d")
    assert result.errors
    assert result.rows == ()


@pytest.mark.slow
def test_5000_players_are_read_and_one_more_is_refused() -> None:
    lines = "name\n" + "".join(f"Player {n}\n" for n in range(MOST_PLAYERS))
    assert len(preview(lines.encode()).rows) == MOST_PLAYERS
    result = preview(f"{lines}One more\n".encode())
    assert problems(result) == [(MOST_PLAYERS + 2, P.TOO_MANY)]


def test_new_players_get_ids_that_nobody_has() -> None:
    rows = preview(b"name\nAda\nBruno\n").rows
    there = (Entrant(PlayerId("p001"), "Carla"), Entrant(PlayerId("p003"), "Dario"))
    assert [player.player for player in new_players(rows, there)] == ["p002", "p004"]


@given(
    st.binary(max_size=300)
    | st.binary(max_size=2_000).map(b"PK\x03\x04".__add__)
    | st.text(max_size=200).map(lambda text: f"name,club\n{text}".encode())
)
def test_no_file_at_all_is_too_strange(content: bytes) -> None:
    result = preview(content)
    assert result.rows or result.errors
    for row in result.rows:
        assert row.name.isprintable()
        assert 1 <= len(row.name) <= 80
    for finding in (*result.errors, *result.warnings):
        assert "{" not in finding.problem.value.format(**finding.fields) or "{" in content.decode("latin-1")


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]], hide: str = "", hidden_row: int = -1) -> bytes:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
            if hidden_row >= 0:
                sheet.set_row(hidden_row, None, None, {"hidden": True})
            if name == hide:
                sheet.hide()
            else:
                sheet.activate()
    return content.getvalue()


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


_KIND = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "urn:oasis:names:tc:opendocument:xmlns"
_ENTRY = '<manifest:file-entry manifest:full-path="{}" manifest:media-type="{}"/>'
_MANIFEST = (
    f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="{_NAMES}:manifest:1.0">'
    f"{_ENTRY.format('/', _KIND)}{_ENTRY.format('content.xml', 'text/xml')}</manifest:manifest>"
)


def opened_document(rows: list[list[str]]) -> bytes:
    """Return an ODS file with only the parts that a reader needs."""
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    names = " ".join(f'xmlns:{name}="{_NAMES}:{name}:1.0"' for name in ("office", "table", "text"))
    body = f'<office:body><office:spreadsheet><table:table table:name="Players">{cells}</table:table>'
    end = "</office:spreadsheet></office:body></office:document-content>"
    document = f"<office:document-content {names}>{body}{end}"
    return packed({"mimetype": _KIND, "META-INF/manifest.xml": _MANIFEST, "content.xml": document})


@pytest.mark.parametrize("make", [lambda rows: workbook({"A": rows}), opened_document], ids=["xlsx", "ods"])
def test_a_spreadsheet_is_read_like_its_csv(make: Callable[[list[list[str]]], bytes]) -> None:
    titles = ["Nome", "Cognome", "Città", "Età"]
    result = preview(make([titles, ["Anna", "Bianchi", "Roma", "31"], ["Zoë", "O'Hara", "", "7"]]))
    assert result.errors == ()
    assert names(result) == [("Anna Bianchi", "Roma"), ("Zoë O'Hara", "")]
    assert [row.line for row in result.rows] == [2, 3]
    assert [one.problem for one in result.warnings] == [P.COLUMN_IGNORED]


def test_numbers_empty_lines_and_other_sheets_of_a_workbook() -> None:
    rows: list[list[object]] = [["name", "club"], [7, 1.5], ["", ""], ["=Anna", "-x"]]
    result = preview(workbook({"Sheet1": [], "Sheet2": rows, "Sheet3": [["more"]]}))
    assert [(row.line, row.name, row.club) for row in result.rows][:1] == [(2, "7", "1.5")]
    assert [one.problem for one in result.warnings] == [P.SHEETS_IGNORED, *[P.NOTE] * 2]
    assert result.warnings[0].fields == {"sheet": "Sheet2", "count": 2}


def test_faults_of_a_spreadsheet_are_named_with_their_line() -> None:
    result = preview(workbook({"A": [["name"], ["Anna"], ["Anna"], ["x" * 81]]}))
    assert problems(result) == [(3, P.TWICE), (4, P.TOO_LONG)]
    assert problems(preview(workbook({"A": []}))) == [(None, P.EMPTY)]
    for other in (b"PK\x03\x04 no archive", packed({"letter.txt": "hello"})):
        assert problems(preview(other)) == [(None, P.NO_SPREADSHEET)]
    assert not any("{fault}" in problem.value for problem in P), "a library's words are English"


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_gigabytes_is_not_unpacked() -> None:
    result = preview(packed({"xl/worksheets/sheet1.xml": b"0" * 70_000_000}))
    assert [one.problem for one in result.errors] == [P.TOO_LARGE]


ADA, BEA = ("Ada Rossi", "Roma"), ("Bea Verdi", "Pisa")
TWO = [["Nome", "Club"], [*ADA], [*BEA]]


def test_a_hidden_sheet_or_one_of_times_is_not_taken_for_the_list() -> None:
    old = [["Nome", "Club", "Cognome"], ["Old", "x", "One"]]
    result = preview(workbook({"Old": old, "List": TWO}, hide="Old"))
    assert (names(result), [one.problem for one in result.warnings]) == ([ADA, BEA], [P.SHEETS_IGNORED])
    times = [["Ora", "Giocatori"], ["10", "12"]]
    assert names(preview(workbook({"Times": times, "List": TWO}))) == [ADA, BEA]


def test_hidden_rows_are_read_and_told() -> None:
    result = preview(workbook({"List": TWO}, hidden_row=2))
    assert (names(result), [one.problem for one in result.warnings]) == ([ADA, BEA], [P.HIDDEN_ROWS])


def test_an_opendocument_sheet_that_is_hidden_is_not_taken_for_the_list() -> None:
    cell = "<table-cell><p>{}</p></table-cell>"
    sheet = (
        "<table name='{0}' style-name='{0}'><table-row>{1}</table-row><table-row {3}>{2}</table-row></table>"
    )
    style = "<style name='Old'><table-properties display='false'/></style>"
    old = sheet.format("Old", cell.format("Nome"), cell.format("Old One"), "")
    new = sheet.format("New", cell.format("Nome"), cell.format("Ada"), "visibility='collapse'")
    result = preview(packed({"content.xml": f"<document>{style}{old}{new}</document>"}))
    assert names(result) == [("Ada", "")]
    assert [one.problem for one in result.warnings] == [P.SHEETS_IGNORED, P.HIDDEN_ROWS]


def _merged_workbook(rows: list[list[str]]) -> bytes:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell != "^":
                    sheet.write(number, column, cell)
                if cell != "^" and (last := _last_merged(rows, number, column)) > number:
                    sheet.merge_range(number, column, last, column, cell)
    return content.getvalue()


def _merged_document(rows: list[list[str]]) -> bytes:
    text = ""
    for number, row in enumerate(rows):
        text += "<table-row>"
        for column, cell in enumerate(row):
            spanned = f"number-rows-spanned='{_last_merged(rows, number, column) - number + 1}'"
            text += (
                "<covered-table-cell/>"
                if cell == "^"
                else f"<table-cell {spanned}><p>{cell}</p></table-cell>"
            )
        text += "</table-row>"
    return packed({"content.xml": f"<document><table name='List'>{text}</table></document>"})


def _last_merged(rows: list[list[str]], number: int, column: int) -> int:
    below = takewhile(lambda row: row[column] == "^", rows[number + 1 :])
    return number + sum(1 for _ in below)


@pytest.mark.parametrize("make", [_merged_workbook, _merged_document], ids=["xlsx", "ods"])
def test_merged_cells_hold_for_each_row_that_has_a_player(make: Callable[[list[list[str]]], bytes]) -> None:
    rows = [
        ["Nome", "Club", "Contatti", ""],
        ["^", "^", "Mail", "Cellulare"],
        ["Ada Rossi", "Roma", "", "1"],
        ["Bea Verdi", "^", "", "2"],
        ["", "^", "", ""],
        ["Cy Neri", "Pisa", "", "3"],
        ["Dan Gallo", "", "", "4"],
        ["Ea Bo", "Bari", "", "5"],
        ["", "^", "", ""],
    ]
    result = preview(make(rows))
    assert result.errors == ()
    assert {one.problem for one in result.warnings} == {P.COLUMN_IGNORED}
    others = [("Bea Verdi", "Roma"), ("Cy Neri", "Pisa"), ("Dan Gallo", ""), ("Ea Bo", "Bari")]
    assert names(result) == [ADA, *others]


@pytest.mark.parametrize("spelt", [str.lower, str.upper, lambda name: name.replace("/", "\\")])
def test_parts_of_a_workbook_are_found_as_other_programs_spell_them(spelt: Callable[[str], str]) -> None:
    with zipfile.ZipFile(io.BytesIO(workbook({"List": TWO}))) as whole:
        parts = {spelt(name): whole.read(name).decode() for name in whole.namelist()}
    assert names(preview(packed(parts))) == [ADA, BEA]
