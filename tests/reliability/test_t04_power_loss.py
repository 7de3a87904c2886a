"""T4: the power fails. Every disk that may then be found holds what was acknowledged."""

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from reliability.stand import SEED, Stand, say, scale
from reliability.workers import power
from reliability_kit.crash_images import (
    CrashImage,
    Trace,
    acked,
    crash_images,
    load_trace,
    materialise,
    unexplained,
)
from reliability_kit.oracle import Logged, check, digest
from reliability_kit.shim import run_with_shim
from satchel.application.learning.listening.draining import pending_records
from satchel.core.clock import Clock
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record

pytestmark = pytest.mark.torture
_BUGS = {
    "append": ("no_fsync", "ack_first"),
    "rotation": ("no_fsync", "rotate_ledger_first"),
    "inbox": ("no_fsync", "no_directory_fsync", "drain_unlinks_first"),
    "share": ("no_fsync", "ack_first"),
    "replace": ("rename_without_flush", "no_directory_fsync", "overwrite_in_place"),
}


def traced(stand: Stand, scenario: str, defect: str = "") -> Trace:
    """Tell one story under the shim."""
    directory = stand.path("store")
    os.makedirs(os.path.join(directory, "tree", ".satchel"))
    trace = stand.path("trace")
    done = run_with_shim(
        [sys.executable, "-m", "reliability.workers.power", scenario, directory, defect],
        prefix=directory,
        env=stand.env,
        trace=trace,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    story = load_trace(trace)
    hidden = [path for path in unexplained(story, directory) if not path.endswith("-shm")]
    assert hidden == [], "the shim did not see these writes"
    return story


def failures(trace: Trace, scenario: str, scratch: str, n: int) -> Iterator[str]:
    """Judge n images; say what is wrong, image by image."""
    for image in crash_images(trace, SEED, n):
        place = os.path.join(scratch, "image")
        shutil.rmtree(place, ignore_errors=True)
        materialise(image, place)
        fault = judged_file(image) if scenario == "replace" else judged(image, place, scenario)
        if fault:
            yield f"image {image.number}, cut {image.cut}: {fault}"


def judged_file(image: CrashImage) -> str:
    """A replaced file is one of its contents, and none older than the last promised."""
    promises = acked(image)
    least = max((int(line.split(" ")[0]) for line in promises), default=-1)
    here = image.files.get("state/settings.json")
    if here is None:
        return "" if least < 0 else "gone"
    allowed = [power.body_of(n) for n in range(max(least, 0), power.COUNT)]
    return "" if here in allowed else "neither the old content nor the new"


def judged(image: CrashImage, place: str, scenario: str) -> str:
    intents = [
        Logged("write", f"tok0x{n}", digest(power.content_of(n)), acked=False)
        for n in range(power.COUNT)
    ]
    promised = [line.split(" ") for line in acked(image)]
    promises = [Logged("write", f"tok0x{n}", sha, acked=True) for n, sha in promised]
    if scenario == "inbox":
        standing = {digest(r.content) for r in pending_records(power.inbox_of(place))}
        present = drained(place)
        standing |= {sha for _, sha in present}
        lost = [entry.id for entry in promises if entry.sha256 not in standing]
        if lost:
            return f"neither in the inbox nor in the ledger: {lost[:5]}"
    elif scenario == "share":
        tracked = os.path.join(place, "tree", ".satchel", "knowledge.jsonl")
        present = shown(Ledger(tracked, place + ".lock", clock=Clock()))
    else:
        present = shown(power.ledger_of(place))
    verdict = check([*intents, *promises], present)
    if not verdict.ok:
        return verdict.describe()
    return works_again(place) if image.number % 10 == 0 else ""


def shown(ledger: Ledger) -> list[tuple[str, str]]:
    """What a reader takes for a record; a damaged line is none, and is noticed."""
    lines = {line.raw: line.record for line in ledger.read()}
    whole = [record for record in lines.values() if record and not record.edited]
    return [(record.content.split(":")[0], digest(record.content)) for record in whole]


def drained(place: str) -> list[tuple[str, str]]:
    """Start again after the power is back: the next reader drains what is there."""
    drainer = power.drainer_of(place)
    try:
        drainer.memories.index.catch_up(drainer.memories.sources)
        drainer.drain(60)
    finally:
        drainer.memories.index.database.close()
        drainer.memories.ledgers.close()
    return shown(power.ledger_of(place))


def works_again(place: str) -> str:
    ledger = power.ledger_of(place)
    ledger.append([Record(kind="learned", content="tok0x99: after the power came back", key="z")])
    found = [token for token, _ in shown(ledger)]
    ledger.close()
    return "" if "tok0x99" in found else "what was written after the power loss is not there"


@pytest.mark.parametrize("scenario", sorted(power.SCENARIOS))
def test_a_power_loss_takes_nothing_that_was_acknowledged(
    tmp_path: os.PathLike[str], scenario: str
) -> None:
    stand = Stand(os.fspath(tmp_path))
    trace = traced(stand, scenario)
    images = scale(150, 10_000)
    wrong = list(failures(trace, scenario, stand.root, images))
    assert not wrong, f"{len(wrong)} of {images} images: {wrong[:3]}"
    say(f"T4 {scenario}", images, f"{images} images of {power.COUNT} acknowledged changes, "
        f"{len(trace.records) - trace.start} traced records, 0 lost, 0 altered")  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "defect"), [(name, bug) for name, bugs in _BUGS.items() for bug in bugs]
)
def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str], scenario: str, defect: str) -> None:
    stand = Stand(os.fspath(tmp_path))
    assert next(failures(traced(stand, scenario, defect), scenario, stand.root, 300), "")
