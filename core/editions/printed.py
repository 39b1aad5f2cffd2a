"""The document that prints an edition, and where it says what."""

from core.editions.part import Part


class Sections(Part, frozen=True, kw_only=True):
    """The sections of a document by subject, as cited; empty for what it doesn't print.

    A section that begins with the name of another document is of that one.
    """

    rounds: str = ""
    tables: str = ""
    roles: str = ""
    characters: str = ""
    auction: str = ""
    high_noon: str = ""
    winnings: str = ""
    score: str = ""
    tie_breaks: str = ""
    lots: str = ""
    bonus: str = ""
    finals: str = ""
    duels: str = ""
    waivers: str = ""
    leaving: str = ""
    behaviour: str = ""
    blasphemy: str = ""
    penalties: str = ""
    questions: str = ""
    copies: str = ""
    address: str = ""


class Printed(Part, frozen=True, kw_only=True):
    """A printed document. edition: the key of the edition that it prints; others only take its texts over."""

    edition: str = ""
    document: str = ""
    sections: Sections = Sections()
