"""``saloon-terminal doctor``: diagnose the terminal and its connection to the station."""

import datetime as dt
import json
import locale
import os
import sys
import time
from pathlib import Path
from typing import Final, TypedDict, Unpack

import click
import msgspec

from base.command_line import default_folder
from base.errors import SaloonError
from base.languages import LANGUAGES
from base.terminal_text import echo
from kiosk.i18n import Words
from sync.checkup import Check, ExaminedTerminal, Grade, checks
from sync.enrolment.provisioning import Provisioning, read_provisioning
from sync.ports.mdns import hear_stations
from sync.terminal.status import running_status

_SIGNS: Final = {Grade.FINE: "✓", Grade.NOTE: "·", Grade.WRONG: "✗"}
_COLOURS: Final = {Grade.FINE: "green", Grade.NOTE: None, Grade.WRONG: "red"}
FINE, WRONG, CANNOT_LOOK = 0, 1, 2


class _Given(TypedDict):
    data: Path | None
    provisioning: Path | None
    serial_device: tuple[str, ...]
    stations: tuple[str, ...]
    language: str | None
    listen: bool
    as_json: bool


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Folder of the journal and the keys; by default the terminal's.",
)
@click.option("--provisioning", type=click.Path(path_type=Path), help="Use this provisioning file instead.")
@click.option("--serial", "serial_device", multiple=True, metavar="DEVICE", help="A cable to check.")
@click.option("--station", "stations", multiple=True, metavar="HOST:PORT", help="An address to check.")
@click.option("--language", type=click.Choice(list(LANGUAGES)), help="Language of the report.")
@click.option("--listen/--no-listen", default=True, help="Listen for stations in the hall for 3 s.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object, for programs.")
def doctor(**options: Unpack[_Given]) -> None:
    """Check the terminal and its connection to the station, and report what is wrong.

    Nothing is changed, and a running terminal is not disturbed. Exit status 0 when all is fine, 1 when
    something is wrong, 2 when it could not check.
    """
    words = Words(options["language"] or _language())
    results: list[Check] = []
    try:
        for check in checks(_terminal(options), dt.datetime.now(dt.UTC)):
            results.append(check)
            if not options["as_json"]:
                _say(check, words)
    except (SaloonError, OSError) as error:
        echo(f"saloon-terminal: {error}", err=True)
        sys.exit(CANNOT_LOOK)
    if options["as_json"]:
        echo(_json(results, words))
    else:
        _say_figures(results, words)
    sys.exit(WRONG if any(check.grade is Grade.WRONG for check in results) else FINE)


def _terminal(options: _Given) -> ExaminedTerminal:
    data = options["data"] or default_folder("terminal")
    if not data.is_dir():
        raise NotADirectoryError(f"{data}: there is no such data folder; name it with --data")
    station = _station(options["provisioning"], data)
    running = running_status(data, int(time.time()))
    announced = None
    if options["listen"] and station is not None:
        announced = hear_stations(station.station.certificate, "[station] certificate")
    return ExaminedTerminal(data, station, running, options["serial_device"], options["stations"], announced)


def _station(provisioning: Path | None, data: Path) -> Provisioning | None:
    for file in (provisioning, data / "provisioning.toml"):
        if file is not None and file.exists():
            return read_provisioning(file)
    return None


def _sentence(check: Check, words: Words) -> str:
    return words.gettext(check.finding.value).format(**check.fields)


def _say(check: Check, words: Words) -> None:
    sign = click.style(_SIGNS[check.grade], fg=_COLOURS[check.grade])
    echo(f"{check.what}: {_sentence(check, words)}", sign=sign)


def _say_figures(results: list[Check], words: Words) -> None:
    echo()
    echo(words.gettext("For an engineer:"))
    for check in results:
        figures = " ".join(f"{name}={value}" for name, value in check.figures.items())
        if figures or check.detail:
            echo("  " + "  ".join(filter(None, (f"{check.what}:", figures, check.detail))))


def _json(results: list[Check], words: Words) -> str:
    fields = [
        msgspec.to_builtins(check) | {"finding": check.finding.name.lower(), "words": _sentence(check, words)}
        for check in results
    ]
    return json.dumps({"fine": all(check.grade is not Grade.WRONG for check in results), "checks": fields})


def _language() -> str:
    said = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return next((code for code in LANGUAGES if said.startswith(code)), "en")
