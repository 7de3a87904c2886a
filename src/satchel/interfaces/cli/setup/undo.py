"""`undo`: name the newest change, ask, and revert it; what set a place up only with `--setup`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.application.exchange.sharing import deletion_note, sharing_step
from satchel.application.learning.reviewing.reconsidering import reconsider
from satchel.application.learning.reviewing.review import Review
from satchel.clients.settings_files import plan
from satchel.core import times
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import short_id
from satchel.core.kinds import KINDS
from satchel.core.trust import clean_line, clean_text
from satchel.core.values import NamedTuple
from satchel.features.proposals.values import ACCEPTED
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.cli.setup.init import place_of_home, place_to_change
from satchel.interfaces.rendering import said_of
from satchel.project.registry import place_for_init
from satchel.storage.settings.environment import home_path
from satchel.workspace import Workspace

_WIDTH = 80
_SETUP = "`satchel undo --setup --dry-run` names what `init`, `install` or the like wrote."


class _Done(NamedTuple):
    """A change that can be undone: when it was made, what it is, how to revert it.

    `take_back` returns the text to print, and its JSON.
    """

    at: float
    told: tuple[str, ...]
    take_back: Callable[[], tuple[str, object]]


def undo(words: Sequence[str]) -> int:
    """`satchel undo`."""
    parser = parser_for(
        "undo",
        "Undo the newest change, after naming it: what was remembered, edited or hidden, an answer "
        "to a suggestion, a removed soft rule. Files that `init`, `install`, `adopt` and the "
        "like wrote are put back with --setup only.",
    )
    parser.flag("--setup", "what `init`, `install`, `adopt` and the like wrote last")
    parser.flag("--user", "what `install --user` wrote last")
    parser.flag("--dry-run", "only name it")
    parser.flag("--yes", "do not ask")
    options = parser.parse_args(words)
    if options.user:
        place = place_of_home()
    elif options.setup:
        place = place_to_change(options.base())
    else:  # memories are taken back where the work tree cannot be written, too
        place = place_for_init(options.base())
    wired = _wired(os.path.join(home_path(), "journals", place.entry_name()))
    if options.setup or options.user:
        return _take_back(wired, options)
    hint = _SETUP if wired else ""
    if not place.project_id:
        return _take_back([], options, hint)
    with options.opened() as workspace:
        # Memories have whole seconds: within one, what was derived from a memory came after it.
        found = [*_remembered(workspace), *_decided(workspace), *_deleted(workspace)]
        found += [*_edited(workspace), *_removed_rule(workspace)]
        return _take_back(found, options, hint)


def _take_back(found: Sequence[_Done], options: Options, hint: str = "") -> int:
    if not found:
        raise NotFoundError("There is nothing to undo here.", hint=hint)
    last = max(reversed(found), key=lambda one: int(one.at))
    told = [clean_line(line) for line in last.told]
    if options.dry_run:
        return options.reply(told, *told)
    options.say("\n".join(told))
    options.agree("Take this back?", "Nothing was undone.")
    said, value = last.take_back()
    return options.reply(value, clean_text(said))


def _wired(directory: str) -> list[_Done]:
    """Return the last file change by `init`, `install` or `adopt`."""
    try:
        journals = sorted(name for name in os.listdir(directory) if name.endswith(".json"))
    except FileNotFoundError:
        return []
    if not journals:
        return []
    path, at = os.path.join(directory, journals[-1]), int(journals[-1].removesuffix(".json")) / 1e9

    def take_back() -> tuple[str, object]:
        done = plan.undo(path)
        return "\n".join(done) or "Nothing had to be changed.", done

    head = f"Last: `init`, `install`, `adopt` or the like, {times.minute(int(at))}. Taking it back:"
    files = (f"- {line}" for line in plan.undone_files(path))
    rest = "Memories stay; what was shared since then stays in git."
    return [_Done(at, (head, *files, rest), take_back)]


def _remembered(workspace: Workspace) -> list[_Done]:
    """Return what was remembered last, by anything but an accepted suggestion."""
    with Review(workspace) as review:
        suggested = [one.proposal.id for one in review.queue.all()]
    newest = workspace.memories.last_remembered(but_of=suggested)
    if newest is None:
        return []
    record, before = newest.record, newest.before
    said, ident = clean_line(said_of(record))[:_WIDTH], short_id(record.id)

    def put_back() -> tuple[str, object]:
        done = workspace.memories.take_back(newest)
        value = {"undone": record.id, "files": []}
        if before is not None:
            return f"{ident} says again: {clean_line(before.content)[:_WIDTH]}", value
        note = deletion_note(workspace.memories.own, done)
        lines = [f"Taken back: {said}", f"`satchel restore {ident}` brings it back."]
        return "\n".join([*lines, *([note, sharing_step(done)] if note else [])]), value

    noun = KINDS[record.kind].noun if record.kind in KINDS else record.kind
    told = f"Last: {noun} {ident} was remembered, {times.minute(newest.at)}: {said}"
    was = (f"Before: {clean_line(before.content)[:_WIDTH]}",) if before else ()
    return [_Done(newest.at, (told, *was), put_back)]


def _decided(workspace: Workspace) -> list[_Done]:
    with Review(workspace) as review:
        together = review.decided_together()
    if not together:
        return []
    last = together[0]
    idents = [one.proposal.id for one in together]
    titles = [clean_line(one.proposal.title) for one in together]
    value: dict[str, object] = {"undone": last.proposal.title, "files": []}

    def take_back() -> tuple[str, object]:
        with Review(workspace) as again:
            reconsider(again, idents)
            changed = [path for one in together for path, *_ in one.decided.files]
            files = [again.places.shown(path) for path in dict.fromkeys(changed)]
        told = [f"It waits again: {title.rstrip('.')}." for title in titles]
        hint = "`satchel review` shows what waits; `--reject N` there is for good."
        return "\n".join([*told, *(f"  {path}" for path in files), hint]), {**value, "files": files}

    each = [
        f"a suggestion was {'reworded' if one.decided.reworded else one.state}, "
        f"{times.minute(one.decided.at)}: {title}"
        for one, title in zip(together, titles, strict=True)
    ]
    told = (f"Last: {each[0]}", *(f"and {one}" for one in each[1:]))
    return [_Done(last.decided.at, told, take_back)]


def _deleted(workspace: Workspace) -> list[_Done]:
    """Return the memory that was deleted last, by anything but `undo` itself."""
    with Review(workspace) as review:
        undone = [one.proposal.id for one in review.queue.all() if one.state != ACCEPTED]
    record = workspace.memories.last_deleted(but_of=undone)
    if record is None or record.deleted_at is None:
        return []

    def take_back() -> tuple[str, object]:
        again = workspace.memories.refiled(record.id)
        if again is not None:  # it was changed to another kind
            workspace.memories.delete(again.id)
        back = workspace.memories.restore(record.id)
        said = said_of(back)[:_WIDTH]
        return f"Brought back {short_id(back.id)}: {said}", {"undone": back.id, "files": []}

    told = f"Last: memory {short_id(record.id)} was hidden, {times.minute(record.deleted_at)}."
    return [_Done(record.deleted_at, (told,), take_back)]


def _edited(workspace: Workspace) -> list[_Done]:
    found = workspace.memories.last_edited()
    if found is None:
        return []
    now, before = found
    said = clean_line(before.content)[:_WIDTH]

    def take_back() -> tuple[str, object]:
        if before.deleted_at is not None:  # hidden on another machine, and edited here
            gone = workspace.memories.delete(now.id)
            return f"{short_id(gone.id)} is hidden again.", {"undone": gone.id, "files": []}
        back = workspace.memories.edit(now.id, before.content)
        return f"{short_id(back.id)} says again: {said}", {"undone": back.id, "files": []}

    told = f"Last: memory {short_id(now.id)} was edited, {times.minute(now.when)}."
    told += " Before, it was hidden." if before.deleted_at is not None else f" Before: {said}"
    return [_Done(now.ts, (told,), take_back)]


def _removed_rule(workspace: Workspace) -> list[_Done]:
    try:
        removed = workspace.instincts.last_removed()
    except BadInputError:
        return []  # The file is unreadable; `satchel rules` says so.
    if removed is None:
        return []
    rule, head = clean_line(removed.change.rule)[:_WIDTH], "Last: a soft rule was removed"

    def take_back() -> tuple[str, object]:
        (change,) = workspace.instincts.bring_back(removed).changes
        return f"{change.id} is a soft rule again: {rule}", {"undone": change.id, "files": []}

    return [_Done(removed.ts, (f"{head}, {times.minute(removed.ts)}: {rule}",), take_back)]
