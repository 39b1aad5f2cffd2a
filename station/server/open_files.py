"""The limit on open files and connections of this process."""

import resource

import structlog

_log = structlog.get_logger()


def raise_open_files() -> int:
    """Raise the limit of open files to what the system allows; return it.

    The default of 1,024 is too low for a station: its connections would use it up, and then it could serve
    neither pages nor terminals.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError) as error:
        _log.warning("the limit of open files stays", limit=soft, problem=str(error))
        return soft
    return hard
