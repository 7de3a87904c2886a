"""`approve`: shows and approves what agents do not get before approval; also `quarantine`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from satchel.application import approval, refusing
from satchel.application.approval import Waiting, WaitingFile
from satchel.core.errors import BadInputError, SatchelError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import UNAPPROVED, clean_line, clean_text
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.rendering import label_of, picked
from satchel.project.approvals.rules import is_key, trust_of
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_NOTHING = "Nothing waits for your approval."
#: How much of a line to repeat, in characters.
_WIDTH = 100
_NO_PROOF = "An address in a commit is what its author typed there: git does not prove it."


def approve(words: Sequence[str]) -> int:
    """`satchel approve`."""
    parser = parser_for("approve", "Review what is kept from agents, and approve it.")
    parser.words("what", "approve these; without any, list all", metavar="ID|FILE")
    parser.options(
        "--author",
        "approve what this address commits, or this key signs, now and later",
        metavar="EMAIL|KEY",
    )
    parser.flag(
        "--repository", "approve what this repository brings from its remotes, now and later"
    )
    parser.flag("--all", "approve all of it, as it is now")
    parser.flag("--reject", "put these aside: not shown to you or your agents, and not asked again")
    parser.flag("--revoke", "take back: the approval or rejection of these, or of the author")
    parser.flag("--yes", "do not ask")
    options = parser.parse_args(words)
    with options.opened() as work:
        if options.revoke:
            return _revoke(work, options)
        if options.reject:
            return _reject(work, options)
        found = approval.with_documents(work, approval.waiting(work))
        if options.author or options.repository:
            return _believe(work, options, found)
        if options.what:
            return _let_in(work, options, approval.chosen(found, options.what, os.getcwd()))
        if options.all:
            return _let_in(work, options, found, ask=True)
        return _list(work, found, options)


def quarantine(words: Sequence[str]) -> int:
    """`satchel quarantine`: the former name, with actions instead of options."""
    parser = parser_for("quarantine", "The former name of `satchel approve`.")
    parser.add_argument(
        "action", nargs="?", default="list", choices=("list", "approve", "revoke", "foreign")
    )
    parser.add_argument("what", nargs="*", metavar="ID", help="ids; for foreign: on or off")
    parser.flag("--all", "approve everything that is held")
    parser.flag("--yes", "do not ask")
    options = parser.parse_args(words)
    if options.action == "foreign":
        with options.opened() as work:
            return _foreign(work, options)
    if options.action in ("approve", "revoke") and not (options.what or options.all):
        raise BadInputError("Which memories?", hint="Give ids of `satchel approve`, or --all.")
    shared = [word for word in words if word not in ("list", "approve", options.action)]
    return approve([*shared, *(["--revoke"] if options.action == "revoke" else [])])


def _list(work: Workspace, found: Waiting, options: Options) -> int:
    if options.json:
        return print_json({**_json(found), "foreign": work.project.approvals.load().local})
    if not found.total:
        print(_NOTHING)
        return 0
    show_waiting(found)
    waits = "1 thing waits. Recall finds it"
    if found.total > 1:
        # Status and briefs count what agents would be told, which a searched document is not.
        among = counted(len(found.documents), "document")
        among = f" ({among} among them)" if 0 < len(found.documents) < found.total else ""
        waits = f"{found.total} things wait{among}. Recall finds them"
    print(f"{waits}, marked; agents are told once you approve:")
    print("`satchel approve ID|FILE` one, `--all` what is there now; `--author EMAIL|KEY` and")
    print("`--repository` also what comes later; `--reject ID` puts one aside.")
    _tell_own(work, found)
    return 0


def _tell_own(work: Workspace, found: Waiting) -> None:
    """Say that the person's own commits wait, too, and how that ends."""
    own = clean_line(approval.own_that_waits(work, found))
    if own:
        print(f"{own} is your own address. In a clone, what it commits waits, too:")
        print(f"`satchel approve --author {own}` once ends that.")


def _let_in(work: Workspace, options: Options, found: Waiting, *, ask: bool = False) -> int:
    if not found.total and not options.json:
        print(_NOTHING)
        return 0
    if ask and not options.json:
        show_waiting(found)
    if found.total and ask:
        options.agree(f"Approve these {found.total}?", "Nothing was approved.")
    approval.approve_all(work, found)
    return options.reply(
        {"ids": [one.id for one in (*found.lines, *found.memories)]},
        f"Approved {counted(found.total, 'thing')}.",
    )


