"""How many there are, in words."""


def counted(number: int, one: str, many: str = "") -> str:
    """Say how many there are: `1 line`, `2 lines`; `many` where it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
