"""`quarantine`: what is held back from session starts, and letting it in."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.core.trust import clean_line
from satchel.features.memories.approvals import approvals_of, approve, held, revoke
from satchel.features.memories.unapproved import trust_of
from satchel.interfaces.cli.arguments import confirmed, directory_of, parser_for, print_json
from satchel.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from satchel.storage.ledger.record import Record

_WIDTH = 100


def quarantine(words: Sequence[str]) -> int:
    """`satchel quarantine`."""
    parser = parser_for(
        "quarantine", "Review what tools, the web and files said, and let it into sessions."
    )
    parser.add_argument(
        "action", nargs="?", default="list", choices=("list", "approve", "revoke", "foreign")
    )
    what = "ids of memories; for foreign: on or off"
    parser.add_argument("what", nargs="*", metavar="ID", help=what)
    parser.add_argument("--all", action="store_true", help="approve everything that is held back")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    options = parser.parse_args(words)
    with Workspace.open(directory_of(options)) as work:
        if options.action == "foreign":
            return _foreign(work, options)
        if options.action == "list":
            return _list(work, options)
        if not options.what and not options.all:
            raise BadInputError(
                "Which memories?", hint="Give ids of `satchel quarantine`, or --all."
            )
        if options.action == "revoke":
            return _print_records(
                "withdraw an approval", revoke(work.memories, options.what), options
            )
        if options.all:
            waiting = held(work.memories)
            _show(waiting)
            if waiting and not confirmed(
                f"Let these {len(waiting)} into session starts?", yes=options.yes
            ):
                print("Nothing was approved.")
                return 1
        return _print_records(
            "let in", approve(work.memories, options.what, every=options.all), options
        )


def _list(work: Workspace, options: argparse.Namespace) -> int:
    waiting = held(work.memories)
    foreign = approvals_of(work.project).load().foreign
    if options.json:
        print_json({"held": [_row(one) for one in waiting], "foreign": foreign})
        return 0
    _show(waiting)
    if waiting:
        print(f"{len(waiting)} are found by recall, but start no session until you approve them:")
        print("`satchel quarantine approve ID`, or `--all`.")
    else:
        print("Nothing is held back.")
    return 0


def _show(records: Sequence[Record]) -> None:
    for one in records[:50]:
        text = clean_line(one.title or one.content)[:_WIDTH]
        print(f"{one.id[-8:]}  {trust_of(one) or 'foreign':<9} {one.kind:<10} {text}")
    if len(records) > 50:  # noqa: PLR2004
        print(f"… and {len(records) - 50} more")


def _row(record: Record) -> dict[str, str]:
    return {
        "id": record.id,
        "kind": record.kind,
        "trust": trust_of(record),
        "content": record.content,
        "source": record.source,
    }


def _print_records(what: str, records: Sequence[Record], options: argparse.Namespace) -> int:
    if options.json:
        print_json({"ids": [one.id for one in records]})
    else:
        print(f"{len(records)} {what}.")
    return 0


def _foreign(work: Workspace, options: argparse.Namespace) -> int:
    if options.what not in (["on"], ["off"]):
        raise BadInputError("Give on or off.", hint="`satchel quarantine foreign on`")
    on = options.what == ["on"]
    approvals_of(work.project).trust_foreign(on=on)
    if options.json:
        print_json({"foreign": on})
    else:
        print(
            f"Lines that other programs write into the tracked ledger are {'' if on else 'not '}"
            "trusted like your agents' own."
        )
    return 0


COMMANDS = {"quarantine": quarantine}
