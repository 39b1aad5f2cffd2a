"""Dollars in words."""


def money(dollars: int) -> str:
    """Dollars for people."""
    return f"-${-dollars:,}" if dollars < 0 else f"${dollars:,}"
