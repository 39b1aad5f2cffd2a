"""What was filled in, as clean values; a missing field is empty."""

from litestar.datastructures import FormMultiDict, UploadFile

from saloon.core.errors import BadData
from saloon.station.web.site import PageRequest


class Fields:
    """The fields of a form that was sent."""

    def __init__(self, form: FormMultiDict) -> None:
        self._form = form

    def names(self) -> tuple[str, ...]:
        """The names of all fields that were sent."""
        return tuple(self._form.keys())

    def raw(self, name: str) -> str:
        """A field as typed."""
        value = self._form.get(name, "")
        return value if isinstance(value, str) else ""

    def text(self, name: str) -> str:
        """A field with its white space tidied."""
        return " ".join(self.raw(name).split())

    def number(self, name: str) -> int | None:
        """A whole number; None for an empty field. Raises BadData for anything else."""
        text = self.text(name)
        if not text:
            return None
        if not text.isascii() or not text.isdigit():
            raise BadData(name, f"{text!r} is no whole number")
        return int(text)

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
