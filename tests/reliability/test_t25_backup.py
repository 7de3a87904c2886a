"""T25: a backup made beside eight writers is one moment; each restore is that moment."""

import contextlib
import glob
import json
import os
import random
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from reliability.filling import fill
from reliability.stand import FULL, SEED, Stand, finish, say, scale, sentence, start_together
from satchel.application.exchange.backups import restoring
from satchel.application.exchange.backups import snapshot as cutting
from satchel.application.exchange.backups.snapshot import SnapshotFile, take_snapshot
from satchel.application.exchange.backups.vault import Backup, Vault
from satchel.core.errors import NotReadableError
from satchel.engine.search.documents import Filter
from satchel.project.approvals.rules import KIND as APPROVAL
from satchel.project.inventory import LEDGER, home_files, local_path
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.paths import UserHome
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
_WRITERS = 8
#: Lines move to archives all the while.
_ROTATING = "[rotation]\nabove = 60\nmove = 30\n"


class Taken(NamedTuple):
    backup: Backup
    began: float
    ended: float


def storm(stand: Stand, count: int, every: float) -> tuple[list[Taken], list[dict[str, Any]]]:
    """Back the home up `count` times beside the writers; return the backups and the writes."""
    folder = stand.path("crowd")
    os.mkdir(folder)
    pause = 0.01 if FULL else 0.05
    words = (stand.repo, stand.home)
    crowd = [
        stand.start("backed_up", *words, number, SEED, pause, folder) for number in range(_WRITERS)
    ]
    start_together(folder, crowd)
    home, vault, taken = UserHome(stand.home), Vault(stand.home + "-backups"), []
    time.sleep(0.5)
    for _ in range(count):
        began = time.time()
        with vault.lock():
            vault.prepare()
            backup = vault.keep(take_snapshot(home), made=began)
        taken.append(Taken(backup, began, time.time()))
        time.sleep(max(0.0, every - (time.time() - began)))
    with open(os.path.join(folder, "stop"), "w", encoding="utf-8"):
        pass
    finish(crowd)
    done = []
    for path in glob.glob(os.path.join(folder, "*.log")):
        with open(path, encoding="utf-8") as file:
            done += [{"writer": path, **json.loads(line)} for line in file]
    return taken, done


def restored(stand: Stand, backup: Backup, name: str, at: float | None = None) -> UserHome:
    """Restore into a home of its own."""
    home = UserHome(stand.path(name))
    vault, safe = Vault(stand.home + "-backups"), Vault(stand.path(name + "-safe"))
    restoring.restore(home, vault, backup, safe, now=time.time(), at=at)
    return home


def lines_of(home: UserHome) -> set[tuple[str, int, str]]:
    found = set()
    for one in home_files(home):
        if one.sort == LEDGER:
            for raw in split_lines(read_file(local_path(home.path, one.path))):
                record = decode(raw).record
                assert record is not None
                assert not record.edited, "a line is torn"
                if record.kind == APPROVAL:
                    continue  # of the beginning of the project, before the writers
                found.add((record.id, record.rev, record.hash))
    return found


def broken_moment(one: Taken, home: UserHome, done: list[dict[str, Any]]) -> list[str]:
    """Say how a restored home is not one moment between the beginning and the end; [] is good."""
    there = lines_of(home)
    wrong = []
    present: dict[str, int] = {}
    for op in done:
        held = (op["id"], op["rev"], op["hash"]) in there
        if held:
            present[op["writer"]] = max(op["n"], present.get(op["writer"], -1))
        if op["acked"] < one.began and not held:
            wrong.append(f"{op['id']} was acknowledged before the backup and is lost")
        if op["began"] > one.ended and held:
            wrong.append(f"{op['id']} is from later")
    wrong += [
        f"{op['id']} is missing before something that came after it"
        for op in done
        if op["n"] < present.get(op["writer"], -1)
        and (op["id"], op["rev"], op["hash"]) not in there
    ]
    known = {(op["id"], op["rev"], op["hash"]) for op in done}
    return wrong + [f"{mark} was written by nobody" for mark in there - known]


def model_at(done: list[dict[str, Any]], at: float) -> dict[str, str]:
    """What should be remembered at a moment: identity -> content."""
    newest: dict[str, dict[str, Any]] = {}
    for op in done:
        known = newest.get(op["identity"])
        order = (op["ts"], op["id"], op["rev"])
        if op["ts"] <= at and (known is None or order > (known["ts"], known["id"], known["rev"])):
            newest[op["identity"]] = op
    return {name: op["content"] for name, op in newest.items() if not op["deleted"]}


def remembered(stand: Stand, home: UserHome) -> dict[str, str]:
    with Workspace.open(stand.repo, home=home.path) as workspace:
        items = workspace.memories.list(Filter(), 1_000_000)
        return {item.record.identity: item.record.content for item in items}


def test_each_backup_beside_eight_writers_restores_to_its_moment(
    tmp_path: os.PathLike[str],
) -> None:
    stand = Stand(os.fspath(tmp_path), settings=_ROTATING)
    taken, done = storm(stand, scale(5, 30), scale(1, 10))
    for number, one in enumerate(taken):
        home = restored(stand, one.backup, f"moment{number}")
        assert broken_moment(one, home, done) == []
    last, dice = taken[-1], random.Random(SEED)
    begin = min(op["began"] for op in done)
    safe_end = min(last.began, max(op["acked"] for op in done))
    points = scale(5, 100)
    for number in range(points):
        at = float(int(dice.uniform(begin, safe_end - 1)))
        home = restored(stand, last.backup, f"point{number}", at=at)
        assert remembered(stand, home) == model_at(done, at)
        there = {mark[0] for mark in lines_of(home)}
        late = [op for op in done if op["began"] >= at + 2 and op["rev"] == 0]
        assert not [op["id"] for op in late if op["id"] in there]
    say(
        "T25",
        len(taken) + points,
        f"{len(taken)} backups beside {_WRITERS} writers ({len(done)} writes), each restored to "
        f"its moment; {points} points in time equal to the model; 0 acknowledged writes lost",
    )


