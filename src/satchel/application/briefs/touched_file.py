"""A memory about a file that an agent opens, found from its action: usually none.

A memory is about a file that it is anchored to, or that its text names: by a path, or by a name
that only one file of the project has. A text that names several files is about work across them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.application.briefs.composing import item_of
from satchel.application.briefs.sections import Brief, PlacedItem
from satchel.application.outlet import Outlet
from satchel.application.recall.named_files import anchors_of, files_named
from satchel.application.services import Services
from satchel.core.ids import short_id
from satchel.core.kinds import kinds_with_prompt
from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import fence, new_nonce
from satchel.features.injections.injection_ledger import Injection, still_held
from satchel.storage.ledger.record import Record

#: The section of an injection about a file.
SECTION = "touch"
#: Most such memories per session: more would be noise even if each were right.
MOST = 3
#: Most files named in a text about one of them.
_NAMED = 2


def touched_file_brief(
    work: Services,
    path: str,
    *,
    session: str,
    before: Sequence[Injection],
    files: Callable[[], Sequence[str]],
) -> Brief:
    """Return the best memory about a file that is new to a session, on one line.

    Args:
        path: real path below the project's root.
        session: the session of the agent that opens it; its own lessons are not repeated to it.
        before: what it was already told.
        files: lists the project's files; called if a text has less than a whole path.
    """
    work.refresh()
    known = {item.identity for one in still_held(before) for item in one.items}
    outlet, only = Outlet(work), OnlyOne(work.project.place.root, path, files)

    def fits(record: Record) -> bool:
        new = record.identity not in known and record.session != session
        return new and (_is_anchored(record, path) or _names(record, path, only))

    name = path.rpartition("/")[2]
    found = work.memories.stores.retry_after_rebuild(
        lambda: outlet.naming(name, kinds_with_prompt(), fits)
    )
    if not found:
        return Brief("", 0, 0, (), 0)
    # In this order, each with the newest first.
    best = next((one for one in found if _is_anchored(one.record, path)), found[0])
    anchored = _is_anchored(best.record, path)
    item = item_of(
        best.record,
        outlet.now,
        most_tokens=work.project.settings.integer("brief.max_item_tokens"),
        why=f"{'is anchored to' if anchored else 'names'} {path}",
        standing="; ".join(filter(None, (short_id(best.record.id), best.note))),
    )
    text = fence(new_nonce(), "about this file", item.text)
    tokens = estimate_tokens(text)
    return Brief(text, tokens, tokens, (PlacedItem(item, SECTION, 1, tokens),), len(found) - 1)


class OnlyOne:
    """Whether a path or the end of one means this file and no other of the project."""

    def __init__(self, root: str, path: str, files: Callable[[], Sequence[str]]) -> None:
        self._root, self._path, self._files = root, path, files
        self._known: dict[str, bool] = {}

    def __call__(self, said: str) -> bool:
        """Return whether what a text says names the file. Lists the project's files if it must."""
        inside = said.removeprefix(self._root.rstrip("/") + "/").removeprefix("./")
        if not f"/{self._path}".endswith(f"/{inside}"):
            return False
        if inside == self._path and "/" in inside:
            return True
        if inside not in self._known:
            others = (one for one in self._files() if one != self._path)
            self._known[inside] = not any(f"/{one}".endswith(f"/{inside}") for one in others)
        return self._known[inside]


def _is_anchored(record: Record, path: str) -> bool:
    return path in anchors_of(record)


def _names(record: Record, path: str, only: Callable[[str], bool]) -> bool:
    named = files_named(f"{record.title} {record.content}")
    end = path.rpartition("/")[2]
    return len({one.rpartition("/")[2] for one in named}) <= _NAMED and any(
        only(one) for one in named if one.rpartition("/")[2] == end
    )
