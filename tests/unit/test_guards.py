"""Guards: drafted by rules, approved by digest, and never in the way by being broken."""

from __future__ import annotations

import json
import os
from datetime import date
from typing import Any

import pytest

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.engine.markdown.yaml_entries import read_entries, with_entry
from satchel.features.guards import guard_file, matching, reading
from satchel.features.guards.approvals import read_decisions
from satchel.features.guards.drafting import drafts_from, is_correction
from satchel.features.guards.matching import call_of, verdict
from satchel.features.guards.reading import compile_guard, read_guards, try_examples
from satchel.features.guards.repeats import Correction, repeats
from satchel.features.guards.service import ProjectGuards, with_guard
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

TODAY = date(2026, 5, 10)
NPM: dict[str, Any] = {
    "id": "no-npm",
    "when": {"tools": ["Bash"], "command": r"\bnpm\s"},
    "action": "deny",
    "message": "Use pnpm.",
    "examples": {"blocks": ["npm i"], "allows": ["pnpm i"]},
}
CALL = {"tool_name": "Bash", "tool_input": {"command": "npm i"}}
PNPM = {"tool_name": "Bash", "tool_input": {"command": "pnpm i"}}


@pytest.mark.parametrize(
    ("said", "why", "action"),
    [
        ("never use npm here, use pnpm", ["forbids the command `npm`"], "deny"),
        ("Use pnpm instead of npm for this project", ["forbids the command `npm`"], "deny"),
        ("prefer ruff over flake8", ["forbids the command `flake8`"], "warn"),
        ("Never run `terraform apply` without asking", ["forbids the command `terraform apply`"],
         "ask"),
        ("Don\u2019t push to main", ["forbids pushing to main",
         "forbids a bare push while main is checked out"], "deny"),
        ("Never force-push.", ["forbids `git push --force`"], "deny"),
        ("don't commit to main", ["forbids `git commit` while main is checked out"], "deny"),
        ("Don't edit generated/ files", ["forbids writing generated/**"], "deny"),
        ("do not modify package-lock.json", ["forbids writing package-lock.json"], "deny"),
        ("Never use `console.log(`; use the logger", ["forbids writing `console.log(`"], "deny"),
    ],
)  # fmt: skip
def test_a_correction_becomes_a_draft_that_passes_its_own_examples(
    said: str, why: list[str], action: str
) -> None:
    drafts = drafts_from(said, source="01X", today=TODAY)
    assert [draft.why for draft in drafts] == why
    assert is_correction(said)
    for draft in drafts:
        shelf = read_guards(with_entry(read_entries("", "guards"), draft.fields))
        (guard,) = shelf.guards
        assert shelf.problems == {}
        assert (guard.action, guard.source) == (action, "01X")
        assert {example.fires for example in guard.examples} == {True, False}
        assert [tried for tried in try_examples(guard) if not tried.right] == []


@pytest.mark.parametrize("said", ["The cache is slow", "Never use tabs", "Don't be late", ""])
def test_what_names_nothing_that_can_be_seen_is_no_draft(said: str) -> None:
    assert drafts_from(said, source="01X", today=TODAY) == []


def test_the_same_words_give_the_same_draft() -> None:
    one, two = (drafts_from("never use npm", source="01X", today=TODAY) for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"when": {"command": "(a)\\1"}}, "`command` cannot be used: invalid escape"),
        ({"when": {"command": "a*"}}, "matches every text"),
        ({"when": {}}, "it matches nothing"),
        ({"when": {"tools": ["Agent"]}}, "'Agent' is not a tool"),
        ({"action": "allow"}, "its action is 'allow'"),
        ({"approved": {"by": "me"}}, "`approved` is not a field of a guard"),
        ({"examples": {"blocks": [{"cmd": "x"}]}}, "examples, blocks: its fields are"),
        ({"message": ""}, "its message must have"),
        ({"scope": {"paths": [3]}}, "`paths` must be a list of texts"),
    ],
)
def test_what_is_wrong_with_a_guard_is_told(fields: dict[str, Any], told: str) -> None:
    text = json.dumps({"guards": [NPM | fields, NPM | {"id": "good"}]})
    shelf = read_guards(text)
    wrong, good = shelf.guards
    # On one line of JSON both stand on the same line, so the second is looked at by itself.
    assert told in "\n".join(shelf.problems[wrong.line])
    assert read_guards(json.dumps({"guards": [NPM]})).problems == {}
    assert good.id == "good"


