"""T7: vectors and codes are damaged; no memory is invented, none stays hidden, nothing crashes."""

import os
import random
import shutil

import apsw
import pytest

from reliability.filling import fill, use_model
from reliability.stand import SEED, Stand, in_this_process, say, scale
from satchel.engine.search import vector_scoring
from satchel.engine.search import vectors as vectors_module
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
_KNOWN = 40
_METHODS = ("fast", "hybrid", "semantic")
_QUESTIONS = ("tok7x the lamp of harbour", "which harbour burns", "tok31x")
#: What stands in a row after a bad bit in a record's header: another type, another length.
_ODD = (None, 5, -(2**62), 2.5, "text", "ü", b"", b"\0", b"x" * 3, bytes(388), b"\xff" * 388,
        b"\xff" * 400, bytes(10_000))  # fmt: skip
_COLUMNS = ("vectors.vector", "token_codes.tokens", "codes.code", "pieces.passages")


@pytest.fixture
def stand(tmp_path: os.PathLike[str]) -> Stand:
    """A project whose memories all have vectors and codes; the index is kept aside, whole."""
    place = Stand(os.fspath(tmp_path))
    with place.workspace() as workspace:
        fill(workspace, [f"tok{n}x the lamp of harbour {n % 9} burns" for n in range(_KNOWN)])
        use_model(workspace)
        assert workspace.embed().done == _KNOWN
        database = workspace.memories.own.index.database
        database.write("INSERT OR IGNORE INTO codes SELECT doc_id, randomblob(48) FROM documents")
        workspace.memories.own.index.compact()
    shutil.copyfile(place.state.index, place.path("whole"))
    return place


def restore(stand: Stand) -> None:
    for ending in ("-wal", "-shm", ".damaged", ".damaged-wal", ".damaged-shm"):
        if os.path.exists(stand.state.index + ending):
            os.unlink(stand.state.index + ending)
    shutil.copyfile(stand.path("whole"), stand.state.index)


def judged(workspace: Workspace, *, mend: bool) -> tuple[list[str], bool]:
    """Ask by every method; return what is wrong, and whether the index was rebuilt."""
    wanted = {f"tok{n}x the lamp of harbour {n % 9} burns" for n in range(_KNOWN)}
    wrong = []
    use_model(workspace)
    for method in _METHODS:
        for question in _QUESTIONS:
            found = workspace.recall(question, method=method, limit=20, weak=True)
            shown = [item.record.content for item in found.items]
            wrong += [f"{method} invents {text!r}" for text in shown if text not in wanted]
            word = question.split()[0]
            if method != "semantic" and word.startswith("tok"):
                wrong += [] if any(word in t for t in shown) else [f"{method} loses {word}"]
    again = os.path.exists(workspace.project.state.index + ".damaged")
    if mend:
        workspace.rebuild()
        use_model(workspace)
        if workspace.embed().done != _KNOWN:
            wrong.append("a rebuild does not bring every vector back")
        best = workspace.recall(_QUESTIONS[0], method="semantic").items
        if not best or not best[0].record.content.startswith("tok7x"):
            wrong.append("a rebuild does not answer as before")
    return wrong, again


def pages_of_vectors(path: str) -> list[int]:
    """Offsets of the pages that hold nothing but vectors, codes and what belongs to them."""
    connection = apsw.Connection(path)
    names = ("vectors", "token_codes", "codes", "pieces", "unembedded", "models")
    rows = connection.execute(
        f"SELECT pgoffset FROM dbstat WHERE name IN ({','.join('?' * len(names))})", names
    ).fetchall()
    connection.close()
    return [int(row[0] or 0) for row in rows]


def test_damaged_pages_of_vectors_invent_and_hide_nothing(stand: Stand) -> None:
    dice = random.Random(SEED)
    count = scale(50, 10_000)
    pages = pages_of_vectors(stand.path("whole"))
    with open(stand.path("whole"), "rb") as file:
        good = file.read()
    built_anew = 0
    for n in range(count):
        data = bytearray(good)
        page = dice.choice(pages)
        kind = dice.randrange(4)
        if kind == 0:
            data[page : page + 4096] = bytes(4096)
        elif kind == 1:
            data[page + dice.randrange(100) : page + 4096] = b""  # shifts what follows
        else:
            for _ in range(dice.choice((1, 3, 40))):
                # The header of a page says where its rows are; hit it as often as the rows.
                at = dice.randrange(120) if dice.random() < 0.5 else dice.randrange(4096)
                data[page + at] ^= 1 << dice.randrange(8)
        restore(stand)
        with open(stand.state.index, "wb") as file:
            file.write(data)
        with stand.workspace() as workspace:
            wrong, again = judged(workspace, mend=n % 10 == 0)
        built_anew += again
        assert not wrong, f"mutant {n}: {wrong[:3]}"
    say("T7 vectors", count, f"{count} mutants, {built_anew} indexes built again, 0 memories "
        "invented or lost, 0 exceptions")  # fmt: skip


@pytest.mark.parametrize("column", _COLUMNS)
def test_a_value_of_another_kind_is_noticed(stand: Stand, column: str) -> None:
    table, name = column.split(".")
    dice = random.Random(SEED)
    for value in _ODD:
        for share in ("1", "(SELECT COUNT(*) FROM documents)"):
            restore(stand)
            connection = apsw.Connection(stand.state.index)
            try:
                connection.execute(
                    f"UPDATE {table} SET {name} = ? WHERE {_KEYS[table]} IN "
                    f"(SELECT {_KEYS[table]} FROM {table} ORDER BY random() LIMIT {share})",
                    (value,),
                )
            except apsw.ConstraintError:
                continue
            finally:
                connection.close()
            with stand.workspace() as workspace:
                wrong, _ = judged(workspace, mend=dice.random() < 0.2)
            assert not wrong, f"{column} = {value!r}: {wrong[:3]}"


_KEYS = {"vectors": "number", "token_codes": "number", "codes": "doc_id", "pieces": "piece"}


def test_upkeep_with_a_damaged_index_ends_without_a_traceback(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_HOME", stand.home)
    monkeypatch.setenv("HOME", stand.person)
    monkeypatch.chdir(stand.repo)
    monkeypatch.setenv("SATCHEL_MODEL_EMBED", "none")
    dice = random.Random(SEED)
    pages = pages_of_vectors(stand.path("whole"))
    for _ in range(scale(8, 500)):
        restore(stand)
        with open(stand.state.index, "r+b") as file:
            file.seek(dice.choice(pages))
            file.write(dice.randbytes(600))
        for words in (["upkeep"], ["stats"], ["doctor"], ["recall", "tok7x"]):
            code, out = in_this_process(words)
            assert code in (0, 5, 7), f"{words}: {out}"
            assert "Traceback" not in out
        assert "tok7x the lamp" in out


def test_a_seeded_bug_is_caught(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that takes every value for a vector."""
    for module in (vectors_module, vector_scoring):
        monkeypatch.setattr(module, "value_bytes", lambda value: value)
    with pytest.raises((TypeError, ValueError)):
        test_a_value_of_another_kind_is_noticed(stand, "vectors.vector")
