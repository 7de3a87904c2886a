"""Runs git: the only place that does, so that no repository can make it start other programs.

A repository's configuration names programs: a file system monitor, hooks, filters, diff drivers, an
ssh command, a credential helper. So does that of an unpacked archive, or of a directory laid out as
a bare repository. Someone who only looks into a repository has not chosen to run any of them. There
are three ways to ask:

- `ask`: about local content. Starts nothing that a repository names, and contacts no remote.
- `ask_remote`: a remote, with the person's own keys and helpers, not with the repository's.
- `ask_as_person`: for a commit that a person asked for, with their hooks, filters and signature.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from satchel.core.errors import StoreError
from satchel.storage.commands import CheckFailedError, CommandResult, NoProgramError, inherited, run

SECONDS = 20.0


def _setting(*settings: str) -> tuple[str, ...]:
    """Return the options with which git has these settings."""
    return tuple(word for one in settings for word in ("-c", one))


#: Options of every call. The monitor is empty, since git before 2.36 takes "false" for its name.
_QUIET = (
    *("--no-pager", "--no-optional-locks"),
    *_setting("core.fsmonitor=", "safe.bareRepository=explicit", "core.quotePath=false"),
)
_NO_PROGRAMS = _setting(
    *(f"core.hooksPath={os.devnull}", "log.showSignature=false"),
    *("gc.auto=0", "maintenance.auto=false"),
)
#: Settings that change what git answers, or name a file that this repository need not have.
_ITS_OWN_ANSWERS = _setting(
    *(f"diff.orderFile={os.devnull}", "diff.interHunkContext=0", "diff.relative=false"),
    *("i18n.logOutputEncoding=UTF-8", "log.follow=false", "log.showRoot=true"),
)
#: Commands that make diffs, and so could start a diff driver.
_DIFFS = {"diff", "diff-files", "diff-index", "diff-tree", "log", "show"}
#: Commands that never read files through a filter, so the filters need no check.
_NO_FILTERS = frozenset(
    "cat-file check-attr check-ignore commit-tree config fast-import for-each-ref init log "  # noqa: SIM905
    "ls-files ls-tree merge-base merge-file read-tree remote rev-list rev-parse show update-ref "
    "worktree write-tree".split()
)
#: Environment variables that git may keep: whose configuration it reads, and how far up it looks.
_WHERE = {
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
}
_PERSONS = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSH", "GIT_ASKPASS", "GIT_SSL_", "GIT_HTTP_")
_UNATTENDED = {
    "LC_ALL": "C.UTF-8",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_OPTIONAL_LOCKS": "0",
}
#: No protocol is allowed: a partial clone would fetch missing objects, with a program of its
#: choice.
_NOWHERE = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}
#: No `ext::` and no helpers that a repository could name. A proxy for `git:` is a program too.
_REMOTES = {"GIT_ALLOW_PROTOCOL": "file:http:https:ssh"}

#: The setting that names another directory than the one in which a repository is.
_ELSEWHERE = "core.worktree"
#: What decides which bytes git reads of a file: its filters, and that directory.
_FILTER = re.compile(
    rf"filter\..*\.(clean|smudge|process|required)|{re.escape(_ELSEWHERE)}", re.DOTALL
)
_WAY_TO_REMOTES = re.compile(
    r"core\.(sshcommand|askpass)|credential\.(.*\.)?helper|remote\..*\.vcs", re.DOTALL
)
#: Programs that verify signatures, and files of trusted keys: only the person chooses them.
_VERIFIERS = re.compile(
    r"gpg\.(.*\.)?(program|allowedsignersfile|revocationfile|defaultkeycommand)", re.DOTALL
)
#: Git verifies no ssh signature without a list of signers; an empty list is enough.
_SIGNERS = "gpg.ssh.allowedsignersfile"
#: Replacements for programs that a repository names, by the end of the setting's name.
_INSTEAD = {
    "required": "false",
    "sshcommand": "ssh",
    "gpg.program": "gpg",
    "openpgp.program": "gpg",
    "ssh.program": "ssh-keygen",
    "x509.program": "gpgsm",
}


#: How git tells that it would have to fetch something.
_NOT_FETCHED = ("promisor remote", "lazy fetching disabled")
#: How long git's configuration stays cached, seconds; a server runs for days.
_FRESH = 0.5


class _Configuration(NamedTuple):
    at: float
    told: str


#: The configuration last read, by place and environment.
_read: dict[tuple[object, ...], _Configuration] = {}


class GitError(StoreError):
    """Git could not be run, or failed."""


class NotFetchedError(GitError):
    """This clone is partial, and git has not fetched the content that this needs."""


class NoGitError(GitError):
    """Git is not installed."""


# Asking


def ask(
    root: str,
    *words: str,
    seconds: float = SECONDS,
    stdin: bytes | None = None,
    variables: Mapping[str, str] | None = None,
) -> CommandResult:
    """Run a git query in `root`. Raises `GitError` if it fails."""
    told = {**_environment(), **_NOWHERE, **(variables or {})}
    options = [*_QUIET, *_NO_PROGRAMS, *_ITS_OWN_ANSWERS]
    if _command(words) not in _NO_FILTERS:
        options += _without(_FILTER, root, seconds, told)
    return _run(root, options, _without_drivers(words), seconds, told, stdin=stdin)


def ask_signed(
    root: str, *words: str, seconds: float = SECONDS, stdin: bytes | None = None
) -> CommandResult:
    """Run a git query that verifies signatures, with the user's programs and signers."""
    told = {**_environment(), **_NOWHERE}
    verifiers = _without(_VERIFIERS, root, seconds, told, always=(_SIGNERS,))
    options = [*_QUIET, *_NO_PROGRAMS, *verifiers]
    return _run(root, options, _without_drivers(words), seconds, told, stdin=stdin)


