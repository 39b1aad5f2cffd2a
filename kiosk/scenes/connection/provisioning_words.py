"""Faults of the provisioning file in the table's language."""

from saloon.kiosk.i18n import Words
from saloon.kiosk.view.table_view import FileProblem


def file_words(words: Words, problem: FileProblem) -> str:
    """Return what is wrong, and what is allowed there."""
    if problem.fault is None:
        said = words.gettext("It couldn't be read or written. System message: {detail}")
        return said.format(detail=problem.detail)
    said = words.gettext(problem.fault.value).format(**dict(problem.fields))
    return f"{problem.key}: {said}" if problem.key else said[:1].upper() + said[1:]


def file_notice(words: Words, problem: FileProblem) -> str:
    """Return one sentence about a faulty file, for a terminal that works without it."""
    _ = words.gettext
    said = file_words(words, problem)
    if problem.line:
        return _("The file on the card can't be used. Line {line}: {problem}").format(
            line=problem.line, problem=said
        )
    return _("The file on the card can't be used. {problem}").format(problem=said)
