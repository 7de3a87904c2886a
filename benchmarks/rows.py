"""Print rows of figures: each as soon as it is measured, or all as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from satchel.interfaces.cli.arguments import print_json

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Row(Protocol):
    def text(self) -> str: ...

    def _asdict(self) -> dict[str, Any]: ...


def print_rows(rows: Iterable[_Row], head: str = "", *, as_json: bool) -> None:
    """Print rows, below a head unless it is empty."""
    if as_json:
        print_json([row._asdict() for row in rows])
        return
    if head:
        print(head)
    for row in rows:
        print(row.text(), flush=True)
