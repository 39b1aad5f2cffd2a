"""The apt sources of the building machine, in both of apt's formats. An image uses Debian's."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from base.errors import BadData

FIRMWARE = "non-free-firmware"
_KEYRING = "debian-archive-"
_RELEASES = {"bullseye", "bookworm", "trixie", "forky", "duke"}
_COMPONENTS = {"main", "contrib", "non-free", FIRMWARE}


class Source(msgspec.Struct, frozen=True):
    """An archive of packages. ``keyring`` is empty for apt's own."""

    uris: tuple[str, ...]
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str = ""

    def stanza(self) -> str:
        """Return the source in deb822 format."""
        lines = [
            "Types: deb",
            f"URIs: {' '.join(self.uris)}",
            f"Suites: {' '.join(self.suites)}",
            f"Components: {' '.join(self.components)}",
        ]
        if self.signed_by:
            lines.append(f"Signed-By: {self.signed_by}")
        return "\n".join(lines) + "\n"


def one_line_sources(text: str) -> Iterator[Source]:
    """Yield the enabled ``deb`` lines of a ``*.list`` file."""
    for line in text.splitlines():
        words = re.fullmatch(r"\s*deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<rest>[^#]+)(?:#.*)?", line)
        if words is None:
            continue
        uri, suite, *components = words["rest"].split()
        options = dict(
            option.split("=", 1) for option in shlex.split(words["options"] or "") if "=" in option
        )
        yield Source((uri,), (suite,), tuple(components), options.get("signed-by", ""))


def _fields(stanza: str) -> Mapping[str, str]:
    """Return the fields of a deb822 stanza by lower-case name; values include their continuation lines."""
    fields: dict[str, str] = {}
    name = ""
    for line in stanza.splitlines():
        if line.startswith("#"):
            continue
        if line[:1].isspace():
            fields[name] = f"{fields.get(name, '')}\n{line}"
        elif ":" in line:
            name, value = line.split(":", 1)
            name = name.strip().lower()
            fields[name] = value.strip()
    return fields


def deb822_sources(text: str) -> Iterator[Source]:
    """Yield the enabled ``deb`` stanzas of a ``*.sources`` file."""
    for stanza in re.split(r"\n\s*\n", text):
        fields = _fields(stanza)
        enabled = fields.get("enabled", "yes").lower() not in {"no", "false", "0"}
        if not enabled or "deb" not in fields.get("types", "").split():
            continue
        yield Source(
            tuple(fields.get("uris", "").split()),
            tuple(fields.get("suites", "").split()),
            tuple(fields.get("components", "").split()),
            fields.get("signed-by", ""),
        )


def for_suite(sources: Iterator[Source], suite: str) -> tuple[Source, ...]:
    """Return the sources of Debian's suite, its updates and security, and add the firmware component.

    Backports are left out, and so are third parties' sources, which are recognised by another suite name or a
    component that Debian does not have.
    """
    chosen = []
    for source in sources:
        suites = tuple(s for s in source.suites if s in {suite, f"{suite}-updates", f"{suite}-security"})
        known = set(source.components) <= _COMPONENTS and "main" in source.components
        if suites and known:
            components = tuple(dict.fromkeys(("main", FIRMWARE)))
            chosen.append(Source(source.uris, suites, components, source.signed_by))
    return tuple(dict.fromkeys(chosen))


def of_other_suite(sources: Iterator[Source], suite: str) -> Iterator[Source]:
    """Yield Debian's sources of another suite, with its name replaced by this one.

    Debian's archive has all suites at one address, but a third party's, recognised by its own keyring, may
    not.
    """
    for source in sources:
        parts = [name.partition("-") for name in source.suites]
        suites = dict.fromkeys(f"{suite}{dash}{pocket}" for name, dash, pocket in parts if name in _RELEASES)
        if not source.signed_by or _KEYRING in source.signed_by:
            yield msgspec.structs.replace(source, suites=tuple(suites))


def sources_of(apt: Path, suite: str) -> tuple[Source, ...]:
    """Return the sources in a folder such as ``/etc/apt`` that offer Debian's suite.

    On a machine with another Debian release, the suite is expected at the same addresses. Raises BadData if
    no source is Debian's.
    """
    files = [apt / "sources.list", *sorted((apt / "sources.list.d").glob("*"))]
    found: list[Source] = []
    for file in files:
        if file.is_file() and file.suffix in {".list", ".sources"}:
            text = file.read_text(encoding="utf-8")
            found += deb822_sources(text) if file.suffix == ".sources" else one_line_sources(text)
    chosen = for_suite(iter(found), suite) or for_suite(of_other_suite(iter(found), suite), suite)
    if not any(suite in source.suites for source in chosen):
        raise BadData(
            str(apt),
            f"no apt source of Debian {suite} here; write one into a folder and name the folder with --apt:"
            f" a file sources.list with the line: deb [signed-by=KEYRING] ARCHIVE {suite} main",
        )
    return chosen


def rendered(sources: tuple[Source, ...]) -> str:
    return "\n".join(source.stanza() for source in sources)
