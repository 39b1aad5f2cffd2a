"""The places from which a machine gets its packages, in both formats of apt."""

from pathlib import Path

import pytest

from base.errors import BadData
from image.recipe.packages.apt_sources import (
    Source,
    deb822_sources,
    for_suite,
    one_line_sources,
    rendered,
    sources_of,
)

ONE_LINE = """
# deb http://old.example/debian bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/debian.gpg] http://a.example/debian bookworm main contrib # x
deb-src http://a.example/debian bookworm main
deb http://a.example/debian bookworm-backports main
deb http://b.example/security bookworm-security main
deb https://tools.example/apt stable tools
"""

DEB822 = """# a remark
Types: deb deb-src
URIs: http://a.example/debian
 http://c.example/debian
Suites: bookworm bookworm-updates bookworm-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main

Types: deb
URIs: https://node.example/x
Suites: nodistro
Components: main
"""


def test_lines_of_the_old_format_are_read() -> None:
    sources = list(one_line_sources(ONE_LINE))
    assert sources[0] == Source(
        ("http://a.example/debian",),
        ("bookworm",),
        ("main", "contrib"),
        "/usr/share/keyrings/debian.gpg",
    )
    assert [source.suites[0] for source in sources] == [
        "bookworm",
        "bookworm-backports",
        "bookworm-security",
        "stable",
    ]


def test_stanzas_of_the_new_format_are_read_and_disabled_ones_are_not() -> None:
    sources = list(deb822_sources(DEB822))
    assert sources[0].uris == ("http://a.example/debian", "http://c.example/debian")
    assert sources[0].suites == ("bookworm", "bookworm-updates", "bookworm-backports")
    assert [source.uris[0] for source in sources] == ["http://a.example/debian", "https://node.example/x"]


def test_a_key_within_a_stanza_stays_whole() -> None:
    head = "Types: deb\nURIs: http://a.example\nSuites: bookworm\nComponents: main\n"
    text = f"{head}Signed-By:\n -----BEGIN\n .\n x\n"
    (source,) = deb822_sources(text)
    assert "Signed-By: \n -----BEGIN\n .\n x" in source.stanza()
    assert list(deb822_sources(source.stanza())) == [source]


def test_only_debians_suite_is_used_again_and_firmware_is_added() -> None:
    everything = [*one_line_sources(ONE_LINE), *deb822_sources(DEB822)]
    chosen = for_suite(iter(everything), "bookworm")
    assert {suite for source in chosen for suite in source.suites} == {
        "bookworm",
        "bookworm-updates",
        "bookworm-security",
    }
    assert all(source.components == ("main", "non-free-firmware") for source in chosen)
    assert "example/x" not in rendered(chosen)


def test_what_is_written_is_what_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text(ONE_LINE, encoding="utf-8")
    (tmp_path / "sources.list.d/debian.sources").write_text(DEB822, encoding="utf-8")
    (tmp_path / "sources.list.d/off.list.disabled").write_text("deb http://no.example bookworm main")
    chosen = sources_of(tmp_path, "bookworm")
    assert tuple(deb822_sources(rendered(chosen))) == chosen
    assert "no.example" not in rendered(chosen)


def test_a_machine_with_another_debian_asks_the_same_archive_for_the_suite(tmp_path: Path) -> None:
    third = "deb [signed-by=/usr/share/keyrings/board.gpg] http://board.example/debian bookworm main\n"
    (tmp_path / "sources.list").write_text(ONE_LINE.replace("debian.gpg", "debian-archive-x.gpg") + third)
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d/debian.sources").write_text(DEB822, encoding="utf-8")
    chosen = sources_of(tmp_path, "trixie")
    assert {suite for source in chosen for suite in source.suites} == {
        "trixie",
        "trixie-updates",
        "trixie-security",
    }
    assert {uri for source in chosen for uri in source.uris} == {
        "http://a.example/debian",
        "http://b.example/security",
        "http://c.example/debian",
    }


def test_a_machine_without_debians_sources_is_told_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="--apt"):
        sources_of(tmp_path, "bookworm")