def test_a_seeded_bug_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ledgers read one after another, as `cp -r` does, are no moment."""

    def one_after_another(home: UserHome) -> Iterator[SnapshotFile]:
        for one in home_files(home):
            with contextlib.ExitStack() as opened:
                piece = cutting._opened(home, one, opened)
                if piece is not None:
                    yield piece
                    time.sleep(0.3)  # held open: what is appended meanwhile is seen by the next

    monkeypatch.setitem(globals(), "take_snapshot", one_after_another)
    stand = Stand(os.fspath(tmp_path))
    taken, done = storm(stand, 1, 1)
    home = restored(stand, taken[0].backup, "moment")
    assert broken_moment(taken[0], home, done)


def test_a_restore_is_quick_and_leaves_the_index_to_be_built(
    tmp_path: os.PathLike[str],
) -> None:
    stand = Stand(os.fspath(tmp_path))
    count = scale(1500, 100_000)
    dice = random.Random(SEED)
    with stand.workspace() as workspace:
        fill(workspace, [f"n{n}: {sentence(dice, 20)}" for n in range(count)])
    assert stand.satchel("backup", timeout=600).code == 0
    before = lines_of(UserHome(stand.home))
    os.unlink(stand.state.ledger("knowledge"))
    began = time.monotonic()
    done = stand.satchel("restore", "latest", "--yes", timeout=600)
    seconds = time.monotonic() - began
    assert done.code == 0, done.text
    assert lines_of(UserHome(stand.home)) == before
    if FULL:
        assert seconds <= 30
    say("T25", 1, f"{count} items restored, index built again, in {seconds:.1f} s")


def test_a_restore_that_is_killed_is_all_or_nothing(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    assert stand.satchel("learn", "the first of all lessons").code == 0
    assert stand.satchel("remember", "--kind", "activity", "somebody came").code == 0
    vault, home = Vault(stand.home + "-kept"), UserHome(stand.home)
    vault.prepare()
    first = vault.keep(take_snapshot(home), made=time.time())
    old = lines_of(home)
    assert stand.satchel("learn", "the second of all lessons").code == 0
    assert stand.satchel("remember", "--kind", "activity", "somebody went").code == 0
    second = vault.keep(take_snapshot(home), made=time.time())
    new = lines_of(home)
    seen, kills = set(), 0
    while True:
        words = (stand.home, vault.path, first.name, kills)
        with stand.start("restorer", *words) as process:
            code = process.wait(timeout=60)
        with stand.workspace():
            pass  # whoever opens a project finishes what was begun
        there = lines_of(home)
        assert there in (old, new), f"killed at rename {kills}"
        seen.add(there == old)
        if code == 0:
            break
        assert code == 9
        safe = Vault(stand.path("safe"))
        restoring.restore(home, vault, second, safe, now=time.time())
        assert lines_of(home) == new
        kills += 1
    assert seen == {True, False}
    say("T25", kills, "a restore killed at every rename is there wholly or not at all")


def test_a_damaged_backup_is_refused_by_name(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    assert stand.satchel("learn", "the only lesson").code == 0
    assert stand.satchel("backup").code == 0
    dice = random.Random(SEED)
    before = lines_of(UserHome(stand.home))
    for path in glob.glob(stand.home + "-backups/objects/*/*"):
        with open(path, "rb") as file:
            whole = file.read()
        broken = bytearray(whole)
        broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
        with open(path, "wb") as file:
            file.write(bytes(broken))
        told = stand.satchel("restore", "latest", "--yes")
        assert told.code == 5, told.text
        assert "damaged" in told.text
        assert stand.satchel("backup", "--verify").code == 1
        assert lines_of(UserHome(stand.home)) == before
        with open(path, "wb") as file:
            file.write(whole)
    assert stand.satchel("backup", "--verify").code == 0


def test_a_restore_that_trusts_the_disk_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded: contents are handed on without comparing their hashes."""
    import zlib

    stand = Stand(os.fspath(tmp_path))
    assert stand.satchel("learn", "the only lesson").code == 0
    vault = Vault(stand.path("kept"))
    vault.prepare()
    backup = vault.keep(take_snapshot(UserHome(stand.home)), made=time.time())
    (ledger,) = [one for one in backup.files if one.file.path.endswith("knowledge.jsonl")]
    mark = ledger.blocks[0]
    path = os.path.join(vault.path, "objects", mark[:2], mark[2:])
    with open(path, "wb") as file:
        file.write(zlib.compress(b"another thing\n"))
    with pytest.raises(NotReadableError, match=r"knowledge\.jsonl"):
        list(vault.contents(ledger))

    def trusting(self: Vault, one: Any) -> Iterator[bytes]:
        for name in one.blocks:
            with open(os.path.join(self.path, "objects", name[:2], name[2:]), "rb") as file:
                yield zlib.decompress(file.read())

    monkeypatch.setattr(Vault, "contents", trusting)
    assert b"".join(vault.contents(ledger)) == b"another thing\n"
