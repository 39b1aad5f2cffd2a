"""How many files and connections this process may have open."""

import resource

import structlog

_log = structlog.get_logger()


def raise_open_files() -> int:
    """Raise the limit of open files to what the system allows; return it.

    Systems give a process 1,024 by default, for programs that a station is not: its connections would
    use that up, and then neither pages nor terminals could be answered.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError) as error:
        _log.warning("the limit of open files stays", limit=soft, problem=str(error))
        return soft
    return hard
