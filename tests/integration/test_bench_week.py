"""The replayed week: every figure of a made-up one, and that each can be wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks import week_figures
from benchmarks.week import RELEASE, Week, compare, of_release, renew, table
from benchmarks.week_figures import Figures, concerns, corrections, of_session, says
from benchmarks.week_replay import Moment, recorded
from integration.installed import needs_command
from integration.transcripts_made import Transcript

needs_satchel = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
ROOT = Path(__file__).parents[2]
RULE = "no, never edit files below generated/ by hand"
_WORKED = "/home/somebody/elsewhere"


def week(tmp_path: Path) -> list[str]:
    """Two days: one that teaches, one that could have known."""
    first = (
        Transcript(_WORKED, "5d3a1c9e-0000-4000-8000-000000000001")
        .person("please renew the client of the billing service")
        .runs("Edit", f"{_WORKED}/generated/client.py")
        .person(RULE)
        .agent("Understood.")
        .person("now format the other modules")
        .runs("Bash", 'bd comment b-1 "LEARNED: billing needs the tunnel of scripts/tunnel.sh"')
    )
    second = (
        Transcript(_WORKED, "5d3a1c9e-0000-4000-8000-000000000002")
        .person("why do the tests of billing hang?")
        .runs("Bash", "make billing", "Exit code 2")
        .runs("Bash", "make billing", "Exit code 2")
        .runs("Bash", "sh scripts/tunnel.sh")
        .runs("Bash", "make billing")
        .runs("Edit", f"{_WORKED}/generated/other.py")
        .person(f"{RULE}!")
    )
    paths = []
    for day, made in (("05", first), ("06", second)):
        for record in made.records:
            record["timestamp"] = record["timestamp"].replace("2026-01-02", f"2026-01-{day}")
        paths.append(made.write(str(tmp_path / "made" / f"{day}.jsonl")))
    return paths


def run(paths: list[str], *words: str, seed: str = "") -> Any:
    """Replay in a process of its own, with a bug if one is given."""
    code = f"from benchmarks import week, week_figures, week_replay\n{seed}\nweek.main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--only", "--json", *words, *paths],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


DAYS = {
    "2026-01-05": Figures(
        sessions=1, prompts=3, kept=2, suggestions=1, accepted=1, nudges=1, corrections=1
    ),
    # The rule stands in CLAUDE.md by now; the lesson is shown to the session, which runs the script.
    "2026-01-06": Figures(
        sessions=1, prompts=2, nudges=1, items=2, touched_items=1, corrections=1, repeats=1
    ),
}
#: A client that is killed: nobody hears that the session ended.
NO_END = """
hook = week_replay.Machine.hook
week_replay.Machine.hook = lambda self, event, *rest: (
    "" if event == "SessionEnd" else hook(self, event, *rest)
)
"""
#: Writes down what is counted, session by session.
COUNTED = """
import json
sound = week.of_session
def of_session(*given):
    with open({path!r}, "a") as file:
        file.write(json.dumps(given) + chr(10))
    return sound(*given)
