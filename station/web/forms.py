"""The values of a submitted form, in which a missing field is an empty one."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote_plus

import msgspec
from litestar.datastructures import FormMultiDict, UploadFile

from base.errors import Refused
from base.right_to_left import without_isolates
from core.terms import Dollars, TableNo
from core.tournament.state.tournament import Waivers
from station.text.reasons import FormReason
from station.web.pages import DeclaredPage
from station.web.site import PageRequest, recorded_facts

_CSRF_FIELD = "_csrf_token"
_LONGEST_NUMBER = 6
_LONGEST_TIME = 15
_LONGEST_TEXT: Final = 16 * 1024
_LARGEST_KEPT: Final = 60 * 1024
"""The most bytes of a kept form, which must fit into the login form."""
SECRET_FIELDS: Final = frozenset({"password", "again", "current", "new", "passphrase", "wifi-password"})
"""The password fields of all forms."""
_DOLLARS: Final = re.compile(r"\$? ?([0-9]{1,6}|[1-9][0-9]{0,2}[.,' \u2019\u00a0\u202f][0-9]{3})")
"""An amount, with thousands separators of any language: ``1.500``, ``1,500`` or ``1 500``."""


class KeptForm(msgspec.Struct, frozen=True):
    """A judge's form that was sent after its session had ended; pages keep it through the login.

    route: its method and path.
    path: the parameters in its path.
    secrets, files: the names of filled fields whose content is not kept.
    """

    action: str
    route: str
    path: Mapping[str, str]
    fields: tuple[tuple[str, str], ...]
    secrets: tuple[str, ...]
    files: tuple[str, ...]


def kept_form(text: str, pages: Mapping[str, DeclaredPage]) -> KeptForm | None:
    """Parse the text of ``Fields.keep``; return None for anything else. ``pages`` are by method and path."""
    try:
        form = msgspec.json.decode(text, type=KeptForm)
    except msgspec.DecodeError:
        return None
    page = pages.get(form.route)
    is_form = page is not None and page.audit is not None
    return form if is_form and form.action.startswith("/judge/") else None


class FaultyForm(Refused):
    """All faults of a form, each with the name of its field. As an error it is the first one."""

    def __init__(self, faults: Sequence[tuple[str, Refused]]) -> None:
        first = faults[0][1]
        super().__init__(first.reason, **first.fields)
        self.faults = faults


class FormFaults:
    """The faults that were found while a form was read, to show all of them at once."""

    def __init__(self) -> None:
        self.all: list[tuple[str, Refused]] = []

    def add(self, field: str, reason: FormReason, **fields: object) -> None:
        self.all.append((field, Refused(reason, **fields)))

    @contextlib.contextmanager
    def collect(self, field: str) -> Iterator[None]:
        """Keep a refusal as the fault of a field, and go on."""
        try:
            yield
        except Refused as refusal:
            self.all.append((field, refusal))

    def refuse(self) -> None:
        """Raise FaultyForm if there are faults."""
        if self.all:
            raise FaultyForm(self.all)


class Fields:
    """The fields of a submitted form."""

    def __init__(self, form: FormMultiDict) -> None:
        self._form = form

    def keep(self, request: PageRequest) -> str:
        """Return the form as text for the login page, or "" if it is too large."""
        fields = [(name, value) for name, value in self._form.items() if name != _CSRF_FIELD]
        kept = KeptForm(
            action=f"{request.url.path}?{request.url.query}".rstrip("?"),
            route=f"POST {request.scope['path_template']}",
            path={name: str(value) for name, value in request.path_params.items()},
            fields=tuple(
                (name, value)
                for name, value in fields
                if isinstance(value, str) and not (value and name in SECRET_FIELDS)
            ),
            secrets=tuple(name for name, value in fields if value and name in SECRET_FIELDS),
            files=tuple(dict.fromkeys(name for name, value in fields if isinstance(value, UploadFile))),
        )
        text = msgspec.json.encode(kept).decode()
        return text if len(quote_plus(text)) <= _LARGEST_KEPT else ""

    def typed_values(self) -> dict[str, str]:
        """Return all fields except the CSRF token, to fill in the form again."""
        return {name: self.text(name) for name in self._form if name != _CSRF_FIELD}

    def raw(self, name: str) -> str:
        value = self._form.get(name, "")
        return value if isinstance(value, str) else ""

    def text(self, name: str) -> str:
        """Return a field with single spaces, truncated to a sensible length."""
        return " ".join(without_isolates(self.raw(name)[:_LONGEST_TEXT]).split())

    def number(self, name: str) -> int | None:
        """Return a whole number, or None for an empty field. Raises Refused."""
        text = self.text(name)
        if not text:
            return None
        if not text.isascii() or not text.isdigit() or len(text) > _LONGEST_NUMBER:
            raise Refused(FormReason.NO_NUMBER, text=text[:40])
        return int(text)

    def wall_ms(self, name: str) -> int:
        """Return a time in milliseconds since 1970, or 0 if it isn't one."""
        text = self.text(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_TIME else 0

    def dollars(self, name: str) -> Dollars:
        """Return an amount in whole dollars, or 0 for an empty field. Raises Refused."""
        text = self.text(name)
        match = _DOLLARS.fullmatch(text or "0")
        if match is None:
            raise Refused(FormReason.NO_DOLLARS, text=text[:40])
        return Dollars(int(re.sub("[^0-9]", "", match[1])))

    def table(self) -> TableNo | None:
        """Return the number in the field ``table``, or None if it is empty. Raises Refused."""
        number = self.number("table")
        return None if number is None else TableNo(number)

    def waivers(self) -> Waivers:
        """Return the waivers: rounds, time limit and cycles. Raises Refused."""
        return Waivers(
            rounds=self.number("rounds"),
            time_limit_min=self.number("time_limit_min"),
            cycles=self.number("cycles"),
        )

    def is_ticked(self, name: str) -> bool:
        return bool(self.raw(name))

    def file(self, name: str) -> UploadFile | None:
        value = self._form.get(name)
        return value if isinstance(value, UploadFile) else None


async def form_of(request: PageRequest) -> Fields:
    """Return the form in a request, and record its fields for the audit log."""
    fields = Fields(await request.form())
    recorded_facts(request).typed = fields.typed_values()
    return fields
