"""`join`: say whether a new clone belongs to a project with private memory on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.approval import refuse_agent
from satchel.application.exchange.joining import Candidate, candidates, join, keep_apart
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.storage.paths import UserHome


def run(words: Sequence[str]) -> int:
    """`satchel join`."""
    parser = parser_for(
        "join",
        "Say whether this clone belongs to a project whose private memory is already on this "
        "machine. You are asked where that is uncertain: in a shallow clone, in one that borrows "
        "objects (`git clone --shared`), without git, and where histories were merged.",
    )
    parser.add_argument("key", nargs="?", default="", metavar="KEY", help="which, of several")
    parser.flag("--apart", "no: this is a project of its own")
    parser.flag("--yes", "do not ask")
    options = parser.parse_args(words)
    with options.opened() as work:
        home, key = UserHome(work.project.home_path), work.project.key
        found = candidates(home, key)
        if found:
            refuse_agent(work)
            # Recorded events go into the ledger first, so that only lines must be joined.
            work.refresh()
    if not found:
        return options.reply([], "There is nothing to join here.")
    if options.apart:
        keep_apart(home, key)
        return options.reply([], "Kept apart. You will not be asked again.")
    return _join(home, key, _chosen(found, options.key), options)


def _chosen(found: Sequence[Candidate], key: str) -> Candidate:
    named = [one for one in found if one.key == key] if key else list(found)
    if len(named) == 1:
        return named[0]
    keys = ", ".join(one.key for one in found)
    raise BadInputError("Which private memory belongs to it?", hint=f"One of: {keys}.")


def _join(home: UserHome, key: str, one: Candidate, options: Options) -> int:
    options.say(f"This may be the project of the private memory {one.key}, of:")
    for place in one.places:
        options.say(f"  {clean_line(place)}")
    options.say("Whoever works here would be told what you keep there. Say yes only for a clone")
    options.say("whose origin you know.")
    if not options.confirms("Are they one project?"):
        raise BadInputError(
            "Nothing was joined.", hint="`satchel join --apart` stops the question."
        )
    done = join(home, key, one.key)
    lines = counted(done.lines, "line")
    return options.reply(
        {"key": one.key, **done._asdict()},
        f"Joined: {lines} and {counted(done.files, 'file')} were put there.",
        *(f"  kept beside one that differs: {clean_line(path)}" for path in done.aside),
    )
