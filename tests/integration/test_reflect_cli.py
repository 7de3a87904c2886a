"""`satchel reflect`, `review` and `undo`, as a person types them; the review on a real terminal."""

import json
import os
import pty
import select
import subprocess
import time
from pathlib import Path
from typing import Self

import pytest

from integration.installed import COMMAND, Machine
from integration.transcripts_made import a_mornings_work
from satchel.clients.transcript_format.project_key import project_key


def reflected(machine: Machine) -> Path:
    repo = machine.repository(init=True)
    transcript = a_mornings_work(str(repo)).write(str(repo.parent / "t.jsonl"))
    told = machine.ok("reflect", "--transcript", transcript, at=repo)
    assert "4 proposed" in told
    assert "4 suggestions wait: `satchel review`." in told
    assert told.startswith("1 session read: ")
    assert "1 episode written." in told
    return repo


def test_from_a_session_to_a_rule_and_back(machine: Machine) -> None:
    repo = reflected(machine)
    listed = machine.ok("review", at=repo)
    assert "[1] note (high)" in listed
    assert "From you: correction. Goes into " in listed
    assert "+- Never edit files below generated/ by hand" not in listed
    assert ".md, with 3 files for search." in " ".join(listed.split())
    assert len(listed.splitlines()) < 60
    assert "`satchel review 1,4` accepts those" in listed
    shown = machine.ok("review", "3", "--diff", at=repo)
    assert "`satchel review 3` accepts it" in shown
    assert "shows every line" not in shown
    assert machine.ok("review", "show", "3", at=repo) == shown
    assert "`--diff 4` shows every line" in machine.ok("review", at=repo)
    assert "+- Never edit files below generated/ by hand" in machine.ok("review", "--diff", at=repo)
    numbers = {one["kind"]: one["number"] for one in machine.json("review", at=repo)}
    told = machine.ok("review", str(numbers["agent_file"]), at=repo)
    assert "1 applied, 3 waiting" in told
    written = [p for p in (repo / "CLAUDE.md", repo / "AGENTS.md", repo / ".satchel/MEMORY.md")
               if p.exists() and "generated/" in p.read_text()]  # fmt: skip
    assert len(written) == 1
    undone = machine.ok("undo", "--yes", at=repo)
    assert "It waits again: Never edit" in undone
    assert "4 suggestions" in machine.ok("review", at=repo)
    again = machine.ok("review", str(numbers["agent_file"]), at=repo)
    assert "1 applied, 3 waiting." in again
    assert "generated/" in written[0].read_text()
    machine.ok("undo", "--yes", at=repo)
    assert not written[0].exists() or "generated/" not in written[0].read_text()
    assert "Rejected 4 suggestions" in machine.ok("review", "N", at=repo)
    assert "Nothing waits" in machine.ok("review", at=repo)
    status = machine.json("reflect", "--status", at=repo)
    assert (status["total_changes_rejected"], status["total_changes_undone"]) == (4, 0)


def test_an_episode_that_could_not_be_written_is_written_with_the_next_scan(
    machine: Machine,
) -> None:
    repo = machine.repository(init=True)
    made = a_mornings_work(str(repo))
    made.write(
        str(
            machine.home / ".claude" / "projects" / project_key(str(repo)) / f"{made.session}.jsonl"
        )
    )
    (state,) = (machine.home / ".satchel" / "projects").iterdir()
    (state / "episodes").write_text("in its place\n")
    told = machine.ok("reflect", at=repo)
    assert "4 proposed" in told
    assert "episode written" not in told
    (state / "episodes").unlink()
    told = machine.ok("reflect", at=repo)
    assert "1 episode written." in told
    assert len(machine.json("review", at=repo)) == 4, "nothing is suggested twice"
    assert "episode written" not in machine.ok("reflect", at=repo)


