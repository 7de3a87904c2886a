"""Lines keep their prompts whatever becomes of the commits: forty lines, eight ways to rewrite."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import Repository, new_repository
from integration.thread_story import feature_branch, main_branch
from satchel.application.thread.explaining import Explainer
from satchel.application.thread.sessions import is_prompt
from satchel.features.thread.values import CERTAIN
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LINES = 40


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


@pytest.fixture
def repository(machine: Machine) -> Repository:
    made = new_repository(machine)
    main_branch(made, machine.home)
    feature_branch(made, machine.home)
    return made


def asked_by(work: Workspace, session: str, place: int) -> str:
    turns = work.sessions.archive.archived(session).turns
    return turns[place].text if 0 <= place < len(turns) and is_prompt(turns[place]) else ""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_lines_keep_their_prompts(
    machine: Machine,
    repository: Repository,
    way: Callable[[Repository], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    way(repository)
    known = [
        (path, number, origin)
        for path, lines in sorted(repository.lines.items())
        for number, (text, origin) in enumerate(lines, 1)
        if origin is not None and text.strip()
    ]
    chosen = set(random.Random(7).sample(known, LINES))
    hands = [
        (path, number, None)
        for path, lines in repository.lines.items()
        for number, (text, origin) in enumerate(lines, 1)
        if origin is None and text.strip()
    ]
    monkeypatch.setenv("HOME", str(machine.home))
    right, wrong, certain = 0, [], Counter[bool]()
    with Workspace.open(str(repository.root), home=str(machine.home / ".satchel")) as work:
        explainer = Explainer(work, str(repository.root))
        assert explainer.known.store.counts()["sessions"] == 4
        for path in sorted({path for path, _, _ in chosen}):
            story = explainer.why(f"{path}:1-{len(repository.lines[path])}")
            assert story is not None
            for line in story.lines:
                origin = next((o for p, n, o in chosen if (p, n) == (path, line.line)), None)
                if origin is None:
                    # What a person typed is nobody's for certain.
                    sure = [one for one in line.origin if one.confidence == CERTAIN]
                    assert (path, line.line, None) not in hands or not sure, line
                    continue
                best = line.origin[0] if line.origin else None
                told = (best.session, asked_by(work, best.session, best.place)) if best else None
                if told == origin:
                    right += 1
                else:
                    wrong.append((path, line.line, line.text, told, origin, best))
                if best is not None and best.confidence == CERTAIN:
                    certain[told == origin] += 1
    print(
        f"\n{way.__name__:<20} {right} of {LINES} right, {certain[True]} certain and right, "
        f"{certain[False]} certain and wrong"
    )
    for one in wrong:
        print("   ", *one)
    assert certain[False] == 0, wrong
    assert right >= LINES * 0.9, wrong
    assert certain[True] >= LINES / 2
