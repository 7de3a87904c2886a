"""`forget`: remove memories from every file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.forgetting.service import Forgetting, Plan, Selection
from satchel.application.forgetting.values import LEDGER_FILE, Leftover, Place, Receipt
from satchel.core import times
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.cli.naming import named
from satchel.interfaces.rendering import label_of, picked, said_of
from satchel.storage.home_paths import backups_of
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_WIDTH = 90
_SHOWN = 20


def forget(words: Sequence[str]) -> int:
    """`satchel forget`."""
    parser = parser_for(
        "forget",
        "Take memories, and what was derived from them, out of every ledger, index and archive. "
        "Shows the plan and asks; tells what is left where.",
    )
    parser.add_argument("id", nargs="*", metavar="ID", help="id, its beginning, or key")
    parser.option("--query", "everything that recall finds for this", metavar="TEXT")
    parser.option("--session", "everything of one session", metavar="ID")
    parser.option("--source", "everything of one source", metavar="NAME")
    parser.flag("--files", "your own files that hold it too")
    parser.flag("--backups", "rewrite backups that hold it too")
    parser.flag("--receipts", "show what was forgotten before")
    parser.flag("--dry-run", "only show the plan")
    parser.flag("--yes", "do not ask")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        forgetting = Forgetting(workspace)
        if options.receipts:
            return _receipts(forgetting.receipts.all(), options)
        chosen = Selection(tuple(options.id), options.query, options.session, options.source)
        try:
            plan = _planned(workspace, forgetting, chosen)
        except SatchelError:
            if options.dry_run or not _is_about_killed(forgetting, chosen):
                raise
            options.say(f"Ended {counted(forgetting.finish(), 'killed run')}.")
            return 0
        if options.dry_run:
            _show_plan(plan, options)
            return 0
        if not options.yes:
            _show_plan(plan, options)
            options.agree("\nForget this for good?", "Nothing was forgotten.")
        receipt = forgetting.apply(
            plan, files=options.files, backups=lambda: _in_backups(workspace, plan, options)
        )
        forgetting.finish()
    _show_receipt(receipt, options)
    left = any(one.what.startswith(LEDGER_FILE) for one in receipt.remains)
    return options.done(_receipt_json(receipt), 1 if left else 0)


def _is_about_killed(forgetting: Forgetting, chosen: Selection) -> bool:
    """Return whether nothing was chosen, or what killed runs were about, and there are any."""
    killed = [ident for ids in forgetting.receipts.known().unfinished.values() for ident in ids]
    about = all(any(i.startswith(given.upper()) for i in killed) for given in chosen.given)
    return bool(killed) and about and not any(chosen[1:])


def _planned(workspace: Workspace, forgetting: Forgetting, chosen: Selection) -> Plan:
    try:
        return forgetting.plan(chosen)
    except NotFoundError as error:
        hint = "`satchel forget --query TEXT` takes what recall finds for a text."
        if chosen.query:
            hint = "Try fewer words: `satchel recall --weak TEXT` shows what comes near, with ids."
        for given in chosen.given:
            if repr(given[:80]) in str(error):
                named(workspace, given, hint=hint)
        raise NotFoundError(str(error), hint=hint) from error


def _in_backups(
    workspace: Workspace, plan: Plan, options: Options
) -> tuple[Sequence[Place], Sequence[Leftover]]:
    """Remove the memory from backups beside the home, or name the backups with it."""
    from satchel.application.exchange.backups.forgotten import backups_that_say, forget_in_backups
    from satchel.application.exchange.backups.vault import Vault

    home = workspace.owner().home
    vault = Vault(backups_of(home.path))
    if options.backups:
        return forget_in_backups(home, vault, plan.rules, files=options.files)
    return [], backups_that_say(home, vault, plan.rules)


def _show_plan(plan: Plan, options: Options) -> None:
    if options.json:
        told = {
            "chosen": [_row(one) for one in plan.chosen],
            "derived": [_row(one) for one in plan.derived],
            "places": plan.places,
            "files": plan.owned,
            "remains": plan.remains,
            "told": plan.told,
            "server_lines": plan.team,
        }
        print_json(told)
        return
    style = options.style
    for title, records in (("To forget", plan.chosen), ("Derived from it", plan.derived)):
        if records:
            print(style.bold(title))
        for one in records[:_SHOWN]:
            print(f"  {short_id(one.id)}  {label_of(one)} {said_of(one)[:_WIDTH]}")
        if len(records) > _SHOWN:
            print(f"  and {len(records) - _SHOWN} more")
    if plan.told:
        print(style.bold("Said in sessions"))
    for line in plan.told[:_SHOWN]:
        print(f"  {clean_line(line)[:_WIDTH]}")
    for title, places in (("Rewritten", plan.places), ("Yours, with --files", plan.owned)):
        if places:
            print(style.bold(title))
        for place in places:
            print(f"  {clean_line(place.path)}  {style.dim(place.what)}")
    if plan.team:
        print(f"  {counted(plan.team, 'line')} on the team's server")
    for left in plan.remains:
        print(f"{style.bold('Left')}: {clean_line(left.where)}: {left.what}: {left.why}")


def _row(record: Record) -> dict[str, Any]:
    return {"id": record.id, "kind": record.kind, "text": (record.title or record.content)[:400]}


def _show_receipt(receipt: Receipt, options: Options) -> None:
    records, files = counted(len(receipt.ids), "record"), counted(len(receipt.places), "file")
    what = f"Forgot {records} in {files}" if receipt.ids else f"Took it out of {files}"
    options.say(f"{what}. {short_id(receipt.id)}")
    if not receipt.remains:
        options.say("Nothing found on this machine still says it.")
    for one in receipt.remains:
        options.say(f"left: {clean_line(one.where)}: {clean_line(one.what)}: {clean_line(one.why)}")


def _receipts(receipts: Sequence[Receipt], options: Options) -> int:
    for one in receipts:
        records, files = counted(len(one.ids), "record"), counted(len(one.places), "file")
        left = counted(len(one.remains), "place")
        options.say(f"{times.minute(one.at)}  {records}, {files}, {left} left  {short_id(one.id)}")
    if not receipts:
        options.say("Nothing has been forgotten here.")
    return options.done([_receipt_json(one) for one in receipts])


def _receipt_json(receipt: Receipt) -> dict[str, Any]:
    return {"receipt": receipt.id, **picked(receipt, "at", "ids", "hashes", "places", "remains")}
