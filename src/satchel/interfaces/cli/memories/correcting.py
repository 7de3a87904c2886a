"""`satchel edit`: correct a memory's words, or its kind."""

from __future__ import annotations

from satchel.core.ids import short_id
from satchel.core.kinds import KINDS, kind_named
from satchel.interfaces.cli.arguments import Options, content_from
from satchel.interfaces.cli.naming import named
from satchel.interfaces.rendering import record_json
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace


def edit(workspace: Workspace, options: Options) -> int:
    """`satchel memory edit`: change a memory's words or kind."""
    before = named(workspace, options.id).record
    words = options.content or [options.given or ""]
    kind = kind_named(options.kind).name if options.kind else before.kind
    if words[0]:
        content = content_from(words, missing="")
    elif options.kind:
        content = before.content
    else:
        from satchel.interfaces.cli.editing import edited

        content = edited(before.content, "memory.md")
    if kind != before.kind:
        return _refile(workspace, before, kind, content, options)
    record = workspace.memories.edit(before.id, content)
    changed = record.version != before.version
    if not changed:
        options.say("Nothing has changed.")
    else:
        options.say(
            f"Changed {short_id(record.id)}; `satchel history {short_id(record.id)}` shows both."
        )
    if changed:
        _say_shared(workspace, record, options)
    return options.done(record_json(record))


def _refile(workspace: Workspace, before: Record, kind: str, content: str, options: Options) -> int:
    from satchel.application.exchange.sharing import shared_deletion

    record = workspace.memories.refile(before.id, kind, content.strip())
    noun, was = KINDS[kind].noun, short_id(before.id)
    options.reply(
        record_json(record),
        f"Now a {noun}: {short_id(record.id)}. {was} is hidden; `satchel undo` brings it back.",
    )
    note = shared_deletion(workspace.memories.own, workspace.memories.find(before.id).record)
    if note:
        options.remark(note)
    return 0


def _say_shared(workspace: Workspace, record: Record, options: Options) -> None:
    from satchel.features.memories.shared import is_still_shared

    if is_still_shared(workspace.memories.own, record):
        again = f"`satchel share {short_id(record.id)}`"
        options.remark(f"Colleagues see the earlier text until {again}.")
