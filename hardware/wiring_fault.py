"""The error for a wrong panel file, apart from its parser, which the first frame doesn't need."""


class WiringFault(ValueError):
    """A panel file is wrong.

    where: the file, line and key.
    problem: what is wrong and what is allowed.
    """

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")
