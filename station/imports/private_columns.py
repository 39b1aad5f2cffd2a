"""Recognise and read the columns that only judges see, such as paid and note, in several languages."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from core.tournament.state.names import fold_name, printable
from station.imports.findings import PrivateFacts, PrivateField

_TITLES: Final[Mapping[PrivateField, tuple[str, ...]]] = {
    PrivateField.PAID: (
        "paid", "payment", "fee", "fee paid", "entry fee", "paid?", "pagato", "pagata", "pagamento", "quota",
        "quota pagata", "bezahlt", "zahlung", "startgeld", "gezahlt", "paye", "payee", "paiement", "regle",
        "pagado", "pagada", "pago",
    ),
    PrivateField.NOTE: (
        "note", "notes", "comment", "comments", "remark", "remarks", "nota", "annotazioni", "commenti",
        "commento", "notiz", "notizen", "bemerkung", "bemerkungen", "anmerkung", "anmerkungen", "kommentar",
        "remarque", "remarques", "commentaire", "commentaires", "notas", "comentario", "comentarios",
        "observaciones", "allergies", "allergie", "allergien", "alergias",
    ),
    PrivateField.EMAIL: (
        "email", "e mail", "mail", "email address", "e mail address", "posta elettronica", "indirizzo email",
        "indirizzo e mail", "e mail adresse", "emailadresse", "mailadresse", "courriel", "adresse email",
        "adresse e mail", "adresse mail", "correo", "correo electronico", "direccion de correo",
    ),
    PrivateField.NEWCOMER: (
        "newcomer", "new", "beginner", "rookie", "first time", "nuovo", "nuova", "esordiente", "debuttante",
        "principiante", "neuling", "anfanger", "neu", "nouveau", "nouvelle", "debutant", "debutante", "nuevo",
        "nueva", "novato", "novata",
    ),
}  # fmt: skip
_FIELDS: Final = {fold_name(title): one for one, titles in _TITLES.items() for title in titles}
_YES: Final = frozenset(
    ("x", "y", "yes", "paid", "true", "ok", "s", "si", "pagato", "pagata", "vero", "j", "ja", "bezahlt",
     "wahr", "o", "oui", "paye", "payee", "vrai", "pagado", "pagada", "verdadero", "✓", "✔", "☑", "☒")
)  # fmt: skip
_AMOUNT: Final = re.compile(
    r"(?:eur|€|\$|£|chf)?\s*([0-9]+(?:[.,][0-9]{1,2})?)\s*(?:eur|€|\$|£|chf|,-)?", re.IGNORECASE
)
_EMAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s]{1,180}\.[^@\s.]{2,}")
LONGEST_NOTE: Final = 500


def is_email(text: str) -> bool:
    return _EMAIL.fullmatch(text) is not None


def private_columns(titles: Sequence[str], wanted: frozenset[PrivateField]) -> Mapping[PrivateField, int]:
    """Return the column of each wanted fact, from 0; of several columns for a fact, the first."""
    columns: dict[PrivateField, int] = {}
    for place, title in enumerate(titles):
        field = _FIELDS.get(fold_name(re.sub(r"[\W_]+", " ", title).strip()))
        if field in wanted and field is not None:
            columns.setdefault(field, place)
    return columns


def read_facts(cells: Sequence[str], columns: Mapping[PrivateField, int]) -> PrivateFacts:
    """Read a player's private facts. The e-mail address may be wrong."""
    texts = {one: cells[place].strip() for one, place in columns.items() if place < len(cells)}
    note = printable(" ".join(texts.get(PrivateField.NOTE, "").split()))[:LONGEST_NOTE]
    email = texts.get(PrivateField.EMAIL, "").removeprefix("mailto:")
    paid, newcomer = (_is_yes(texts.get(one, "")) for one in (PrivateField.PAID, PrivateField.NEWCOMER))
    return PrivateFacts(paid, note, email, newcomer)


def _is_yes(text: str) -> bool:
    """Return whether a cell means yes, or is the amount of a paid fee; what isn't recognised does not."""
    amount = _AMOUNT.fullmatch(text)
    if amount is not None:
        return float(amount[1].replace(",", ".")) > 0
    return fold_name(text) in _YES or text in _YES
