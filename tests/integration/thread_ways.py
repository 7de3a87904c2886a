"""Eight ways to rewrite history, after the story of `thread_story.py`."""

from __future__ import annotations

import re

from integration.thread_made import Repository


def base_of(repository: Repository) -> str:
    return repository.git("merge-base", "main", "mail-4").strip()


def amend(repository: Repository) -> None:
    """The last commit gets another message and a file of a person's."""
    repository.passes(900)
    repository.by_hand("NOTES.md", "Nobody's agent wrote this line.\n")
    repository.git("add", "--all")
    repository.git("commit", "--amend", "-m", "Leave refunds untaxed, and note it")


def advance_main(repository: Repository) -> None:
    """Somebody else commits to main."""
    repository.git("switch", "--quiet", "main")
    (repository.root / "CHANGES").write_text("Another hand was here.\n", "utf-8")
    repository.git("add", "--all")
    repository.git("commit", "-m", "Begin a list of changes")


def rebase(repository: Repository) -> None:
    advance_main(repository)
    repository.passes(90_000)
    repository.git("switch", "--quiet", "mail-4")
    repository.git("rebase", "--quiet", "main")


def squash(repository: Repository) -> None:
    advance_main(repository)
    repository.passes(90_000)
    repository.git("merge", "--quiet", "--squash", "mail-4")
    repository.git("commit", "-m", "Mail (#4)")
    repository.git("branch", "-D", "mail-4")


def cherry_pick(repository: Repository) -> None:
    first = base_of(repository)
    advance_main(repository)
    repository.passes(90_000)
    repository.git("cherry-pick", f"{first}..mail-4")


def rename(repository: Repository) -> None:
    repository.passes(90_000)
    for old, new in (("src/pay.py", "lib/money/payments.py"), ("src/mail.py", "lib/post.py")):
        (repository.root / new).parent.mkdir(parents=True, exist_ok=True)
        repository.git("mv", old, new)
        repository.lines[new] = repository.lines.pop(old)
    repository.git("commit", "-m", "Move modules")


def force_push(repository: Repository) -> None:
    """Somebody rewrites the branch elsewhere, and this clone takes what is there then."""
    remote, other = repository.root.parent / "remote.git", repository.root.parent / "other"
    repository.git("init", "--quiet", "--bare", str(remote))
    repository.git("push", "--quiet", str(remote), "main", "mail-4")
    repository.git("clone", "--quiet", "--branch", "mail-4", str(remote), str(other))
    elsewhere = Repository(other)
    elsewhere.now = repository.now + 50_000
    elsewhere.git("rebase", "--quiet", "--force-rebase", "--root")
    elsewhere.git("push", "--quiet", "--force", "origin", "mail-4")
    repository.git("fetch", "--quiet", str(remote), "+mail-4:rewritten")
    repository.git("reset", "--quiet", "--hard", "rewritten")
    repository.git("branch", "-D", "rewritten")
    repository.git("reflog", "expire", "--expire=all", "--all")
    repository.git("gc", "--quiet", "--prune=now")


def revert_and_reapply(repository: Repository) -> None:
    repository.passes(90_000)
    for _ in range(2):
        repository.git("revert", "--no-edit", "HEAD")
        repository.passes(90_000)


def reformat(repository: Repository) -> None:
    """A formatter indents everything by tabs; the commit stands in no list of ignored ones."""
    repository.passes(90_000)
    for path in list(repository.lines):
        target = repository.root / path
        text = re.sub(
            r"^( {4})+", lambda m: "\t" * (len(m[0]) // 4), target.read_text(), flags=re.MULTILINE
        )
        target.write_text(text)
        shown = text.splitlines()
        known = zip(shown, repository.lines[path], strict=True)
        repository.lines[path] = [(new, origin) for new, (_, origin) in known]
    repository.git("commit", "-am", "Indent by tabs")


WAYS = (amend, rebase, squash, cherry_pick, rename, force_push, revert_and_reapply, reformat)