def _believe(work: Workspace, options: Options, found: Waiting) -> int:
    authors = [clean_line(one) for one in options.author]
    addresses = [one for one in authors if not is_key(one)]
    if any("@" not in one for one in addresses):
        raise BadInputError(
            "An author is an e-mail address, as commits carry it, or the fingerprint of a key.",
            hint="`satchel approve` shows both.",
        )
    if not options.json:
        show_waiting(found if options.repository else approval.of_authors(found, authors))
        for one in authors:
            if not approval.of_authors(found, [one]).total:
                print(f"Nothing that waits was committed by {one}.")
    whom = [f"commits {'of' if one in addresses else 'signed by'} {one}" for one in authors]
    whom += ["whatever this repository brings"] if options.repository else []
    if addresses and not options.json:
        print(_NO_PROOF)
    options.agree(f"Trust {' and '.join(whom)}, now and later?", "Nothing was approved.")
    approval.approve_authors(work, authors)
    remotes = approval.approve_repository(work) if options.repository else []
    still = approval.with_documents(work, approval.waiting(work))
    left = still.total
    code = options.reply(
        {"authors": authors, "remotes": remotes, "waiting": left},
        f"Approved {counted(found.total - left, 'thing')}; {left or 'none'} left.",
    )
    if left and not options.json:
        _tell_own(work, still)
    return code


def _revoke(work: Workspace, options: Options) -> int:
    if not (options.what or options.author or options.repository or options.all):
        raise BadInputError(
            "Say what to take back.", hint="An id, a file, --author, --repository or --all."
        )
    before, said = approval.waiting(work).total, []
    if options.all:
        approval.revoke_everything(work)
    if options.author:
        said = refusing.revoke_authors(work, options.author)
    if options.repository:
        work.project.approvals.believe_repository([], on=False)
    count, told = refusing.revoke(work, options.what, os.getcwd()) if options.what else (0, [])
    said += told
    work.refresh()
    waits = approval.waiting(work).total
    done = f"Taken back: {max(waits - before, 0)} more wait now, {waits} in all."
    only = options.what and not (count or options.author or options.repository or options.all)
    value = {"revoked": count, "waiting": waits, "told": said}
    return options.reply(value, None if only else done, *said)


def _reject(work: Workspace, options: Options) -> int:
    if not options.what:
        raise BadInputError("Which memories?", hint="Give ids of `satchel approve`.")
    if options.author or options.repository or options.all:
        raise BadInputError("--reject takes ids.", hint="`satchel approve --reject ID ID`.")
    lines, hidden = refusing.refuse(work, options.what)
    told = [f"Put aside: {clean_line(one.content)[:_WIDTH]}" for one in lines]
    if lines:
        told.append("Neither you nor your agents are shown it here, and you are not asked again;")
        told.append("it stays in the repository. `satchel approve --revoke ID` lets it wait again.")
    told += [f"Hid {short_id(one.id)}: `satchel restore {short_id(one.id)}`." for one in hidden]
    return options.reply({"rejected": [one.id for one in (*lines, *hidden)]}, *told)


def _foreign(work: Workspace, options: Options) -> int:
    if options.what not in (["on"], ["off"]):
        raise BadInputError("Use on or off.", hint="`satchel quarantine foreign on`")
    on = options.what == ["on"]
    approval.approve_local(work, on=on)
    return options.reply(
        {"foreign": on},
        f"What lies here without having come by git is {'' if on else 'not '}taken for yours.",
    )


def _json(found: Waiting) -> dict[str, object]:
    rows = [
        {**picked(one, "id", "kind", "content", "source"), "trust": trust_of(one)}
        for one in (*found.lines, *found.memories)
    ]
    files = [
        {
            "path": os.path.relpath(one.path),
            "authors": [author.email for author in one.authors],
            "content": one.data.decode("utf-8", "replace"),
        }
        for one in found.files
    ]
    documents = [os.path.relpath(one.path) for one in found.documents]
    return {"held": rows, "files": files, "documents": documents, "remotes": list(found.remotes)}


#: How much of one text to show, in characters.
_LONGEST = 1000
#: Most memories of one author, and lines of one file, to list.
_LISTED, _LINES = 50, 60
#: A text of this many characters is not repeated.
_QUOTED = 8
_NOBODY = "what is not committed"
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")


