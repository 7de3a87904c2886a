"""T3: killed while vectors are made or the index is built; every memory is found, none mixed."""

import os
import random
import signal
import subprocess
import time

import numpy as np
import pytest

from hashed_words import HashedEmbedder
from reliability.filling import OtherModel, fill, use_model
from reliability.stand import SEED, Stand, say, scale
from satchel.engine.search.documents import Filter
from satchel.engine.search.passages import PARTS
from satchel.engine.search.vectors import unpack
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
_ROLES = ("embed", "change", "rebuild")
_KNOWN = 120


def stand_with_memories(root: str) -> Stand:
    stand = Stand(root)
    with stand.workspace() as workspace:
        fill(workspace, [f"tok{n}x the lamp of harbour {n % 9} burns" for n in range(_KNOWN)])
    return stand


def trial(
    stand: Stand,
    dice: random.Random,
    defect: str = "",
    roles: tuple[str, ...] = _ROLES,
    models: tuple[type[HashedEmbedder], ...] = (HashedEmbedder, OtherModel),
) -> str:
    """Let some work, kill each at a moment of its own; say what is wrong afterwards."""
    crowd = [
        stand.start("embed_victim", stand.repo, stand.home, role, defect,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for role in roles
    ]  # fmt: skip
    for process in crowd:
        assert process.stdout
        assert process.stdout.read(3) == b"up\n", process.stderr and process.stderr.read()
    complaints = b""
    for process in dice.sample(crowd, len(crowd)):
        time.sleep(dice.random() ** 2 * 0.3)
        process.send_signal(signal.SIGKILL)
    for process in crowd:
        complaints += process.communicate()[1]
    assert b"Traceback" not in complaints, complaints.decode()
    with stand.workspace() as workspace:
        return looked_at(workspace, dice.choice(models)())


def looked_at(workspace: Workspace, model: HashedEmbedder) -> str:
    """Every memory is there, at once; its vector is there after the next run, and the right one."""
    contents = [item.record.content for item in workspace.memories.list(Filter(), 100_000)]
    if sum("the lamp of" in content for content in contents) != _KNOWN:
        return "memories are missing"
    use_model(workspace, model)
    found = workspace.recall("tok5x the lamp", method="hybrid").items
    if not any(item.record.content.startswith("tok5x") for item in found):
        return "a memory is not found while vectors are missing"
    done = workspace.embed(patience=10)
    if done.left or done.why:
        return f"{done.left} still wait: {done.why}"
    database = workspace.memories.own.index.database
    rows = database.read(
        "SELECT d.title, d.content, d.tags, v.vector, m.identity, v.number FROM documents d "
        "LEFT JOIN vectors v ON v.number / 256 = d.doc_id LEFT JOIN models m USING (model_id) "
        "WHERE d.deleted = 0"
    )
    if any(row[3] is None for row in rows):
        return f"{sum(row[3] is None for row in rows)} documents never get a vector"
    if {row[4] for row in rows} != {model.identity}:
        return "vectors of two models stand side by side"
    values, scales = unpack([row[3] for row in rows])  # type: ignore[misc]
    texts = [
        "\n".join(filter(None, (str(t), f"{c!s} {tags!s}".strip()))) for t, c, tags, *_ in rows
    ]
    wanted = model.embed(texts)
    cosines = ((values.astype(np.float32) * scales[:, None]) * wanted).sum(axis=1)
    if cosines.min() < 0.98 or any(int(row[5] or 0) % PARTS for row in rows):
        return f"a vector is another text's or another model's (cosine {cosines.min():.2f})"
    return "; ".join(workspace.memories.own.index.problems())


def test_killed_while_embedding_nothing_is_lost_or_mixed(tmp_path: os.PathLike[str]) -> None:
    dice = random.Random(SEED)
    trials = scale(5, 300)
    stand = None
    for number in range(trials):
        if number % 20 == 0:
            stand = stand_with_memories(os.path.join(tmp_path, str(number)))
        assert stand is not None
        wrong = trial(stand, dice)
        assert not wrong, f"trial {number}: {wrong}"
    say("T3 embedding", trials, f"{trials} trials, {trials * len(_ROLES)} kills: every memory found "
        "at once, every vector there after the next run, 0 of another model")  # fmt: skip


def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str]) -> None:
    dice = random.Random(SEED)
    for number in range(25):
        # A change of model would ask for every missing vector again, and so hide the bug.
        stand = stand_with_memories(os.path.join(tmp_path, str(number)))
        if trial(stand, dice, "done_first", ("embed", "embed"), (HashedEmbedder,)):
            return
    pytest.fail("done_first was not caught in 25 trials")
