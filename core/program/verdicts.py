"""What a worked case and the rules say of each other."""

import msgspec

from saloon.core.differences import Difference, differences
from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import with_options
from saloon.core.errors import BadData
from saloon.core.program.cases.kinds import case_of, placed
from saloon.core.program.cases.ranking_order import comparable
from saloon.core.program.overrides import overridden
from saloon.core.program.vectors import Vector, VectorFile


class Verdict(msgspec.Struct, frozen=True):
    """One vector's verdict. not_there: why it was not tried, "" when it was."""

    vector: str
    differences: tuple[Difference, ...] = ()
    not_there: str = ""

    @property
    def passed(self) -> bool:
        """Whether it was tried and nothing differs."""
        return not self.not_there and not self.differences


def verdict(
    file: VectorFile, vector: Vector, editions: tuple[Edition, ...], by: Edition | None = None
) -> Verdict:
    """The verdict on one vector; a flag of its config that is unknown is a difference.

    by: rules to judge by instead of those that the vector names.
    Raises BadData for a vector that cannot be read.
    """
    where = file.place(vector)
    known = [edition.key for edition in editions]
    place = placed(vector, known if by is None else [*known, by.key], where)
    if place.not_there:
        return Verdict(vector.id, not_there=place.not_there)
    edition = by or next(edition for edition in editions if edition.key == place.edition_key)
    if not vector.expected:
        raise BadData(where, "expected is missing: there is nothing to compare with")
    try:
        options = (*edition.chosen, *place.options)
        read = overridden(with_options(edition, options, where), vector.config, where)
    except BadData as error:
        flag = Difference("config", "flags and variants that the edition knows", str(error))
        return Verdict(vector.id, (flag,))
    expected, found = vector.expected, case_of(place.kind)(vector, read, where)
    if place.kind == "tie_breaks":
        return Verdict(vector.id, differences(*comparable(expected, found)))
    return Verdict(vector.id, differences(expected, found))