def test_what_a_queue_carries_out_twice_is_there_once() -> None:
    once = with_guard("", NPM)
    assert with_guard(once, NPM) == once
    with pytest.raises(ConflictError, match="already"):
        with_guard(once, NPM | {"message": "another"})


def approved(work: Workspace, **more: Any) -> ProjectGuards:
    ours = work.guards
    guard = ours.add(NPM | more)
    ours.approve(guard.id, digest=guard.digest)
    return ours


def test_nothing_acts_before_it_is_approved_and_an_edit_needs_it_again() -> None:
    with temporary_workspace() as work:
        ours = work.guards
        guard = ours.add(NPM)
        assert ours.try_call(CALL).action == ""
        assert ours.try_call(CALL, everything=True).action == "deny"
        ours.approve("no-npm", digest=guard.digest)
        assert ours.try_call(CALL).action == "deny"
        with open(ours.file.path, encoding="utf-8") as file:
            text = file.read()
        with open(ours.file.path, "w", encoding="utf-8") as file:
            file.write("# a comment changes nothing\n" + text)
        assert ours.try_call(CALL).action == "deny"
        with open(ours.file.path, "w", encoding="utf-8") as file:
            file.write(text.replace("bnpm", "bp?npm"))
        assert [(one.state, one.edited) for one in ours.statuses()] == [("waiting", True)]
        assert ours.try_call(PNPM).action == ""
        with pytest.raises(ConflictError, match="has changed since"):
            ours.approve("no-npm", digest=guard.digest)