week.of_session = of_session
"""
TOKENS = ("item_tokens", "touched_tokens", "tokens")


def counted(row: dict[str, int]) -> dict[str, int]:
    """A day without its tokens, which the wording of briefs decides."""
    return {name: number for name, number in row.items() if name not in TOKENS}


class Made(NamedTuple):
    """What the made-up week came to, and what was counted of each session: see `of_session`."""

    found: Any
    sessions: list[Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("week")
    path = folder / "counted.jsonl"
    found = run(week(folder), seed=COUNTED.format(path=str(path)))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return Made(found, [([Moment(*one) for one in said], *held) for said, *held in lines])


@needs_satchel
def test_every_figure_of_a_made_week(tmp_path: Path, made: Made) -> None:
    found = run(week(tmp_path)[::-1])
    assert found == made.found  # the same figures each time, in the order of the sessions
    days = found["days"]
    total = days.pop("all")
    assert {day: counted(row) for day, row in days.items()} == {
        day: counted(asdict(row)) for day, row in DAYS.items()
    }
    assert all(total[name] == sum(row[name] for row in days.values()) for name in total)
    assert 0 < total["touched_tokens"] < total["item_tokens"] < total["tokens"]
    assert found["touched/1k"] == round(1000 * total["touched_items"] / total["tokens"], 2)


@needs_satchel
def test_what_nobody_accepted_is_known_and_not_said(tmp_path: Path) -> None:
    second = run(week(tmp_path), "--accept", "none")["days"]["2026-01-06"]
    assert (second["repeats"], second["unsaid"]) == (1, 1)
    assert second["accepted"] == 0


@needs_satchel
@pytest.mark.parametrize(
    ("seed", "wrong"),
    [
        (NO_END, "suggestions"),
        ("week_replay._NO_PROMPT = ('no, never',)", "prompts"),
        ("week.accept = lambda machine, tiers: None", "accepted"),
    ],
)
def test_seeded_bugs_are_caught(tmp_path: Path, seed: str, wrong: str) -> None:
    found = run(week(tmp_path), seed=seed)["days"]
    assert any(found[day][wrong] != asdict(row)[wrong] for day, row in DAYS.items())


@needs_satchel
@pytest.mark.parametrize(
    ("name", "bug", "wrong"),
    [
        ("touched", lambda _: "", "touched_items"),
        ("says", lambda *_: False, "repeats"),
        ("NUDGE", "none", "nudges"),
    ],
)
def test_seeded_bugs_of_counting_are_caught(
    made: Made, monkeypatch: pytest.MonkeyPatch, name: str, bug: Any, wrong: str
) -> None:
    sound = [asdict(row)[wrong] for row in DAYS.values()]
    assert [asdict(of_session(*one))[wrong] for one in made.sessions] == sound
    monkeypatch.setattr(week_figures, name, bug)
    assert [asdict(of_session(*one))[wrong] for one in made.sessions] != sound


# What is counted


def test_what_concerns_a_session() -> None:
    lesson = "billing needs the tunnel of scripts/tunnel.sh"
    assert concerns(lesson, "sh scripts/tunnel.sh")
    assert concerns("hooks for restore and reset are missing", "grep hooks restore reset")
    assert not concerns(lesson, "make billing")
    assert not concerns("", "make billing")


def test_what_corrects() -> None:
    assert corrections(Moment("person", f"{RULE}. Looks fine otherwise!")) == [f"{RULE}."]
    assert corrections(Moment("refusal", "Entire Incorporated holds copyright"))
    assert not corrections(Moment("person", "please add a licence of the usual kind"))
    assert not corrections(Moment("person", f"{RULE}\n" * 20))  # a paste
    assert not corrections(Moment("call", RULE))
    assert says("Never edit files below generated/ by hand", f"I told you: {RULE}")
    assert not says("Never push to the main branch", RULE)


# Against the release


def test_the_release_s_table_is_read_renewed_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "release.md"
    good = Week({}, Figures(items=9, touched_items=6, tokens=1000), 0.1, 0, [], [])
    assert compare(good, path) == 0
    assert "No figures" in capsys.readouterr().out
    path.write_text("Before.\n\n| day | x |\n|---|---|\n| all | 1 |\n\nAfter.\n", "utf-8")
    renew(good, path)
    assert path.read_text("utf-8") == "\n".join(["Before.", "", *table(good), "", "After.", ""])
    assert of_release(path)["touched/1k"] == 6.0
    assert compare(good, path) == 0
    assert "the same" in capsys.readouterr().out
    worse = good._replace(total=Figures(items=9, touched_items=5, tokens=1000))
    assert compare(worse, path) == 1
    told = capsys.readouterr().out
    assert "touched 6 -> 5" in told
    assert "went down" in told


def test_this_release_has_its_figures() -> None:
    assert of_release(RELEASE)["sessions"] > 1


def test_without_the_data_it_says_so(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "benchmarks", "week", "--data", str(tmp_path)]
    done = subprocess.run(
        words,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"No recorded sessions in {tmp_path}")
    other = tmp_path / "other.jsonl"
    other.write_text('{"type": "session_meta"}\n', "utf-8")
    with pytest.raises(SystemExit, match="not a transcript of Claude Code"):
        recorded(other)