def ask_remote(
    root: str, *words: str, seconds: float = SECONDS, variables: Mapping[str, str] | None = None
) -> CommandResult:
    """Run a git command that contacts a remote, with the user's keys and helpers."""
    told = {**_environment(_PERSONS), **_REMOTES, **(variables or {})}
    options = [*_QUIET, *_NO_PROGRAMS, *_without(_WAY_TO_REMOTES, root, seconds, told)]
    return _run(root, options, _with_gits_own_end(words), seconds, told)


def ask_as_person(
    root: str, *words: str, seconds: float = 120.0, variables: Mapping[str, str] | None = None
) -> CommandResult:
    """Run a command the user requested, with their hooks, filters and signing."""
    told = {**_environment(_PERSONS), **(variables or {})}
    return _run(root, _QUIET, words, seconds, told, own_session=False)


def answer(
    root: str,
    *words: str,
    seconds: float = SECONDS,
    stdin: bytes | None = None,
    variables: Mapping[str, str] | None = None,
) -> str:
    """Return the output of `ask`. Raises `GitError` with git's own message."""
    done = ask(root, *words, seconds=seconds, stdin=stdin, variables=variables)
    if done.code and any(one in done.err for one in _NOT_FETCHED):
        raise NotFetchedError(hint="`git blame FILE` and `git log -p` fetch what they read.")
    if done.code:
        raise GitError(f"git {_command(words)}: {reason(done)}")
    return done.out


