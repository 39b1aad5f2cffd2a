"""The gettext catalogues of the user interfaces.

``extract`` collects messages, ``update`` and ``compile`` process all languages, ``begin ROOM LANGUAGE`` adds
a language, ``report`` shows how complete each is.
"""

import ast
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from pathlib import Path

from babel.messages.pofile import read_po

from core.game.state.reasons import GameReason
from core.tournament.state.reasons import TournamentReason
from station.accounts.api_tokens import ApiTokenRefusal
from station.accounts.invitations import FirstJudgeRefusal, InvitationRefusal
from station.accounts.judges import AccountRefusal
from station.appliance.appliance import ApplianceRefusal
from station.audit import AuditKind
from station.backups.sealed_backup import BackupRefusal
from station.calls.service import CallRefusal
from station.devices.service import DeviceRefusal
from station.enrolment.enrolments import EnrolmentRefusal
from station.hall.tournaments import ArchiveRefusal
from station.imports.findings import CsvProblem as ListProblem
from station.messages.service import MessageRefusal
from station.offline.service import ParcelRefusal as IntakeProblem
from station.paper.certificates import LetterheadRefusal
from station.paper.papers import PaperRefusal
from station.paper.worker import PaperFailure
from station.players.service import DeskRefusal
from station.projectors.service import ProjectorRefusal
from station.rehearsals.runner import RehearsalReason
from station.seasons.service import SeasonRefusal
from station.sign_in.service import SignInRefusal
from station.terminals.service import RemoteRefusal
from station.text.reasons import Done, FormReason, Missing, NotNow
from station.tournaments.documents import DocumentRefusal
from station.web.long_tasks import TaskRefusal, TaskStep
from sync.enrolment.provisioning_keys import Fault
from sync.ports.findings import Finding
from sync.update.bundle import BundleFault

ROOT = Path(__file__).parents[1]
CATALOGUES = {
    "kiosk": ("core", "kiosk", "hardware"),
    "station": ("core", "station"),
}
"""The catalogues, with the folders that contain their messages."""
LEFT_OUT = {"kiosk": "text", "station": "locale"}
"""Folders whose messages a catalogue leaves out; tables show only the brief texts of the rules."""
ENUMS: dict[str, tuple[type[Enum], ...]] = {
    "kiosk": (Fault, Finding, GameReason),
    "station": (
        Fault,
        Finding,
        GameReason,
        TournamentReason,
        ListProblem,
        IntakeProblem,
        RehearsalReason,
        FormReason,
        FirstJudgeRefusal,
        SignInRefusal,
        CallRefusal,
        MessageRefusal,
        RemoteRefusal,
        DeviceRefusal,
        ApplianceRefusal,
        AccountRefusal,
        ApiTokenRefusal,
        InvitationRefusal,
        BackupRefusal,
        ArchiveRefusal,
        DocumentRefusal,
        EnrolmentRefusal,
        LetterheadRefusal,
        PaperRefusal,
        PaperFailure,
        DeskRefusal,
        ProjectorRefusal,
        SeasonRefusal,
        TaskRefusal,
        TaskStep,
        AuditKind,
        NotNow,
        Missing,
        Done,
        BundleFault,
    ),
}
"""Enums whose values are shown to people and translated, though not marked in the code."""


def _babel(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", *arguments], check=True, cwd=ROOT)


def _template(room: str) -> str:
    return f"{room}/locale/{room}.pot"


def extract() -> None:
    """Collect the messages of each catalogue in its template."""
    for room, folders in CATALOGUES.items():
        (ROOT / room / "locale").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as spare:
            brief = _brief_calls(ROOT / "core" / "text") if room == "kiosk" else ()
            _write_values(Path(spare) / "values.py", ENUMS[room], brief)
            _babel(
                "-q", "extract", "-F", "tools/babel.cfg", "-k", "_", "-k", "ngettext:1,2", "-k", "Audit:1",
                "-k", "brief:1", "--no-location", "--ignore-dirs", LEFT_OUT[room], "--sort-output",
                "--omit-header", "-o", _template(room), *folders, spare,
            )  # fmt: skip


def _brief_calls(folder: Path) -> Iterator[str]:
    """Yield the calls that mark messages for the tables among the texts of the rules."""
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("brief") | ast.Attribute(attr="brief"), [ast.Constant(), *_]):
                    yield ast.unparse(node)
                case ast.Call(ast.Name("Brief"), [ast.Call()]):
                    yield ast.unparse(node)
                case _:
                    pass


def _write_values(path: Path, enums: Iterable[type[Enum]], calls: Iterable[str]) -> None:
    lines = [f"_({member.value!r})" for enum in enums for member in enum if member.value]
    path.write_text("\n".join([*lines, *calls]) + "\n", encoding="utf-8")


def update() -> None:
    """Update each catalogue's languages from its template."""
    extract()
    for room in CATALOGUES:
        _babel(
            "-q", "update", "-i", _template(room), "-d", f"{room}/locale", "-D", room, "--no-fuzzy-matching",
            "--ignore-obsolete", "-w", "100",
        )  # fmt: skip


def compile_all() -> None:
    """Compile the catalogues."""
    for room in CATALOGUES:
        if any((ROOT / room / "locale").glob("*/LC_MESSAGES/*.po")):
            _babel("-q", "compile", "-d", f"{room}/locale", "-D", room)


def begin(room: str, language: str) -> None:
    """Create the catalogue of a new language, without translations."""
    extract()
    _babel("-q", "init", "-i", _template(room), "-d", f"{room}/locale", "-D", room, "-l", language)


def report() -> None:
    """Print how many messages of each catalogue are translated into each language."""
    for room in CATALOGUES:
        wanted = _messages(ROOT / _template(room))
        for path in sorted((ROOT / room / "locale").glob(f"*/LC_MESSAGES/{room}.po")):
            found = _messages(path)
            have = sum(all(found.get(message, ("",))) for message in wanted)
            language = path.parents[1].name
            print(f"{room:8} {language}  {have:4} of {len(wanted)}  {have / len(wanted):.0%}")


def _messages(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the translations of each message by its English singular."""
    with path.open("rb") as file:
        return {
            (message.id if isinstance(message.id, str) else message.id[0]): (
                (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))
            )
            for message in read_po(file)
            if message.id
        }


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {
        "extract": extract,
        "update": update,
        "compile": compile_all,
        "begin": begin,
        "report": report,
    }
    commands[sys.argv[1]](*sys.argv[2:])
