"""`anchor`: pin memories to code."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.upkeep.anchoring import follow_anchors, repin
from satchel.core.errors import BadInputError
from satchel.core.ids import short_id
from satchel.core.trust import clean_line
from satchel.features.code.anchors.rules import AnchorState, anchors_in
from satchel.interfaces.cli.arguments import parser_for
from satchel.interfaces.cli.naming import named
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_WIDTH = 80


def anchor(words: Sequence[str]) -> int:
    """`satchel anchor [ID [PLACE ...]]`."""
    parser = parser_for(
        "anchor",
        "Pin memories to the code that they are about: all whose code moved, or one to where it "
        "is now.",
    )
    parser.add_argument("id", nargs="?", default="", help="one memory; all that moved without it")
    parser.words("place", "path or path:symbol; the ones that it has, as they are now")
    parser.flag("--dry-run", "only show how the code stands")
    options = parser.parse_args(words)
    with options.opened() as work:
        work.refresh()
        if options.id and not options.dry_run:
            _repin(work, options.id, options.place)
        rows = [
            {
                "id": one.record.id,
                "state": one.state.state,
                "told": one.state.told,
                "repinned": one.repinned,
                "text": clean_line(one.record.title or one.record.content)[:_WIDTH],
            }
            for one in follow_anchors(work, dry_run=options.dry_run)
            if not options.id or one.record.id == work.memories.find(options.id).record.id
        ]
    for row in rows:
        mark = " (pinned there now)" if row["repinned"] else ""
        options.say(f"{row['id']}  {row['text']}\n  {row['told']}{mark}")
    if not rows:
        options.say("No memory is pinned to code. `satchel learn TEXT --at PATH:SYMBOL` pins one.")
    return options.done({"memories": rows})


def _repin(work: Workspace, reference: str, places: Sequence[str]) -> None:
    record = named(work, reference).record
    states = {one.anchor: one for one in _states(work, record)}
    given = places or [
        f"{at.path}:{at.symbol}".rstrip(":")
        for known in anchors_in(record.data)
        if (at := states.get(known)) is not None and at.path
    ]
    if not given:
        raise BadInputError(
            f"Nothing remains of the code that {short_id(record.id)} is about.",
            hint=f"Say where it is: satchel anchor {short_id(record.id)} PATH:SYMBOL",
        )
    repin(work, record.id, given)


def _states(work: Workspace, record: Record) -> Sequence[AnchorState]:
    found = work.code_states([record]).get(record.id)
    return found.states if found is not None else ()
