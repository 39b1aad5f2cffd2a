"""Texts about the connection and the provisioning file, also used by ``doctor``."""

from kiosk.i18n import Words
from kiosk.scenes.scene import SceneContext
from kiosk.view.table_view import FileProblem
from sync.terminal.agent_contract import LinkPhase, LinkReport


def file_words(words: Words, problem: FileProblem) -> str:
    """Explain what is wrong in a file, and what is allowed there."""
    if problem.fault is None:
        said = words.gettext("It couldn't be read or written. System message: {detail}")
        return said.format(detail=problem.detail)
    said = words.gettext(problem.fault.value).format(**dict(problem.fields))
    return f"{problem.key}: {said}" if problem.key else said[:1].upper() + said[1:]


def file_notice(words: Words, problem: FileProblem) -> str:
    """Return one sentence about an invalid file, for a terminal that can work without it."""
    _ = words.gettext
    said = file_words(words, problem)
    if problem.line:
        return _("The file on the card can't be used. Line {line}: {problem}").format(
            line=problem.line, problem=said
        )
    return _("The file on the card can't be used. {problem}").format(problem=said)


_MINUTE_S = 60
_MOMENT_S = 10


def phase_words(stage: SceneContext, report: LinkReport) -> str:
    """Describe the connection in one line: connected, searching or refused."""
    _ = stage.words.gettext
    match report.phase:
        case LinkPhase.CONNECTED:
            by_cable = report.way.startswith("serial ")
            if by_cable:
                return _("Connected by cable")
            return _("Connected to {address}").format(address=report.way.removeprefix("tcp "))
        case LinkPhase.REVOKED:
            return _("No longer recognised")
        case LinkPhase.REFUSED:
            return _("Not accepted")
        case LinkPhase.NOT_ENROLLED:
            return _("Not enrolled")
        case LinkPhase.SEARCHING:
            return _("Looking for the station")


def age_words(stage: SceneContext, report: LinkReport) -> str:
    """Describe how long ago the station was last heard."""
    _ = stage.words.gettext
    if report.heard_at_ms is None:
        return _("No contact with the station since startup")
    age_s = max(0, stage.table.now_ms - report.heard_at_ms) // 1000
    if age_s < _MOMENT_S:
        return _("Last contact: just now")
    return _("Last contact: {age} ago").format(age=format_duration(stage.words, age_s))


def format_duration(words: Words, seconds: int) -> str:
    """Format a short duration: ``12 s``, ``3 min``."""
    if seconds < _MINUTE_S:
        return words.gettext("{n} s").format(n=seconds)
    return words.gettext("{n} min").format(n=seconds // _MINUTE_S)


def finding_words(stage: SceneContext, report: LinkReport) -> str:
    """Explain why the last attempt to connect failed, or an empty string if it succeeded."""
    if report.finding is None:
        return ""
    return stage.words.gettext(report.finding.value).format(**report.fields)


def counter_words(stage: SceneContext, report: LinkReport) -> str:
    """Describe the connection's counters in one line, for engineers."""
    _ = stage.words.gettext
    delivery = stage.table.delivery
    words = _("not received {owes} · attempts {tries} · connections {connections}").format(
        owes=delivery.entered - delivery.received, tries=report.tries, connections=report.connections
    )
    figures = report.figures
    if figures is not None:
        words += " · " + _("frames {sent}, resent {again}, invalid {invalid}, {srtt} ms").format(
            sent=figures.frames_sent,
            again=figures.frames_sent_again,
            invalid=figures.frames_invalid,
            srtt=figures.srtt_ms,
        )
    return words
