"""A client for the station's HTML pages, which reads pages and submits forms."""

import ssl
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import httpx
from msgspec import Struct

_PATIENCE_S = 30.0


class PageTrouble(RuntimeError):
    """An error response, or a page without the expected form."""


class Form(Struct, frozen=True):
    """A form on a page: its target and its current values."""

    action: str
    method: str
    fields: Mapping[str, str]


class ParsedPage(Struct, frozen=True):
    """A page with its forms."""

    url: str
    html: str
    forms: tuple[Form, ...]

    def form(self, action_end: str) -> Form:
        """Return the form whose action ends with this text. Raises PageTrouble if there is none."""
        for form in self.forms:
            if form.action.split("?")[0].endswith(action_end):
                return form
        offered = ", ".join(form.action for form in self.forms) or "none"
        raise PageTrouble(f"{self.url} has no form to …{action_end}; its forms: {offered}")

    def has_form(self, action_end: str) -> bool:
        return any(form.action.split("?")[0].endswith(action_end) for form in self.forms)


class _Forms(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._open: tuple[str, str] | None = None
        self._fields: dict[str, str] = {}
        self._select = ""
        self._takes_text = False
        self.forms: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self._url, attributes.get("action", ""))
            self._open = (action, attributes.get("method", "get").lower())
            self._fields = {}
        elif tag == "input" and self._open and attributes.get("name"):
            if attributes.get("type") in {"checkbox", "radio"} and "checked" not in attributes:
                return
            if attributes.get("type") not in {"submit", "file"}:
                self._fields[attributes["name"]] = attributes.get("value", "")
        elif tag == "select" and self._open:
            self._select = attributes.get("name", "")
            self._fields[self._select] = ""
        elif tag == "option" and self._select and "selected" in attributes:
            self._fields[self._select] = attributes.get("value", "")
            self._takes_text = "value" not in attributes

    def handle_data(self, data: str) -> None:
        if self._takes_text and self._select:
            self._fields[self._select] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "option":
            self._takes_text = False
        if tag == "select":
            self._select = ""
        if tag == "form" and self._open:
            self.forms.append(Form(*self._open, self._fields))
            self._open = None


class Pages:
    """An HTTP session with a station's pages.

    base: URL of the station.
    name: host name to send, if it differs from the URL's.
    trust: certificates to trust instead of the default ones.
    """

    def __init__(self, base: str, *, name: str = "", trust: ssl.SSLContext | None = None) -> None:
        self._client = httpx.Client(
            base_url=base,
            follow_redirects=True,
            timeout=_PATIENCE_S,
            headers={"Host": name} if name else None,
            verify=True if trust is None else trust,
        )

    def close(self) -> None:
        self._client.close()

    def is_up(self) -> bool:
        """Return whether the station answers at all."""
        try:
            return self._client.get("/").is_success
        except httpx.TransportError:
            return False

    def get(self, path: str) -> ParsedPage:
        """Return a page. Raises PageTrouble if the station answers with an error or not at all."""
        return self._page(self._answer("GET", path))

    def download(self, path: str) -> bytes:
        return _content(self._answer("GET", path))

    def send(
        self, form: Form, values: Mapping[str, str] | None = None, **files: tuple[str, bytes]
    ) -> ParsedPage:
        """Submit a form with some values changed, and return the page that follows."""
        data = {**form.fields, **(values or {})}
        if form.method == "get":
            return self._page(self._answer("GET", form.action, params=data))
        return self._page(self._answer("POST", form.action, data=data, files=files or None))

    def send_for_file(self, form: Form, values: Mapping[str, str] | None = None) -> bytes:
        return _content(self._answer("POST", form.action, data={**form.fields, **(values or {})}))

    def _answer(self, method: str, path: str, **content: Any) -> httpx.Response:
        try:
            return self._client.request(method, path, **content)
        except httpx.TransportError as error:
            raise PageTrouble(f"{path}: {type(error).__name__}: {error}") from error

    def _page(self, answer: httpx.Response) -> ParsedPage:
        url = str(answer.url)
        if not answer.is_success:
            main = answer.text.rpartition("<main")[2]
            raise PageTrouble(f"{url}: status {answer.status_code}\n{main[:2000]}")
        reader = _Forms(url)
        reader.feed(answer.text)
        return ParsedPage(url, answer.text, tuple(reader.forms))


def _content(answer: httpx.Response) -> bytes:
    if not answer.is_success:
        raise PageTrouble(f"{answer.url}: status {answer.status_code}")
    return answer.content
