"""The weights of cues: each on its side, and learnt from what is not held out alone."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.signal_weights import OF_THE_TURN, written
from satchel.application.learning.signals.cues import CUES, LABELS
from satchel.application.learning.signals.weights import WEIGHTS


def test_each_weight_is_of_a_cue_and_on_its_side() -> None:
    every = {cue.name: cue for cue in (*CUES, *OF_THE_TURN)}
    assert len(every) == len(CUES) + len(OF_THE_TURN)
    assert set(WEIGHTS) == set(LABELS)
    for label, weights in WEIGHTS.items():
        assert max(weights.values()) >= 1.0  # something is enough by itself
        for name, weight in weights.items():
            assert label in (every[name].speaks if weight > 0 else every[name].against)


def weights_learnt(folder: Path, rows: list[tuple[str, list[str]]]) -> tuple[str, str]:
    """Return what the script prints, and the table that it writes, for turns that were said."""
    turns, out = folder / "turns.jsonl", folder / "weights.py"
    turns.write_text(
        "".join(
            json.dumps({"id": str(n), "text": text, "prev": "", "labels": labels}) + "\n"
            for n, (text, labels) in enumerate(rows)
        )
    )
    run = [sys.executable, "-m", "benchmarks", "signal_weights"]
    run += [str(turns), "--labels", "decision", "--out", str(out)]
    root = Path(__file__).parents[2]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=True, cwd=root)
    return done.stdout, out.read_text()


def is_held_out(text: str) -> bool:
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


def test_weights_are_learnt_from_half_of_what_was_said_and_the_same_each_time(
    tmp_path: Path,
) -> None:
    odd = [
        (f"fyi file {n} is new, let me look", ["decision"])
        for n in range(60)
        if not is_held_out(f"fyi file {n} is new, let me look")
    ]
    told, table = weights_learnt(tmp_path, odd)
    decided = sum("decision" in turn.labels for turn in written())
    assert f"{'decision':10} {decided + len(odd):3} of" in told
    assert '"let us"' in table
    # What is held out teaches nothing, whatever its labels; and the same is learnt each time.
    even: list[tuple[str, list[str]]] = [
        (f"let's use sqlite {n}", []) for n in range(60) if is_held_out(f"let's use sqlite {n}")
    ]
    told, again = weights_learnt(tmp_path, [*odd, *even])
    assert again == table
    assert f"decision     0 of {len(even)} held out" in told
