"""What a wrong panel file is told by; apart from what reads one, which a first picture needs not."""


class WiringFault(ValueError):
    """A panel file is wrong. where: file, line and key. problem: what is wrong and what is allowed."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")
