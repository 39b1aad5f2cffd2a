"""The contents of papers in a few layouts. All texts are in the reader's language."""

import enum
from typing import Final

import msgspec

Cells = tuple[str, ...]


class PaperSize(enum.Enum):
    """Paper sizes; the values are Typst's names."""

    A4 = "a4"
    LETTER = "us-letter"


class PaperForm(enum.Enum):
    """The output format of a paper: a PDF file, a PNG picture of each page, or a small one of the first."""

    PDF = "pdf"
    PICTURES = "pictures"
    THUMBNAIL = "thumbnail"


class PaperLayout(msgspec.Struct, frozen=True, tag_field="layout"):
    """A layout. The template has a function with the name of its tag."""


class NameColumns(PaperLayout, frozen=True, tag="columns"):
    """Short rows under a repeated header, in as many columns as fit on a page."""

    head: Cells
    rows: tuple[Cells, ...]


class SeatCard(msgspec.Struct, frozen=True):
    """The players of a table, by seat."""

    title: str
    players: Cells


class SeatCards(PaperLayout, frozen=True, tag="cards"):
    """Seat cards of all tables, three side by side."""

    cards: tuple[SeatCard, ...]


class SheetForm(msgspec.Struct, frozen=True):
    """A form that fills half a page; its empty cells are filled in by hand.

    wide: columns for names and signatures, from 0.
    ticks: the answers to the question, to be ticked.
    qr: an SVG, or "".
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
    """Forms, two per page. ``hint`` explains the QR codes."""

    forms: tuple[SheetForm, ...]
    hint: str = ""


class Sign(msgspec.Struct, frozen=True):
    """A table's sign. ``qr`` is an SVG, or ""."""

    word: str
    number: str
    qr: str = ""
    hint: str = ""


class Signs(PaperLayout, frozen=True, tag="signs"):
    """Table signs to fold: the number can be read from both sides."""

    signs: tuple[Sign, ...]


class Badge(msgspec.Struct, frozen=True):
    """A player's badge. ``qr`` is an SVG, or "". ``code`` can be typed where nothing scans it."""

    name: str
    club: str
    code: str = ""
    qr: str = ""
    hint: str = ""


class Badges(PaperLayout, frozen=True, tag="badges"):
    """Badges of 90 by 54 mm to cut out, ten per page."""

    badges: tuple[Badge, ...]


class Poster(PaperLayout, frozen=True, tag="poster"):
    """A poster with a large QR code. ``address`` is for people who can't scan it."""

    title: str
    qr: str
    address: str
    lines: Cells


class PlanPlace(msgspec.Struct, frozen=True):
    """A table on the hall plan. Columns and rows count from 1."""

    text: str
    column: int
    row: int


class PlanPage(PaperLayout, frozen=True, tag="plan"):
    """The plan of a hall, on one page."""

    columns: int
    rows: int
    places: tuple[PlanPlace, ...]


TICK_BOX: Final = "☐"
"""A cell to be ticked by hand."""


class WideTable(PaperLayout, frozen=True, tag="table"):
    """A wide table whose header is repeated on each page. ``numbers`` are columns of figures, from 0."""

    head: Cells
    rows: tuple[Cells, ...]
    numbers: tuple[int, ...] = ()
    notes: Cells = ()


class Letter(PaperLayout, frozen=True, tag="letter"):
    """A letter of plain text."""

    text: str


class Certificate(msgspec.Struct, frozen=True):
    """A player's certificate. ``place`` is a text such as "Second place".

    number: the rank on the seal.
    medal: 1 for gold, 2 for silver, 3 for bronze, or 0.
    prizes: a line for each prize.
    """

    name: str
    place: str
    text: str
    number: str
    medal: int = 0
    prizes: Cells = ()


class Certificates(PaperLayout, frozen=True, tag="certificates"):
    """Certificates, each on a landscape page.

    event: the tournament's name.
    details: lines about day, venue and organiser.
    signatures: the labels below the two lines for signatures.
    logo: an SVG, or "".
    sample: a word printed across the page, or "".
    """

    certificates: tuple[Certificate, ...]
    event: str
    details: Cells
    signatures: tuple[str, str]
    logo: str = ""
    sample: str = ""


class Chapters(PaperLayout, frozen=True, tag="chapters"):
    """Tables under headings, one after another."""

    chapters: tuple[tuple[str, WideTable], ...]


_Sheets = Poster | Forms | Signs | Badges | PlanPage | Certificates
AnyLayout = NameColumns | SeatCards | WideTable | Letter | Chapters | _Sheets


class Paper(msgspec.Struct, frozen=True):
    """A paper to print.

    about: tournament, round and day.
    page: "Page {n} of {total}" in the reader's language.
    colon: the reader's colon, with its spaces.
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