def show_waiting(found: Waiting) -> None:
    """Print what waits for approval, grouped by author."""
    if found.lines or found.files or found.documents:
        remotes = ", ".join(map(clean_line, found.remotes)) or "no remote"
        print(f"From this repository ({remotes}):")
    by_author: dict[str, list[Record]] = {}
    for line in found.lines:
        by_author.setdefault(line.source or _NOBODY, []).append(line)
    for author, records in by_author.items():
        print(f"  {clean_line(author)}{_known_by(found, author)}")
        _show_records(records, "    ")
    for file in found.files:
        _show_file(file)
    for place, files in _by_directory(found.documents).items():
        who = {clean_line(str(one)) for file in files for one in file.authors if one.email}
        told = clean_line(os.path.relpath(files[0].path))
        if len(files) > 1:
            told = f"{counted(len(files), 'document')} in {clean_line(place)}"
        print(f"  {told}, which recall searches  ({', '.join(sorted(who)) or _NOBODY})")
    if found.memories:
        print("From what tools, the web and files said:")
        _show_records(found.memories, "  ")


def _by_directory(files: Sequence[WaitingFile]) -> dict[str, list[WaitingFile]]:
    found: dict[str, list[WaitingFile]] = {}
    for one in files:
        found.setdefault(os.path.dirname(os.path.relpath(one.path)) or ".", []).append(one)
    return found


def _known_by(found: Waiting, author: str) -> str:
    """Say whether an author is verified by a signature or only named in the commit."""
    address = approval.address_of(author)
    keys = found.signers.get(address)
    if not keys:
        return ""
    other = "; not by the key that you approved" if address in found.others else ""
    signed = ", ".join(sorted(clean_line(key) for key in keys if key))
    if not signed:
        return f"  (by address only: not signed{other})"
    return f"  ({'some ' if '' in keys else ''}signed by {signed}{other})"


def _show_records(records: Sequence[Record], indent: str) -> None:
    for one in records[:_LISTED]:
        said = one.content if not one.title or one.title in one.content else _titled(one)
        print(f"{indent}{short_id(one.id)}  {label_of(one):<10}  {_cut(said)}{_whose(one)}")
    if len(records) > _LISTED:
        print(f"{indent}… and {len(records) - _LISTED} more: --json has all")


def _whose(record: Record) -> str:
    """Say where a private memory's words come from; a repository's have an author."""
    trust = trust_of(record)
    return "" if trust == UNAPPROVED else f"  ({clean_line(trust) or 'another program'})"


def _titled(record: Record) -> str:
    return f"{record.title}: {record.content}"


def _cut(text: str) -> str:
    """Put a text on one line, and say how much was cut if it is too long."""
    line = clean_line(text)
    more = len(line) - _LONGEST
    return line if more <= 0 else f"{line[:_LONGEST]}… ({more} characters more: --json has all)"


def _show_file(file: WaitingFile) -> None:
    who = ", ".join(clean_line(str(one)) for one in file.authors if one.email) or _NOBODY
    lines = _readable(file.path, file.data.decode("utf-8", "replace"))
    print(f"  {clean_line(os.path.relpath(file.path))}  ({who})")
    for line in lines[:_LINES]:
        print(f"    | {_cut(line)}")
    if len(lines) > _LINES:
        print(f"    … and {len(lines) - _LINES} lines more: --json has all")


def _readable(path: str, text: str) -> list[str]:
    """Return a file's lines; for a list of records, one line each with all their text."""
    try:
        if path.endswith(".jsonl"):
            return [_record_line(json.loads(line)) for line in text.splitlines() if line.strip()]
        if path.endswith((".yaml", ".yml")) and "#" not in text:  # a comment may speak, too
            return [_record_line(one) for one in _only_list(read_yaml(text))]
    except (ValueError, SatchelError):
        pass  # then as it is
    return clean_text(text).splitlines()


def _only_list(value: Any) -> list[Any]:
    """Return the single list of records in a file. Raises `ValueError` for another form."""
    lists = [one for one in value.values() if isinstance(one, list)] if _is_map(value) else []
    rest = [one for one in value.values() if not isinstance(one, (list, int))] if lists else [value]
    if len(lists) != 1 or rest or not all(map(_is_map, lists[0])):
        raise ValueError(value)
    return lists[0]


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _record_line(value: Any) -> str:
    """Return all values of a record in order, except times: omitted values might matter."""
    said: list[str] = []
    for one in _values(value):
        rest = _without(said, clean_line(one))
        if not _TIME.fullmatch(one) and any(map(str.isalnum, rest)):
            said.append(rest)
    return " \u00b7 ".join(said)


def _without(said: Sequence[str], text: str) -> str:
    """Replace words already shown with a mark: a rule's source quotes the rule."""
    for one in said:
        if len(one) >= _QUOTED:
            text = re.sub(re.escape(one), "\u2026", text, count=1, flags=re.IGNORECASE)
    return text


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _values(one)
    elif isinstance(value, list):
        for one in value:
            yield from _values(one)
    elif value not in (None, ""):
        yield str(value)
