"""Find the commits a shell command made, from git's output or the reflog of HEAD.

Runs after commands that name git and commit, without a pattern and without starting git.
"""

from __future__ import annotations

import time

from satchel.interfaces.hooks.command_result import PRINTED, exit_code, texts_of
from satchel.project.place import last_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.hooks.call import HookCall

_MAKING = (" commit ", " cherry-pick ", " revert ", " merge ", " am ", " rebase ")
#: What ends a command, and what begins its message, which may mention `--dry-run`.
_ENDS, _QUOTES = "&|)\n", "\"'"
#: Most commits of one command to record, and characters of a message's first line.
_MOST, _SUBJECT = 50, 200
_SHORTEST, _LONGEST = 7, 64
_DIGITS = frozenset("0123456789abcdef")
#: What some clients put before a command's output.
_BEFORE = "Output: "
#: What git writes after `commit` and before the subject in HEAD's reflog.
_PLAIN, _FIRST, _AMENDED = "commit: ", "commit (initial): ", "commit (amend): "
#: Digits to keep of an id from the reflog, and seconds a command may run on after committing.
_SHORT, _LATE = 12, 3600
#: What hides whether the commit before it succeeded, and what is written like it but does not.
_HIDES, _SHOWS = ";|&\n", ("&&", ">&", "&>")
#: Shortest subject whose occurrence in a command is evidence, in characters.
_TELLING = 8


def may_commit(command: str) -> bool:
    """Return whether a command may make a commit; most do not mention git."""
    if "git" not in command:
        return False
    command = command.replace("\\\n", " ")
    for end in _ENDS:
        command = command.replace(end, ";")
    return any(map(_makes, command.split(";")))


def _makes(one: str) -> bool:
    words = one
    for quote in _QUOTES:
        one, words = one.partition(quote)[0], words.replace(quote, " ")
    making = "git" in words and any(word in f"{words} " for word in _MAKING)
    return making and "--dry-run" not in one


def commits_of(call: HookCall, command: str) -> list[str]:
    """Return the commits that a command made: the id, a space and the subject.

    A silent commit is recognized by HEAD's reflog, if the command cannot have succeeded without
    committing, and contains its message: others may commit here at the same time.
    """
    found = [one for text in texts_of(call, PRINTED) for one in commits_told(text)]
    if not found and exit_code(call) == 0 and _fails_with_its_commit(command):
        ident, at, what = last_move(call.cwd)
        mark = next((one for one in (_PLAIN, _FIRST, _AMENDED) if what.startswith(one)), "")
        subject = what[len(mark) :].strip()
        telling = len(subject) >= _TELLING and subject in command
        if mark and telling and abs(time.time() - at) <= _LATE:
            found = [f"{ident[:_SHORT]} {subject[:_SUBJECT]}"]
    return list(dict.fromkeys(found))[:_MOST]


def _fails_with_its_commit(command: str) -> bool:
    """Return whether a command that succeeds has committed: not `git commit -q || true`."""
    plain = quote = ""
    for char in command.replace("\\\n", " ").rstrip():
        if quote or char in _QUOTES:
            quote = "" if char == quote else quote or char
        else:
            plain += char
    before, found, after = f"{plain} ".rpartition(" commit ")
    if "<<" in after and command.rsplit(maxsplit=1)[-1].isalpha():
        after = after.partition("\n")[0]  # the message follows, and nothing else
    for sign in _SHOWS:
        after = after.replace(sign, " ")
    return bool(found) and "||" not in before and not any(one in after for one in _HIDES)


def commits_told(text: str) -> list[str]:
    """Parse `[main 1a2b3c4] Subject`, which git prints for each new commit."""
    found = []
    for line in text.split("\n"):
        head, closed, subject = line.removeprefix(_BEFORE).partition("]")
        if not closed or not head.startswith("["):
            continue
        branch, _, ident = head[1:].rpartition(" ")
        if "[" in branch:
            continue
        if branch and _SHORTEST <= len(ident) <= _LONGEST and _DIGITS.issuperset(ident):
            found.append(f"{ident} {subject.strip()[:_SUBJECT]}".rstrip())
    return found
