"""The errors of Saloon. Their types determine who is informed.

::

    SaloonError
    ├── Refused        a rule forbids it: inform the person, in their language
    ├── BadData        a file, form or setting is wrong: name it, the place and the remedy
    ├── PeerFault      the other end broke the protocol: close the connection and count
    ├── Unavailable    something is temporarily unavailable: try later
    └── OurFault       a bug of ours: log all of it
"""

from collections.abc import Mapping
from enum import Enum


class SaloonError(Exception):
    """The base class of all errors."""


class Refused(SaloonError, ValueError):
    """A rule forbids a command; nothing has changed.

    reason: a member of an enum of reasons, whose value is the English sentence and the translation key.
    fields: values for the sentence's braces. Instead of an enum's member, people see its translated name.
    """

    def __init__(self, reason: Enum, **fields: object) -> None:
        self.reason = reason
        self.fields: Mapping[str, object] = fields
        super().__init__(str(reason.value).format(**{name: _plain(value) for name, value in fields.items()}))


def _plain(value: object) -> object:
    return str(value.value).replace("_", " ") if isinstance(value, Enum) else value


class BadData(SaloonError, ValueError):
    """Data written by people or programs that can't be parsed or is invalid.

    where: the file, line, key or field.
    problem: what is wrong there, and what to do.
    """

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")


class PeerFault(SaloonError):
    """The other end of a wire violated the protocol; the connection is closed and counted."""


class Unavailable(SaloonError, OSError):
    """A cable, disk or service is temporarily unavailable; trying again later may work."""


class OurFault(SaloonError, RuntimeError):
    """A state that our own code should have made impossible."""
