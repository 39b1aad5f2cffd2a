"""The content of a paper, laid out in one of a few ways; every text in it is in the reader's language."""

import enum

import msgspec

Cells = tuple[str, ...]


class PaperSize(enum.Enum):
    """The sizes of paper that printers have; the values are Typst's names."""

    A4 = "a4"
    LETTER = "us-letter"


class PaperForm(enum.Enum):
    """The form that a paper is set in: one PDF file, or a PNG picture of each page."""

    PDF = "pdf"
    PICTURES = "pictures"


class PaperLayout(msgspec.Struct, frozen=True, tag_field="layout"):
    """One way to lay a paper out; the template has a function with the name of its tag."""


class NameColumns(PaperLayout, frozen=True, tag="columns"):
    """Short rows under a repeated head, in as many columns as a page holds. head, rows: cell by cell."""

    head: Cells
    rows: tuple[Cells, ...]


class SeatCard(msgspec.Struct, frozen=True):
    """The players of a table, by seat."""

    title: str
    players: Cells


class SeatCards(PaperLayout, frozen=True, tag="cards"):
    """A card for each table, three beside each other."""

    cards: tuple[SeatCard, ...]


class SheetForm(msgspec.Struct, frozen=True):
    """A form of half a page.

    head, rows: cell by cell; an empty cell is for handwriting. wide: columns for names and signatures, from
    0. ticks: boxes under a question. lines: what is written on a line. result: a sentence above the table.
    qr: an SVG, empty for none.
    """

    title: str
    head: Cells
    rows: tuple[Cells, ...]
    wide: tuple[int, ...] = ()
    question: str = ""
    ticks: Cells = ()
    lines: Cells = ()
    result: str = ""
    qr: str = ""


class Forms(PaperLayout, frozen=True, tag="forms"):
    """Forms, two on a page. hint: what the code beside them does."""

    forms: tuple[SheetForm, ...]
    hint: str = ""


class Sign(msgspec.Struct, frozen=True):
    """A table's sign. qr: an SVG, empty for none."""

    word: str
    number: str
    qr: str = ""
    hint: str = ""


class Signs(PaperLayout, frozen=True, tag="signs"):
    """Signs to fold and stand on the tables: the number is read from both sides."""

    signs: tuple[Sign, ...]


class Badge(msgspec.Struct, frozen=True):
    """A player's badge. qr: an SVG, empty for none."""

    name: str
    club: str
    qr: str = ""
    hint: str = ""


class Badges(PaperLayout, frozen=True, tag="badges"):
    """Badges of 90 by 54 mm to cut out, ten on a page."""

    badges: tuple[Badge, ...]


class PlanPlace(msgspec.Struct, frozen=True):
    """A table on the plan of a hall; the first column and row are 1."""

    text: str
    column: int
    row: int


class PlanPage(PaperLayout, frozen=True, tag="plan"):
    """The plan of a hall, on one page."""

    columns: int
    rows: int
    places: tuple[PlanPlace, ...]


class WideTable(PaperLayout, frozen=True, tag="table"):
    """A wide table whose head is repeated on each page. numbers: columns of figures, from 0. notes: below."""

    head: Cells
    rows: tuple[Cells, ...]
    numbers: tuple[int, ...] = ()
    notes: Cells = ()


class Letter(PaperLayout, frozen=True, tag="letter"):
    """Paragraphs, each with its own lines."""

    text: str


class Certificate(msgspec.Struct, frozen=True):
    """A player's certificate. place: such as "1st place"."""

    name: str
    place: str
    text: str


class Certificates(PaperLayout, frozen=True, tag="certificates"):
    """Certificates, each on a page on its side. signature: the word below the line."""

    certificates: tuple[Certificate, ...]
    signature: str


class Chapters(PaperLayout, frozen=True, tag="chapters"):
    """Tables under headings, one after another."""

    chapters: tuple[tuple[str, WideTable], ...]


_Sheets = Forms | Signs | Badges | PlanPage | Certificates
AnyLayout = NameColumns | SeatCards | WideTable | Letter | Chapters | _Sheets


class Paper(msgspec.Struct, frozen=True):
    """A paper to be printed. about: tournament, round and day. notice: such as "Secret"; often empty.

    page: "Page {n} of {total}" in the reader's language. foot: what every page says at its end. colon: with
    the blanks around it.
    """

    title: str
    about: str
    body: AnyLayout
    page: str
    foot: str
    language: str = "en"
    size: PaperSize = PaperSize.A4
    notice: str = ""
    colon: str = ": "
