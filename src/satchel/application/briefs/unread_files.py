"""A brief's section with instruction files that no client reads, such as BEANS.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satchel.application.briefs.sections import Item, Section
from satchel.core.token_budget import estimate_tokens
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.outlet import Outlet
    from satchel.application.services import Services
    from satchel.features.instructions.values import Segment

#: The section's name.
FILES = "memory_files"
_SHARE = 0.4


def unread_files(work: Services, outlet: Outlet, budget: int, client: str) -> Section:
    """Return instruction files that no client reads, of every tier, with imports inlined.

    If not everything fits, the highest tier comes first, and the rest is reported as left out.
    """
    section = Section(FILES, "## Instruction files", (), "satchel memory show")
    files = work.instructions
    if all(source.clients for source in files.sources()):
        return section
    by_file: dict[str, list[Segment]] = {}
    for part in files.unread_by(client).segments:
        if may_be_shown(outlet, part, files.root):
            by_file.setdefault(part.file, []).append(part)
    left = min(work.project.settings.integer("brief.memory_file_tokens"), int(budget * _SHARE))
    shown: list[list[Item]] = []
    missing = 0
    for path, parts in reversed(by_file.items()):
        head = Item(f"[{parts[0].tier}: {files.shown(path)}]", why=files.shown(path))
        left -= estimate_tokens(head.text) + 1
        kept = [head] if len(by_file) > 1 else []
        for part, line in _lines_of(parts):
            left -= estimate_tokens(line) + 1
            if left >= 0:
                kept.append(Item(line, why=files.shown(part.path), raw=line))
            missing += left < 0
        shown.append(kept if kept[1:] or len(by_file) == 1 else [])
    items = [item for kept in reversed(shown) for item in kept]
    if missing:
        items.append(Item(f"({missing} more lines: {section.more})", why="no room"))
    marks, _, heading = items[0].text.partition(" ") if items[1:] else ("", "", "")
    if len(by_file) == 1 and marks in ("#", "##", "###"):
        # One file under its own heading needs none above it.
        section, items = section._replace(title=f"## {heading}"), items[1:]
    return section._replace(items=tuple(items))


def may_be_shown(outlet: Outlet, part: Segment, root: str) -> bool:
    """Return whether a file and its imports may be shown to an agent."""
    return all(
        outlet.admits(path)
        for path in dict.fromkeys((part.file, part.path))
        if is_within(path, root)
    )


def _lines_of(parts: Sequence[Segment]) -> Iterator[tuple[Segment, str]]:
    """Yield the non-empty lines of an instruction file, with their section."""
    from satchel.features.instructions.scanning import without_import_notes

    for part in parts:
        for line in without_import_notes(part.text).splitlines():
            if line.strip():
                yield part, line.rstrip()