def test_words_are_changed_on_the_command_line(machine: Machine) -> None:
    repo = reflected(machine)
    numbers = {one["kind"]: one["number"] for one in machine.json("review", at=repo)}
    told = machine.ok(
        "review", "--modify", str(numbers["memory"]), "--text", "Port 5433 is the tunnel", at=repo
    )
    assert "+Port 5433 is the tunnel" in told
    machine.ok("review", "--reject", str(numbers["agent_file"]), at=repo)
    for wrong in (("1", "--reject", "1"), ("--reject", "1", "--modify", "2"), ("--text", "x")):
        machine.fails(2, "review", *wrong, at=repo)
    assert "takes no other option" in machine.fails(2, "reflect", "on", "--status", at=repo)
    assert "No suggestion 99" in machine.fails(4, "review", "99", at=repo)
    assert "not an answer" in machine.fails(2, "review", "perhaps", at=repo)


def test_who_looks_decides_nothing(machine: Machine) -> None:
    repo = reflected(machine)
    before = [one["id"] for one in machine.json("review", at=repo)]
    for looking in (("--diff", "2"), ("--list", "2"), ("2", "--diff")):
        told = machine.ok("review", *looking, at=repo)
        assert "[2] " in told
        assert "[1] " not in told
    assert "--reject needs numbers" in machine.fails(2, "review", "--reject", "N", at=repo)
    assert [one["id"] for one in machine.json("review", at=repo)] == before


def test_one_of_another_kind_keeps_its_number(machine: Machine) -> None:
    repo = reflected(machine)
    before = [one["id"] for one in machine.json("review", at=repo)]
    kinds = {one["kind"]: one for one in machine.json("review", at=repo)}
    number = kinds["memory"]["number"]
    told = machine.ok("review", "--modify", str(number), "--kind", "rule", at=repo)
    assert f"It waits as [{number}];" in told
    after = [one["id"] for one in machine.json("review", at=repo)]
    assert [one for one in after if one in before] == [
        one for one in before if one != kinds["memory"]["id"]
    ]
    assert after[number - 1] not in before


def test_a_suggestion_becomes_of_another_kind(machine: Machine) -> None:
    repo = reflected(machine)
    kinds = {one["kind"]: one["id"] for one in machine.json("review", at=repo)}
    told = machine.ok("review", "--modify", kinds["agent_file"], "--kind", "decision", at=repo)
    assert "Becomes a decision" in told or "memories (decision)" in told
    told = machine.ok("review", "--modify", kinds["memory"], "--kind", "soft-rule", at=repo)
    assert "instincts.yaml" in told
    assert machine.json("review", "Y", at=repo)["failed"] == []
    (one,) = machine.json("list", "--kind", "decision", at=repo)
    assert "generated/" in one["content"]
    assert "tunnel" in machine.ok("rule", "list", at=repo)


def test_what_has_one_kind_only_and_kinds_that_are_none_are_told(machine: Machine) -> None:
    repo = reflected(machine)
    kinds = {one["kind"]: one["id"] for one in machine.json("review", at=repo)}
    told = machine.fails(2, "review", "--modify", kinds["note"], "--kind", "rule", at=repo)
    assert "has one kind only" in told
    assert "poem" in machine.fails(
        2, "review", "--modify", kinds["memory"], "--kind", "poem", at=repo
    )
    machine.fails(2, "review", "--modify", kinds["memory"], "--kind", "checkpoint", at=repo)
    assert "--kind needs --edit" in machine.fails(2, "review", "--kind", "rule", at=repo)


def test_a_reworded_suggestion_keeps_its_place(machine: Machine) -> None:
    repo = reflected(machine)
    before = [one["id"] for one in machine.json("review", at=repo)]
    for number in (1, 2, 4, 2):
        told = machine.ok(
            "review", "--modify", str(number), "--text", f"XX {number} {time.time_ns()}", at=repo
        )
        assert f"It waits as [{number}];" in told
    after = machine.json("review", at=repo)
    assert len(after) == len(before)
    assert after[2]["id"] == before[2]
    kept = [one["diff"].partition("XX ")[2][:1] for one in after]
    assert kept == ["1", "2", "", "4"]


