"""Counts in words."""


def counted(number: int, one: str, many: str = "") -> str:
    """Format a count: `1 line`, `2 lines`; `many` is an irregular plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
