"""T6: the disk is full, read-only, or not there."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from reliability.stand import SEED, Ran, Stand, judged_output, payload, say, scale
from reliability_kit.oracle import Logged, check, digest
from reliability_kit.shim import run_with_shim
from satchel.engine.search.documents import Filter

pytestmark = pytest.mark.torture
_TOKEN = re.compile(r"tok0x\d+|note\d+n")
_ORDINARY = (sys.executable, "-m", "reliability.workers.ordinary")


@pytest.fixture
def small_disk(tmp_path: os.PathLike[str]) -> Iterator[str]:
    """A disk of 1.5 MB; "" where this machine lets nobody mount one."""
    place = os.path.join(tmp_path, "disk")
    os.mkdir(place)
    line = ["mount", "-t", "tmpfs", "-o", "size=1500k,mode=700", "tmpfs", place]
    done = subprocess.run(line, capture_output=True)
    if done.returncode:
        yield ""
        return
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def fill(disk: str, leave: int) -> None:
    """Leave so many bytes."""
    ballast = os.path.join(disk, "ballast")
    if os.path.exists(ballast):
        os.unlink(ballast)
    free = os.statvfs(disk)
    room = max(0, free.f_bavail * free.f_frsize - leave)
    with open(ballast, "wb") as file:
        file.write(b"\0" * room)


def emptied(stand: Stand, sizes: dict[str, int]) -> list[str]:
    """Files that held something and are empty now."""
    return [
        path for path, size in sizes.items()
        if size and not path.endswith(("-wal", "-shm"))
        and os.path.exists(path) and not os.path.getsize(path)
    ]  # fmt: skip


def sizes_below(place: str) -> dict[str, int]:
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names]
    return {path: os.path.getsize(path) for path in paths if os.path.exists(path)}


def clear(ran: Ran, allowed: tuple[int, ...]) -> str:
    if ran.code not in allowed or b"Traceback" in ran.err:
        return f"exit {ran.code}: {ran.text}"
    return ""


def test_a_full_disk_harms_nothing(tmp_path: os.PathLike[str], small_disk: str) -> None:
    points = scale(20, 200)
    if not small_disk:
        full_by_shim(Stand(os.path.join(tmp_path, "p")), points)
        return
    home = os.path.join(small_disk, "home")
    stand = Stand(os.path.join(tmp_path, "p"), settings="", home=home)
    logged = [Logged("write", "tok0x0", digest("tok0x0: known before"), acked=True)]
    assert stand.satchel("learn", "tok0x0: known before").code == 0
    dice = random.Random(SEED)
    wrong, refused = [], 0
    for n in range(1, points + 1):
        leave = dice.choice((0, 0, 4096, 8192, 16_384, 40_000, 80_000, dice.randrange(300_000)))
        fill(small_disk, leave)
        sizes = sizes_below(home)
        content = f"tok0x{n}: " + "filling the disk " * dice.choice((1, 10, 500))
        saved = stand.satchel("learn", content)
        logged.append(Logged("write", f"tok0x{n}", digest(content.strip()), acked=not saved.code))
        refused += bool(saved.code)
        read = stand.satchel("recall", "known before")
        hooks = [stand.satchel("hook", event, stdin=payload(event, n))
                 for event in ("PostToolUse", "SessionStart", "UserPromptSubmit")]  # fmt: skip
        faults = [clear(saved, (0, 5)), clear(read, (0,)), *(clear(ran, (0,)) for ran in hooks)]
        if b"tok0x0" not in read.out:
            faults.append(f"reading does not work: {read.text}")
        faults += [judged_output(ran.out) for ran in hooks]
        faults += [f"{path} is empty now" for path in emptied(stand, sizes)]
        wrong += [f"point {n}, {leave} bytes left: {fault}" for fault in faults if fault]
        os.unlink(os.path.join(small_disk, "ballast"))
        if n % 10 == 0 or n == points:
            missing = check([*logged, *_notes(points)], shown(stand))
            wrong += [missing.describe()] * (not missing.ok)
    assert not wrong, f"{len(wrong)} wrong:\n" + "\n".join(wrong[:6])
    assert refused, "the disk was never full"
    say("T6", points, f"{points} fill points of a tmpfs of 1.5 MB, {refused} writes refused before "
        "an acknowledgement, every read answered, every hook exit 0, no file emptied")  # fmt: skip


def _notes(count: int) -> list[Logged]:
    lesson = "Lesson number {} of the torture run: keep note{}n in mind"
    return [Logged("write", f"note{n}n", digest(lesson.format(n, n)), acked=False)
            for n in range(count + 1)]  # fmt: skip


def shown(stand: Stand) -> list[tuple[str, str]]:
    with stand.workspace() as workspace:
        workspace.listening.drain(60)
        items = workspace.memories.list(Filter(), 10_000)
    found = [(_TOKEN.search(item.record.content), item.record.content) for item in items]
    return [(match.group(), digest(content)) for match, content in found if match]


def full_by_shim(stand: Stand, points: int) -> None:
    """Where nothing can be mounted: no write succeeds from the k-th on."""
    from reliability.stand import command

    logged = []
    for n in range(points):
        content = f"tok0x{n}: filling the disk"
        fault = f"anywrite:{n % 12 + 1}:ENOSPC:sticky"
        done = run_with_shim([command(), "learn", content], prefix=stand.home, env=stand.env,
                             fault=fault, cwd=stand.repo)  # fmt: skip
        assert done.returncode in (0, 5), done.stderr
        assert b"Traceback" not in done.stderr
        logged.append(Logged("write", f"tok0x{n}", digest(content), acked=not done.returncode))
    assert check(logged, shown(stand)).ok
    say("T6 (no tmpfs here: sticky ENOSPC by the shim)", points, "0 lost, each refusal clear")


def as_ordinary(stand: Stand, *words: str, **options: object) -> Ran:
    return stand.satchel(*words, before=_ORDINARY, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("what", ["home", "state", "ledgers", "inbox", "everything"])
def test_a_read_only_place_is_read_and_never_breaks_a_hook(
    tmp_path: os.PathLike[str], what: str
) -> None:
    stand = Stand(os.fspath(tmp_path))
    assert stand.satchel("learn", "tok0x0: known before").code == 0
    places = {
        "home": [stand.home],
        "state": [stand.state.path],
        "ledgers": [stand.state.ledgers],
        "inbox": [stand.state.inbox],
        "everything": [folder for folder, _, _ in os.walk(stand.home)],
    }[what]
    os.makedirs(stand.state.inbox, exist_ok=True)
    files = [os.path.join(d, n) for d, _, names in os.walk(stand.home) for n in names]
    locked = [*places, *(files if what == "everything" else [])]
    for path in locked:
        os.chmod(path, 0o500 if os.path.isdir(path) else 0o400)
    try:
        wrong = [clear(as_ordinary(stand, "learn", "tok0x1: new"), (0, 5))]
        read = as_ordinary(stand, "recall", "known before")
        wrong.append(clear(read, (0,)) or ("" if b"tok0x0" in read.out else "nothing is found"))
        for event in ("SessionStart", "PostToolUse", "UserPromptSubmit", "SessionEnd"):
            ran = as_ordinary(stand, "hook", event, stdin=payload(event, 1))
            wrong += [clear(ran, (0,)), judged_output(ran.out)]
    finally:
        for path in locked:
            os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)
    assert not any(wrong), "\n".join(filter(None, wrong))
    assert stand.satchel("learn", "tok0x2: works again").code == 0


@pytest.mark.parametrize("home", ["/proc/satchel", "/dev/null", "/dev/null/below", ""])
def test_a_home_that_cannot_be_made_is_a_clear_error(tmp_path: os.PathLike[str], home: str) -> None:
    stand = Stand(os.fspath(tmp_path))
    env = {**stand.env, "SATCHEL_HOME": home}
    if not home:
        del env["SATCHEL_HOME"]
        env["HOME"] = "/dev/null"
    wrong = [clear(stand.satchel("learn", "anything at all", env=env), (5,))]
    wrong += [clear(stand.satchel("recall", "anything", env=env), (0, 5))]
    for event in ("SessionStart", "PostToolUse", "SubagentStop"):
        ran = stand.satchel("hook", event, stdin=payload(event, 1), env=env)
        wrong += [clear(ran, (0,)), judged_output(ran.out)]
    assert not any(wrong), "\n".join(filter(None, wrong))


def test_a_vanished_home_loses_nothing_but_itself(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    os.rename(stand.home, stand.home + ".away")
    assert stand.satchel("hook", "PostToolUse", stdin=payload("PostToolUse", 1)).code == 0
    assert stand.satchel("learn", "starts over").code == 0


def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str], small_disk: str) -> None:
    """A writer that takes a failed write for a good one, on the full disk."""
    if not small_disk:
        pytest.skip("no disk can be mounted here; T5 plants this bug under the shim")
    stand = Stand(os.path.join(tmp_path, "p"), home=os.path.join(small_disk, "home"))
    with stand.workspace() as workspace:
        workspace.learn("tok0x0: known before")
    path = stand.state.ledger("knowledge")
    with open(path, "ab") as file:  # to the end of its page: the next line needs a new one
        file.write(b"\n" * (-os.path.getsize(path) % 4096))
    fill(small_disk, 0)
    done = stand.start("chores", "learn", stand.repo, stand.home, "errors_swallowed")
    acked = done.wait() == 0
    os.unlink(os.path.join(small_disk, "ballast"))
    content = "tok0x50: saved while the disk was failing"
    logged = [Logged("write", "tok0x50", digest(content), acked=acked)]
    present = [pair for pair in shown(stand) if pair[0] == "tok0x50"]
    assert acked
    assert check(logged, present).missing
