"""`backup` and `restore`: save the home at one point in time, and bring it back."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application.exchange.backups import restoring
from satchel.application.exchange.backups.restoring import Change
from satchel.application.exchange.backups.snapshot import take_snapshot
from satchel.application.exchange.backups.vault import Backup, Vault
from satchel.clients.registry import running_agent
from satchel.core import times
from satchel.core.clock import Clock
from satchel.core.errors import BadInputError, NoProjectError, NotFoundError, NotReadableError
from satchel.core.excerpts import beginning
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import AGENT, USER, clean_line, refuse_agent
from satchel.interfaces.cli.arguments import Options, Parser, moment_from, parser_for
from satchel.interfaces.rendering import picked, record_json, size
from satchel.project.home import open_home
from satchel.project.inventory import check_kinds
from satchel.storage.home_paths import backups_of
from satchel.storage.paths import UserHome
from satchel.storage.safe_open import is_within
from satchel.storage.settings.environment import home_path

_SHOWN = 20


def backup(words: Sequence[str]) -> int:
    """`satchel backup [PATH]`."""
    parser = parser_for("backup", "Back up your home while others go on writing.")
    parser.add_argument("path", nargs="?", help="directory of backups (beside the home)")
    parser.flag("--list", "list the backups and stop")
    parser.flag("--verify", "verify every backup and stop")
    parser.count("--keep", "afterwards, remove all but the newest N", metavar="N")
    options = parser.parse_args(words)
    home = UserHome(home_path())
    if options.path in ("list", "verify"):  # mistyped for the option; `./list` is a directory
        setattr(options, options.path, True)
        options.path = None
    vault = _vault(home, options.path)
    if options.list:
        return _list(vault, options)
    if options.verify:
        return _verify(vault, options)
    if not os.path.isdir(home.path):
        raise NotFoundError(f"There is no home at {home.path}: nothing was backed up.")
    with vault.lock():
        vault.prepare()
        made = vault.keep(take_snapshot(home), made=Clock().now())
        gone = vault.prune(options.keep) if options.keep else []
    return options.reply(
        {**_backup_json(made), "path": vault.path, "removed": gone},
        f"Backed up {counted(len(made.files), 'file')}, {size(made.size)}, as {made.name}",
        f"in {clean_line(vault.path)} ({size(vault.disk_size())} for all backups there).",
        (f"Removed {len(gone)} older: {', '.join(gone)}" if gone else None),
    )


def _vault(home: UserHome, path: str | None) -> Vault:
    place = os.path.abspath(path) if path else backups_of(home.path)
    if is_within(os.path.realpath(place), os.path.realpath(home.path)):
        raise BadInputError(
            f"{place} is inside the home that is backed up.", hint="Choose a place outside it."
        )
    return Vault(place)


def _backup_json(one: Backup) -> dict[str, object]:
    return {**picked(one, "name", "made", "release"), "files": len(one.files), "bytes": one.size}


def _list(vault: Vault, options: Options) -> int:
    found = vault.every()
    for one in found:
        files = counted(len(one.files), "file")
        options.say(f"{one.name}  {times.minute(int(one.made))}  {files}, {size(one.size)}")
    if not found:
        options.say(f"There is no backup in {clean_line(vault.path)}.")
    return options.done([_backup_json(one) for one in found])


def _verify(vault: Vault, options: Options) -> int:
    told = {}
    for name in vault.names():
        try:
            told[name] = vault.damage(vault.load(name))
        except NotReadableError as error:
            told[name] = [str(error)]
    damaged = sorted(name for name, wrong in told.items() if wrong)
    options.say(f"{len(told) - len(damaged)} of {len(told)} backups are whole.")
    for name in damaged:
        options.say(f"{name} is damaged:")
        for wrong in told[name][:_SHOWN]:
            options.say(f"  {clean_line(wrong)}")
    return options.done(
        {"verified": len(told), "damaged": {name: told[name] for name in damaged}},
        1 if damaged else 0,
    )


def _restore_parser() -> Parser:
    parser = parser_for(
        "restore", "Restore the home from a backup, after showing what would change."
    )
    parser.option(
        "backup",
        "a backup's name or its beginning; `latest`; or the id of a deleted memory",
        nargs="?",
    )
    parser.add_argument("--from", dest="source", metavar="DIR", help="directory of backups")
    parser.option(
        "--at", "restore ledgers as they were at this time, to the second", metavar="TIME"
    )
    parser.options("--only", "only this kind; repeatable", metavar="KIND")
    parser.flag("--dry-run", "show what would change and stop")
    parser.flag("--yes", "do not ask")
    return parser


def restore(words: Sequence[str]) -> int:
    """`satchel restore BACKUP`."""
    options = _restore_parser().parse_args(words)
    check_kinds(options.only)
    home = open_home()
    at = moment_from(options.at) if options.at else None
    if at is None and not options.backup:
        raise BadInputError(
            "Which backup?", hint="Name one of `satchel backup --list`, `latest`, or give --at."
        )
    vault = _vault(home, options.source)
    try:
        chosen = vault.find(options.backup, at)
    except NotFoundError:
        if options.backup and _brought_back(options.backup, options):
            return 0
        raise
    planned = restoring.plan(home, vault, chosen, kinds=options.only, at=at)
    changes = [c for c in planned if c.what != restoring.SAME]
    _show(chosen, changes, options)
    if options.dry_run or not changes:
        return options.done({**_backup_json(chosen), "changes": changes})
    refuse_agent(USER if running_agent() is None else AGENT)  # a backup holds approvals, too
    options.agree(f"Make these {len(changes)} changes?", "Nothing was restored.")
    safe = Vault(backups_of(home.path))
    how = {"kinds": options.only, "at": at}
    done = restoring.restore(home, vault, chosen, safe, now=Clock().now(), **how)
    built = _rebuilt()
    files = counted(len(done.changes), "file")
    options.say(f"Restored {files}. What was there before is in backup {done.safety}")
    options.say(f"in {clean_line(safe.path)}.")
    lines = counted(built["memories"], "line") if built else ""
    indexed = f"Indexed {lines}; the rest is rebuilt when it is next read."
    options.say(indexed if built else "Indexes are rebuilt when they are next read.")
    told = {"rebuilt": built, "changes": done.changes, "before": done.safety}
    return options.done({**_backup_json(chosen), **told})


def _brought_back(given: str, options: Options) -> bool:
    """Restore the named deleted memory; return whether there was one."""
    from satchel.workspace import Workspace

    try:
        with Workspace.open(".") as workspace:
            record = workspace.memories.restore(given)
    except (NoProjectError, NotFoundError):
        return False
    said = beginning(clean_line(record.title or record.content), 80)
    options.say(f"Brought back {short_id(record.id)}: {said}")
    options.done(record_json(record))
    return True


def _rebuilt() -> dict[str, int]:
    """Rebuild the index of the current project; return {} outside a project.

    Rarely used parts, such as the graph, are rebuilt on their next use.
    """
    from satchel.application.health.derived_stores import rebuild
    from satchel.workspace import Workspace

    try:
        with Workspace.open(".") as workspace:
            return rebuild(workspace, "memories")
    except NoProjectError:
        return {}


def _show(chosen: Backup, changes: Sequence[Change], options: Options) -> None:
    options.say(f"Backup {chosen.name}, made {times.minute(int(chosen.made))}:")
    for one in changes[:_SHOWN]:
        sizes = f"{size(one.before)} -> {size(one.after)}"
        options.say(f"  {one.what:<8}{clean_line(one.path)}  ({one.kind}, {sizes})")
    if len(changes) > _SHOWN:
        options.say(f"  ... and {len(changes) - _SHOWN} more; --json shows all")
    if not changes:
        options.say("  nothing differs")
