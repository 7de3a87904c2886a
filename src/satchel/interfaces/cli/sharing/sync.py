"""`sync`: keep a user's homes in sync through a git remote."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application.exchange.sync.service import Sync
from satchel.core import times
from satchel.core.clock import Clock
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path

_SHOWN = 10


def sync(words: Sequence[str]) -> int:
    """`satchel sync init|status|now`."""
    parser = parser_for("sync", "Keep your homes on several machines in step through a git remote.")
    action = parser.actions(metavar=None)
    init = action("init", "set the remote: an empty private repository that you own", _init)
    init.add_argument("remote", help="its address, or a directory")
    init.options("--without", "exclude this kind", metavar="KIND")
    action("status", "show the remote, and what waits to be sent", _status)
    now = action("now", "fetch, merge and send", _now)
    now.flag("--dry-run", "show what would happen and stop")
    now.flag("--deletions", "send even if most files of a kind were deleted")
    return parser.parse_args(words).act(Sync(UserHome(home_path())))


def _init(found: Sync, options: Options) -> int:
    remote = options.remote
    local = os.path.isdir(remote)
    found.init(os.path.abspath(remote) if local else remote, options.without)
    return options.reply(
        {"remote": found.repository.url(), "without": options.without},
        f"This home is synced through {clean_line(found.repository.url())}, branch `satchel`.",
        "Anyone who can read that repository can read your memories. Start: `satchel sync now`.",
    )


def _status(found: Sync, options: Options) -> int:
    told = found.status()
    synced = told["synced"]
    when = times.minute(synced) if isinstance(synced, int) and synced else "never"
    options.say(f"remote   {clean_line(str(told['remote']))}")
    options.say(f"synced   {when}")
    for title in ("waiting", "stays"):
        names = told[title]
        listed = [str(one) for one in names] if isinstance(names, list) else []
        options.say(f"{title:<8} {counted(len(listed), 'file')}" + (":" if listed else ""))
        for one in listed[:_SHOWN]:
            options.say(f"  {clean_line(one)}")
    return options.done(told)


def _now(found: Sync, options: Options) -> int:
    done = found.run(Clock().now(), dry_run=options.dry_run, deletions=options.deletions)
    would = "Would bring" if options.dry_run else "Brought"
    sent = "would send" if options.dry_run else "sent"
    brought = f"{counted(done.lines, 'line')} and {counted(done.files, 'file')}"
    options.say(f"{would} {brought}; {sent} {counted(done.sent, 'file')}.")
    if done.projects:
        options.say(f"New here: {', '.join(map(clean_line, done.projects))}")
    if done.scrubbed:
        options.say(f"Scrubbed {counted(done.scrubbed, 'line')} purged on another machine.")
    for path in done.aside[:_SHOWN]:
        options.say(f"Changed on both sides; theirs is beside yours: {clean_line(path)}")
    for one in done.left:
        options.say(f"left: {clean_line(one.where)}: {clean_line(one.what)}: {clean_line(one.why)}")
    if done.kept:
        kept = counted(len(done.kept), "file")
        options.say(f"{kept} kept on this machine: private, personal, or with a secret.")
    return options.done(done)