def test_a_rejected_suggestion_is_brought_back(machine: Machine) -> None:
    repo = reflected(machine)
    first, second, third, _ = machine.json("review", at=repo)
    told = machine.ok("review", "--reject", "1", at=repo)
    back = told.partition("`satchel ")[2].partition("`")[0].split()
    assert back[:2] == ["review", "--undo"]
    told = machine.run("review", first["id"], at=repo).err
    assert f"`satchel {' '.join(back)}` brings it back" in told
    assert "It waits again: " in machine.ok(*back, at=repo)
    assert machine.json("review", at=repo)[0]["id"] == first["id"]
    told = machine.ok("review", "--reject", "1,2", at=repo)
    assert second["id"][:14] in told
    machine.ok("review", third["id"], at=repo)
    assert "a suggestion was accepted" in machine.ok("undo", "--yes", at=repo)
    # What was answered together comes back together.
    told = machine.ok("undo", "--yes", at=repo)
    assert (told.count("a suggestion was rejected"), told.count("It waits again: ")) == (2, 2)
    waiting = [one["id"] for one in machine.json("review", at=repo)]
    assert waiting[:2] == [first["id"], second["id"]]


def test_the_words_of_before_are_brought_back(machine: Machine) -> None:
    repo = reflected(machine)
    before = [one["id"] for one in machine.json("review", at=repo)]
    machine.ok("review", "--modify", "2", "--text", "Other words", at=repo)
    changed = machine.json("review", at=repo)[1]["id"]
    assert f"`satchel review {changed[:14]}`" in machine.run("review", before[1], at=repo).err
    assert "a suggestion was reworded" in machine.ok("undo", "--yes", at=repo)
    assert [one["id"] for one in machine.json("review", at=repo)] == before


def test_an_answer_in_other_words_is_understood(machine: Machine) -> None:
    repo = reflected(machine)
    (last,) = [one["id"] for one in machine.json("review", at=repo) if one["number"] == 4]
    listed = machine.ok("review", at=repo)
    assert "`satchel review --reject 4` rejects one" in listed
    told = machine.ok("review", "accept", "1", at=repo)
    assert "1 applied, 3 waiting." in told
    assert "No suggestion 1 waits" in machine.fails(4, "review", "--reject", "1", at=repo)
    assert "Rejected 1 suggestion; it is not made again." in machine.ok("reject", "4", at=repo)
    states = {one["id"]: one["state"] for one in machine.json("review", "--all", at=repo)}
    assert states[last] == "rejected"
    told = machine.ok("accept", "2", at=repo)
    assert "1 applied, 1 waiting." in told
    # Rules go into files that git tracks: what is left to do for colleagues is said.
    rules = told.rpartition("Your colleagues get, once you commit:\n  ")[2]
    shared = machine.ok("share", "--yes", at=repo)
    assert ("Colleagues get" in shared) == rules.startswith(".satchel")


def test_one_answer_accepts_some_and_rejects_others(machine: Machine) -> None:
    repo = reflected(machine)
    ids = [one["id"] for one in machine.json("review", at=repo)]
    assert "No suggestion 9 waits" in machine.fails(4, "review", "9", "--reject", "2", at=repo)
    told = machine.ok("review", "1,4", "--reject", "2", at=repo)
    assert "Rejected 1 suggestion" in told
    assert "2 applied, 1 waiting." in told
    states = {one["id"]: one["state"] for one in machine.json("review", "--all", at=repo)}
    assert [states[one] for one in ids] == ["accepted", "rejected", "pending", "accepted"]
    machine.ok("undo", "--yes", at=repo)  # one answer, taken back as one
    assert [one["number"] for one in machine.json("review", at=repo)] == [1, 2, 3, 4]


def test_an_id_names_a_suggestion_whatever_number_it_has(machine: Machine) -> None:
    repo = reflected(machine)
    ids = [one["id"] for one in machine.json("review", at=repo)]
    machine.ok("review", "1", at=repo)
    assert "Rejected 1" in machine.ok("review", "--reject", ids[1], at=repo)
    assert "2 applied, none waiting" in machine.ok("review", f"{ids[2]},{ids[3]}", at=repo)
    states = {one["id"]: one["state"] for one in machine.json("review", "--all", at=repo)}
    assert [states[one] for one in ids] == ["accepted", "rejected", "accepted", "accepted"]
    assert "no suggestion" in machine.fails(4, "review", "01ZZZZZZZZZZ", at=repo)