def reason(done: CommandResult) -> str:
    """Return git's line with the reason for a failure."""
    lines = [line.strip() for line in done.err.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return [*telling, *lines, "it gave no reason"][0][:300]


# What several features ask


def is_repository(root: str, *, seconds: float = SECONDS) -> bool:
    """Return whether `root` is in a repository that git can read."""
    try:
        return ask(root, "rev-parse", "--git-dir", seconds=seconds).code == 0
    except GitError:
        return False


def is_ignored(root: str, path: str, *, seconds: float = SECONDS) -> bool:
    """Return whether git ignores a path. Raises `GitError`."""
    return ask(root, "check-ignore", "--quiet", "--", path, seconds=seconds).code == 0


def is_tracked(root: str, path: str, *, seconds: float = SECONDS) -> bool:
    """Return whether git tracks a path. Raises `GitError`."""
    return ask(root, "ls-files", "--error-unmatch", "--", path, seconds=seconds).code == 0


def attribute(root: str, name: str, path: str, *, seconds: float = SECONDS) -> str:
    """Return a path's attribute, or "unspecified". Raises `GitError`."""
    told = answer(root, "check-attr", "-z", name, "--", path, seconds=seconds)
    return told.removesuffix("\0").rpartition("\0")[2]


def files(root: str, *, seconds: float = 30.0) -> list[str]:
    """Return the paths that git tracks or would track below `root`. Raises `GitError`."""
    words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    told = answer(root, *words, seconds=seconds)
    # A conflicted path is listed once for each side; one ending in a slash is a nested repository.
    return [path for path in dict.fromkeys(told.split("\0")) if path and not path.endswith("/")]


_LOCAL_ENDINGS = (".local.md", ".local.toml", ".local.yaml", ".local.json")


def is_local(path: str) -> bool:
    """Return whether a file is the user's own beside the team's, such as `CLAUDE.local.md`.

    It is never meant to be shared, whether or not git ignores it.
    """
    return path.lower().endswith(_LOCAL_ENDINGS)


# Starting it


def _run(
    root: str,
    options: Sequence[str],
    words: Sequence[str],
    seconds: float,
    environment: Mapping[str, str],
    *,
    stdin: bytes | None = None,
    own_session: bool = True,
) -> CommandResult:
    try:
        return run(
            ["git", *options, *words],
            root,
            seconds,
            environment=environment,
            stdin=stdin,
            own_session=own_session,
        )
    except NoProgramError:
        raise NoGitError from None
    except CheckFailedError as error:
        raise GitError(str(error).replace("git --no-pager", f"git {_command(words)}")) from None


def _environment(persons: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the environment without variables that redirect git or name programs."""
    kept = {
        name: value
        for name, value in inherited().items()
        if not name.startswith("GIT_") or name in _WHERE or (persons and name.startswith(persons))
    }
    return kept | _UNATTENDED


def _command(words: Sequence[str]) -> str:
    """Return the command's name: the first word that is neither an option nor the value of `-c`."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-c", "-C") else 1
    return words[at] if at < len(words) else ""


def _without_drivers(words: Sequence[str]) -> Sequence[str]:
    if _command(words) not in _DIFFS:
        return words
    return _with(words, "--no-ext-diff", "--no-textconv")


def _with_gits_own_end(words: Sequence[str]) -> Sequence[str]:
    """Set the remote program: if set twice, git uses the first."""
    name = {"push": "receive-pack"}.get(_command(words), "upload-pack")
    return _with(words, f"--{name}=git-{name}")


def _with(words: Sequence[str], *options: str) -> Sequence[str]:
    at = list(words).index(_command(words)) + 1
    return [*words[:at], *options, *words[at:]]


def _without(
    named: re.Pattern[str],
    root: str,
    seconds: float,
    environment: Mapping[str, str],
    *,
    always: Sequence[str] = (),
) -> list[str]:
    """Return options that override a repository's settings with the user's own.

    Those in `always` are always included. Settings whose names a repository chooses can only be
    switched off by name.
    """
    parts = _configuration(root, seconds, environment).split("\0")
    theirs: dict[str, list[str]] = {key: [] for key in always}
    ours: dict[str, list[str]] = {}
    for scope, entry in zip(parts[::2], parts[1::2], strict=False):
        key, _, value = entry.partition("\n")
        if named.fullmatch(key):
            (ours if scope in ("system", "global") else theirs).setdefault(key, []).append(value)
    if any("=" in key for key in theirs):
        raise GitError(f"The configuration of {root} has a name that git cannot override.")
    # Git reads this one from the repository alone.
    place = [f"--work-tree={_top_of(root)}"] if theirs.pop(_ELSEWHERE, None) else []
    chosen = [f"{key}={_instead_of(key)}" for key in theirs]
    # An empty helper removes all earlier ones, including those for other addresses.
    helpers = any(key.startswith("credential.") for key in theirs)
    for key, values in ours.items():
        if key in theirs or (helpers and key.startswith("credential.")):
            chosen += [f"{key}={value}" for value in values]
    return [*place, *(part for one in chosen for part in ("-c", one))]


def _configuration(root: str, seconds: float, environment: Mapping[str, str]) -> str:
    """Return git's whole configuration, read once for several queries."""
    key = (os.path.realpath(root), *sorted(environment.items()))
    known = _read.get(key)
    if known is None or not 0 <= time.monotonic() - known.at < _FRESH:
        words = ("config", "--list", "--show-scope", "-z")
        told = _run(root, _QUIET, words, seconds, environment)
        if told.code:
            raise GitError(f"git config: {reason(told)}")
        known = _Configuration(time.monotonic(), told.out)
        _read.clear()
        _read[key] = known
    return known.told


def _instead_of(key: str) -> str:
    return next((value for end, value in _INSTEAD.items() if key.endswith(end)), "")


def _top_of(root: str) -> str:
    """Return the directory around `root` with a `.git`, of which a query is; or `root`."""
    top = os.path.realpath(root)
    while not os.path.lexists(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            return root
        top = os.path.dirname(top)
    return top