def rewritten(ours: ProjectGuards, old: str, new: str) -> None:
    with open(ours.file.path, encoding="utf-8") as file:
        text = file.read()
    with open(ours.file.path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


@pytest.mark.parametrize("edit", [("bnpm", "bnothing"), ("deny", "warn"), ("guards:", "guards: [")])
def test_an_edit_keeps_the_last_approved_guards_in_force(edit: tuple[str, str]) -> None:
    with temporary_workspace() as work:
        ours = approved(work)
        rewritten(ours, *edit)
        assert ours.try_call(CALL).action == "deny"
        os.unlink(work.project.state.guards)  # derived: what was approved stands in the ledger
        assert ours.try_call(CALL).action == ("" if "[" in edit[1] else "deny")


def test_an_edit_that_is_approved_acts_and_one_taken_out_or_off_does_not() -> None:
    with temporary_workspace() as work:
        ours = approved(work)
        rewritten(ours, "deny", "warn")
        ours.approve("no-npm", digest=ours.find("no-npm")[0].digest)
        assert ours.try_call(CALL).action == "warn"
        rewritten(ours, "Use pnpm.", "Use anything.")
        assert ours.try_call(CALL).action == "warn"
        ours.remove("no-npm")
        assert ours.try_call(CALL).action == ""
    with temporary_workspace() as work:
        ours = approved(work)
        ours.switch("no-npm", on=False)
        rewritten(ours, "deny", "warn")
        assert ours.try_call(CALL).action == ""


def test_without_what_was_approved_an_edit_switches_a_guard_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seeded bug: only what stands in the file counts."""
    monkeypatch.setattr(guard_file, "last_approved", lambda _: {})
    with temporary_workspace() as work:
        ours = approved(work)
        rewritten(ours, "deny", "warn")
        assert ours.try_call(CALL).action == ""


SAME = [
    ("never use npm", "/usr/bin/npm i"),
    ("never use npm", 'bash -lc "npm i"'),
    ("never use npm", "sudo -E npm i"),
    ("never use npm", "sudo -u deploy npm i"),
    ("never use npm", "if true; then npm i; fi"),
    ("never use npm", "timeout 60 env -i A=1 npm i"),
    ("never use npm", 'echo "$(npm i)"'),
    ("never use npm", "\\npm i"),
    ("never force-push", "git push origin +main"),
    ("never force-push", "git -C sub push -uf origin topic"),
    ("never push to main", "git push origin +main"),
    ("never push to main", "/usr/bin/git --no-pager push origin HEAD:main"),
]


def says(said: str, command: str) -> str:
    guards = [
        compile_guard(one)
        for draft in drafts_from(said, source="01X", today=TODAY)
        for one in read_guards(with_entry(read_entries("", "guards"), draft.fields)).guards
    ]
    call = call_of("Bash", {"command": command}, root="/project", cwd="/project", branch="topic")
    return verdict(guards, call).action


@pytest.mark.parametrize(("said", "command"), SAME)
def test_the_same_command_is_known_however_it_is_started(said: str, command: str) -> None:
    assert says(said, command) == "deny"


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'no npm; use pnpm'",
        "cat npm",
        "pnpm exec tsc",
        "bash npm-notes.sh",
        "X=npm ls",
    ],
)
def test_what_only_names_a_program_does_not_start_it(command: str) -> None:
    assert says("never use npm", command) == ""


def test_a_command_that_is_only_looked_at_as_typed_gets_past(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seeded bug: the line as it was typed is all that is looked at."""
    monkeypatch.setattr(matching, "command_forms", lambda _: "")
    assert [says(said, command) for said, command in SAME[:5]] == [""] * 5


def test_a_linked_directory_is_the_directory_that_it_leads_to() -> None:
    with temporary_workspace() as work:
        root = work.project.place.root
        os.mkdir(f"{root}/generated")
        os.symlink("generated", f"{root}/out")
        (fields,) = drafts_from("Don't edit generated/ files", source="01X", today=TODAY)
        ours = work.guards
        guard = ours.add(fields.fields)
        ours.approve(guard.id, digest=guard.digest)
        for path, action in (("out/a.py", "deny"), ("generated/a.py", "deny"), ("a.py", "")):
            payload = {"tool_name": "Edit", "tool_input": {"file_path": path}}
            assert ours.try_call(payload).action == action


def test_an_approval_of_a_name_instead_of_a_digest_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seeded bug: what an edit changes does not count."""
    monkeypatch.setattr(reading, "digest_of", lambda fields: str(fields["id"]))
    with temporary_workspace() as work:
        ours = approved(work)
        with open(ours.file.path, encoding="utf-8") as file:
            text = file.read()
        with open(ours.file.path, "w", encoding="utf-8") as file:
            file.write(text.replace("bnpm", "bp?npm"))
        assert [one.state for one in ours.statuses()] == ["active"]


def test_a_repository_cannot_approve_its_own_guards() -> None:
    with temporary_workspace() as work:
        text = with_entry(read_entries("", "guards"), NPM)
        path = work.project.tracked.place("guards")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "    approved: {by: me, at: 2026-01-01, digest: 00}\n")
        ours = work.guards
        (one,) = ours.statuses()
        assert (one.state, ours.try_call(CALL).action) == ("broken", "")
        assert read_decisions(work.project.state.ledger("guards")) == {}


def test_an_approval_needs_examples_of_both_kinds_that_pass() -> None:
    with temporary_workspace() as work:
        ours = work.guards
        for ident, examples, told in (
            ("none", {}, "needs an example"),
            ("half", {"blocks": ["npm i"]}, "needs an example"),
            ("lying", {"blocks": ["npm i"], "allows": ["npm ci"]}, "fails 1"),
        ):
            guard = ours.add(NPM | {"id": ident, "examples": examples})
            with pytest.raises(BadInputError, match=told):
                ours.approve(ident, digest=guard.digest)
        with pytest.raises(BadInputError, match="This is not a guard"):
            ours.add(NPM | {"when": {"command": "(?=x)"}})
        with pytest.raises(NotFoundError):
            ours.approve("nobody", digest="")


def test_off_and_on_again() -> None:
    with temporary_workspace() as work:
        ours = work.guards
        ours.add(NPM)
        with pytest.raises(ConflictError, match="not approved"):
            ours.switch("no-npm", on=True)
        ours = approved(work, id="second")
        ours.switch("second", on=False)
        assert ours.try_call(CALL).action == ""
        ours.switch("second", on=True)
        assert ours.try_call(CALL).action == "deny"
        ours.remove("second")
        assert ours.try_call(CALL).action == ""
        assert [g.id for g in ours.read().guards] == ["no-npm"]


def test_scope_exceptions_and_the_strictest_word() -> None:
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        ours = approved(work, action="warn")
        approved(work, id="web", scope={"paths": ["web/**"]})
        approved(work, id="branch", action="ask", scope={"branches": ["release/*"]},
                 when={"command": r"\bnpm\s", "unless": "--dry-run"})  # fmt: skip
        approved(work, id="agent", scope={"agents": ["tester"]}, action="ask")
        assert [g["id"] for g in ours.try_call(CALL).fired] == ["no-npm"]
        inside = ours.try_call(CALL | {"cwd": os.path.join(root, "web")})
        assert (inside.action, len(inside.fired)) == ("deny", 2)
        assert ours.try_call(CALL | {"agent_type": "tester"}).action == "ask"
        run_git(root, "checkout", "--quiet", "-b", "release/2")
        assert ours.try_call(CALL).action == "ask"
        dry = {"tool_name": "Bash", "tool_input": {"command": "npm i --dry-run"}}
        assert ours.try_call(dry).action == "warn"
        assert ours.try_call({"tool_name": "Read", "tool_input": {}}).action == ""
        for wrong in ({}, {"tool_name": 3, "tool_input": {}}, {"tool_name": "Bash"}):
            with pytest.raises(BadInputError):
                ours.try_call(wrong)


def test_a_draft_of_a_memory_names_where_it_comes_from() -> None:
    with temporary_workspace() as work:
        record = work.learn("Never use npm here, use pnpm.")
        (draft,) = work.guards.drafts(record.id)
        assert draft.fields["from"] == record.id
        vague = work.learn("The build is slow on Mondays.")
        with pytest.raises(BadInputError, match="No guard can be drafted"):
            work.guards.drafts(vague.id)
        with pytest.raises(NotFoundError):
            work.guards.drafts("nothing")


def test_repeats_are_counted_before_and_since_the_first_guard() -> None:
    said = [
        Correction("1", 10, "s1", "Never use npm here, use pnpm"),
        Correction("2", 20, "s1", "Run the linter before pushing, never after"),
        Correction("3", 30, "s2", "never use npm here, use pnpm"),
        Correction("4", 40, "s3", "Don't edit generated files"),
    ]
    found = repeats(said, guarded_from=0)
    assert (found.before.corrections, found.before.repeats, found.since.corrections) == (4, 1, 0)
    assert [(again.id, earlier.id) for again, earlier in found.pairs] == [("3", "1")]
    split = repeats(said, guarded_from=25)
    assert (split.before.repeats, split.since.repeats) == (0, 1)
    assert (split.before.sessions, split.since.sessions, split.since.share) == (1, 2, 0.5)
    assert repeats([], guarded_from=5).since.share == 0.0


def test_every_saying_of_a_correction_counts_and_lessons_do_not() -> None:
    with temporary_workspace() as work:
        work.learn("Never use npm here, use pnpm", session="s1")
        work.learn("Never use npm here; use pnpm!", session="s2")
        work.learn("The cache lies in /var/cache", session="s2")
        found = work.guards.repeats()
        assert (found.before.corrections, found.before.repeats) == (2, 1)


def test_doctor_tells_what_keeps_lessons_from_acting() -> None:
    def told(work: Workspace) -> list[str]:
        subjects = ("guards", "instincts")
        return [f"{f.severity} {f.what}" for f in work.examine() if f.subject in subjects]

    with temporary_workspace() as work:
        assert told(work) == []
        guard = work.guards.add(NPM)
        assert told(work) == ["note not approved on this machine, so off: no-npm"]
        work.guards.approve("no-npm", digest=guard.digest)
        assert told(work) == ["warning 1 approved never act: the hook before tools is missing"]
        with open(work.project.tracked.place("guards"), "a", encoding="utf-8") as file:
            file.write("  - {id: odd, action: maybe}\n")
        with open(work.project.tracked.place("instincts"), "w", encoding="utf-8") as file:
            file.write("instincts:\n  - {rule: no id}\n")
        broken, _, note = told(work)
        assert note == "note line 2: it has no id"
        assert broken.startswith("warning line ")
        for thing in ("guards", "instincts"):
            with open(work.project.tracked.place(thing), "w", encoding="utf-8") as file:
                file.write("x: [\n")
        assert [line.partition(" ")[0] for line in told(work)] == ["warning", "warning"]
