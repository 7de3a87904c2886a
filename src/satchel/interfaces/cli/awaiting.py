"""What commands say of memories that wait for a person's approval: the one place of these words."""

from __future__ import annotations

from satchel.core.trust import clean_line

#: The commands that list what waits, and let it in.
LIST, APPROVE = "satchel approve", "satchel approve ID"


def awaiting_text(count: int, source: str = "") -> str:
    """Say that memories wait for approval, and how that is given; "" for none."""
    if not count:
        return ""
    what = f"{count} memory waits" if count == 1 else f"{count} memories wait"
    where = f" of {clean_line(source)}" if source else ""
    return (
        f"{what}{where} for your approval: recall finds them, and no session starts with them. "
        f"`{LIST}` lists them, `{APPROVE}` lets one in, `--all` every one."
    )
