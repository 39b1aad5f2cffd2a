"""What was filled in, as clean values; a missing field is empty."""

from litestar.datastructures import FormMultiDict, UploadFile

from saloon.core.errors import Refused
from saloon.core.tournament.events import Waivers
from saloon.station.web.reasons import Reason
from saloon.station.web.site import PageRequest

_CSRF_FIELD = "_csrf_token"
_LONGEST_NUMBER = 6


class Fields:
    """The fields of a form that was sent."""

    def __init__(self, form: FormMultiDict) -> None:
        self._form = form

    def typed(self) -> dict[str, str]:
        """All fields as they can be proposed again; the token against forged forms is left out."""
        return {name: self.text(name) for name in self._form if name != _CSRF_FIELD}

    def raw(self, name: str) -> str:
        """A field as typed."""
        value = self._form.get(name, "")
        return value if isinstance(value, str) else ""

    def text(self, name: str) -> str:
        """A field with its white space tidied."""
        return " ".join(self.raw(name).split())

    def number(self, name: str) -> int | None:
        """A whole number; None for an empty field. Raises Refused for anything else."""
        text = self.text(name)
        if not text:
            return None
        if not text.isascii() or not text.isdigit() or len(text) > _LONGEST_NUMBER:
            raise Refused(Reason.NO_NUMBER, text=text[:40])
        return int(text)

    def waivers(self) -> Waivers:
        """Fewer rounds, a time limit, how often everybody is Sheriff. Raises Refused for no number."""
        return Waivers(
            rounds=self.number("rounds"),
            time_limit_min=self.number("time_limit_min"),
            cycles=self.number("cycles"),
        )

    def is_ticked(self, name: str) -> bool:
        """Whether a box is ticked."""
        return bool(self.raw(name))

    def file(self, name: str) -> UploadFile | None:
        """A file that was chosen."""
        value = self._form.get(name)
        return value if isinstance(value, UploadFile) else None


async def form_of(request: PageRequest) -> Fields:
    """The form of a request."""
    return Fields(await request.form())