def test_it_is_turned_on_and_off(machine: Machine) -> None:
    repo = machine.repository(init=True)
    assert machine.json("reflect", "on", at=repo) == {"reflect.auto": True}
    assert machine.json("reflect", "--status", at=repo)["auto"] is True
    machine.ok("reflect", "off", at=repo)
    assert machine.json("reflect", "--status", at=repo)["auto"] is False


def test_turns_are_labelled_outside_a_project(machine: Machine, tmp_path: Path) -> None:
    turns = tmp_path / "turns.jsonl"
    rows = [{"id": "a", "text": "no, that's wrong", "prev": ""}, {"id": "b", "text": "hello"}]
    turns.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "pred.jsonl"
    machine.ok("reflect", "--classify", str(turns), "--out", str(out), at=tmp_path)
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"id": "a", "labels": ["correction"]}, {"id": "b", "labels": []},
    ]  # fmt: skip
    turns.write_text('{"id": "a", "text": "x"}\n[]\n')
    assert "turns.jsonl:2 is not a turn" in machine.fails(
        2, "reflect", "--classify", str(turns), at=tmp_path
    )


class Terminal:
    """A program on a terminal of its own, driven by keys."""

    def __init__(
        self, words: list[str], cwd: Path, environment: dict[str, str], kind: str = "xterm"
    ) -> None:
        self.main, side = pty.openpty()
        self.process = subprocess.Popen(
            words, cwd=cwd, env={**environment, "TERM": kind, "LINES": "30", "COLUMNS": "110"},
            stdin=side, stdout=side, stderr=side, start_new_session=True,
        )  # fmt: skip
        os.close(side)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.main)

    def wait_for(self, text: str, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, self.shown[-3000:]
            if select.select([self.main], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.main, 65536).decode("utf-8", "replace")
                except OSError:
                    assert text in self.shown, self.shown[-3000:]
                    return

    def press(self, keys: str) -> None:
        self.shown = ""
        os.write(self.main, keys.encode())

    def ends(self) -> int:
        self.wait_for("waiting.")
        return self.process.wait(20)


def test_a_review_by_keys_alone(machine: Machine) -> None:
    repo = reflected(machine)
    with Terminal([COMMAND, "review"], repo, machine.environment) as terminal:
        terminal.wait_for("1 of 4")
        terminal.wait_for("y accept")
        terminal.press("n")
        terminal.wait_for("lesson (medium)")  # the second; only what differs is drawn
        terminal.press("y")
        terminal.wait_for("rule (high)")
        terminal.press("\x1b[B")  # a line down in the diff
        terminal.press("q")
        assert terminal.ends() == 0, terminal.shown
    states = [one["state"] for one in machine.json("review", "--all", at=repo)]
    assert sorted(states) == ["accepted", "pending", "pending", "rejected"]


@pytest.mark.parametrize("kind", ["dumb", "vt100", "no-such-terminal"])
def test_a_terminal_of_any_kind_can_review(machine: Machine, kind: str) -> None:
    repo = reflected(machine)
    with Terminal([COMMAND, "review"], repo, machine.environment, kind) as terminal:
        if kind == "vt100":
            terminal.wait_for("1 of 4")
            terminal.press("Q")
        else:
            terminal.wait_for("nothing leaves all waiting")
            terminal.press("N\n")
        terminal.wait_for("4 waiting." if kind == "vt100" else "Rejected 4 suggestions")
        assert terminal.process.wait(20) == 0, terminal.shown


def test_a_review_that_is_left_changes_nothing(machine: Machine) -> None:
    repo = reflected(machine)
    with Terminal([COMMAND, "review"], repo, machine.environment) as terminal:
        terminal.wait_for("1 of 4")
        terminal.press("a")
        terminal.wait_for("+")  # the mark of what is accepted
        terminal.press("Q")
        assert terminal.ends() == 0, terminal.shown
    assert {one["state"] for one in machine.json("review", at=repo)} == {"pending"}
