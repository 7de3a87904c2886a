"""Checks: read strictly, judged by what the memory really answers, told to build servers."""

from __future__ import annotations

import os
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.application.health.run_checks import ProjectChecks
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.features.checks.assertions import judge_brief, judge_contradictions, judge_query
from satchel.features.checks.junit import junit
from satchel.features.checks.reading import (
    BUILT_IN,
    ERROR,
    FAILED,
    PASSED,
    Check,
    Result,
    Text,
    named_once,
    read_checks,
)
from satchel.features.checks.templates import EXAMPLE, workflow
from satchel.features.code.anchored import pinned
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

CODE = "def retry(count: int) -> int:\n    return count + 1\n"


def one(text: str) -> Check:
    (check,) = read_checks("checks:\n" + text, "c.yaml")
    return check


def test_what_satchel_writes_is_read() -> None:
    assert [c.about for c in read_checks(EXAMPLE, "c.yaml")] == [
        "no_stale_anchors", "no_contradictions", "brief", "guards_pass",
    ]  # fmt: skip
    read = read_yaml(workflow(""))
    steps = read["jobs"]["check"]["steps"]
    assert any("satchel check --junit" in step.get("run", "") for step in steps)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("checks:\n  - name: x\n", "line 2: a check is about one of"),
        ("checks:\n  - query: x\n    brief: session\n", "this is about query and brief"),
        ("checks:\n  - query: x\n    must_returns: [a]\n", "did you mean `must_return`"),
        ("checks:\n  - query: x\n", "asserts nothing without must_return"),
        ("checks:\n  - query: ''\n    must_return: [a]\n", "`query` is empty"),
        ("checks:\n  - query: 3\n    must_return: [a]\n", "`query` must be a text"),
        ("checks:\n  - query: x\n    must_return: [3]\n", "`must_return` must be a list of texts"),
        ("checks:\n  - query: x\n    must_return: a\n    limit: 0\n", "from 1 to 100"),
        ("checks:\n  - no_stale_anchors: false\n", "is `true`, or the check is left out"),
        ("checks:\n  - brief: prompt\n    under: 3\n", "`brief` is `session`"),
        ("checks:\n  - brief: session\n", "a brief asserts nothing"),
        ("checks:\n  - just words\n", "line 2: a check has fields"),
        ("check:\n  - query: x\n", "`check` is not a field"),
        ("checks: [\n", "c.yaml: line"),
        ("checks: 3\n", "not a list"),
    ],
)
def test_a_check_that_could_be_misread_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told.replace("[", r"\[")):
        read_checks(text, "c.yaml")


def test_two_checks_of_one_name_are_refused() -> None:
    row = "  - {name: x, query: q, must_return: a}\n"
    with pytest.raises(BadInputError, match=r"line 3: 'x' is the name of c\.yaml, line 2 too"):
        named_once(read_checks(f"checks:\n{row}{row}", "c.yaml"))


def test_a_query_is_judged_by_texts_and_by_names() -> None:
    check = one("  - {query: q, must_return: [PNPM  here, 'key:a'], must_not_return: [yarn]}\n")
    good = Text("Use pnpm\nhere", ("a", "01X"))
    assert judge_query(check, [good]) == []
    assert len(judge_query(check, [])) == 2
    (why,) = judge_query(check, [Text("other"), good, Text("Use Yarn")])
    assert why.startswith("returned 'yarn' as number 3")
    # `key:a` is a whole name: another that only holds the letter is not meant.
    (why,) = judge_query(check, [good._replace(names=("ab",))])
    assert "did not return 'key:a'" in why


def test_a_brief_is_judged_by_its_words_and_its_size() -> None:
    check = one("  - {brief: session, under: 100, contains: [pnpm], lacks: [secret]}\n")
    assert judge_brief(check, "Use PNPM", 99) == []
    assert len(judge_brief(check, "a Secret", 100)) == 3


def test_rules_that_contradict_are_found_unless_excepted() -> None:
    tabs, spaces = Text("Use tabs", ("a",)), Text("Use spaces", ("c",))
    pairs = [(tabs, spaces, "`tabs` against `spaces`")]
    (why,) = judge_contradictions(one("  - no_contradictions: true\n"), pairs)
    assert why == "a against c: 'Use tabs' / 'Use spaces' (`tabs` against `spaces`)"
    excepting = one("  - {no_contradictions: true, except: [SPACES]}\n")
    assert judge_contradictions(excepting, pairs) == []


@given(st.text(max_size=30), st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_the_report_is_xml_whatever_is_in_it(name: str, why: str) -> None:
    check = Check(name, "query", "c.yaml", 1)
    results = [
        Result(check, PASSED, (), 0.1), Result(check, FAILED, (why, "more"), 0.2),
        Result(check, ERROR, (why,), 0.3),
    ]  # fmt: skip
    suite = ET.fromstring(junit(results))[0]  # noqa: S314 -- we wrote it
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    assert [len(case) for case in suite] == [0, 1, 1]


def written(work: Workspace, text: str) -> ProjectChecks:
    checks = ProjectChecks(work)
    with open(checks.path, "w", encoding="utf-8") as file:
        file.write("checks:\n" + text)
    return checks


def outcomes(checks: ProjectChecks, *names: str) -> list[str]:
    return [result.outcome for result in checks.run(checks.chosen(names))]


def test_each_check_fails_when_its_promise_is_broken_and_not_before() -> None:
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        with open(os.path.join(root, "store.py"), "w", encoding="utf-8") as file:
            file.write(CODE)
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "code")
        work.remember("Use pnpm as package manager", kind="constraint")
        work.learn("Retrying adds one", data=pinned(work.code, ["store.py:retry"]))
        checks = written(
            work,
            "  - {name: pm, query: package manager, must_return: [pnpm], must_not_return: [npm i]}\n"
            "  - {name: code, no_stale_anchors: true}\n"
            "  - {name: rules, no_contradictions: true}\n"
            "  - {name: brief, brief: session, under: 2000, contains: [pnpm]}\n"
            "  - {name: guards, guards_pass: true}\n",
        )
        assert outcomes(checks) == [PASSED] * 5
        work.remember("Never use pnpm as package manager; npm i", kind="constraint")
        with open(os.path.join(root, "store.py"), "w", encoding="utf-8") as file:
            file.write("def other() -> None: ...\n")
        with open(checks.path, encoding="utf-8") as file:
            rows = file.read().removeprefix("checks:\n")
        checks = written(work, rows.replace("2000", "20"))
        work.guards.add({
            "id": "g", "when": {"command": "npm"}, "action": "deny", "message": "m",
            "examples": {"blocks": ["npm"], "allows": ["pnpm"]},
        })  # fmt: skip
        assert outcomes(checks) == [FAILED] * 5
        assert outcomes(checks, "RULES", "pm") == [FAILED] * 2
        with pytest.raises(NotFoundError):
            checks.chosen(["nothing"])


def test_an_error_in_one_check_is_told_and_the_others_run() -> None:
    with temporary_workspace() as work:
        checks = written(
            work,
            "  - {query: x, must_return: a, tier: nowhere}\n  - {brief: session, under: 2000}\n",
        )
        first, second = checks.run(checks.read())
        assert (first.outcome, second.outcome) == (ERROR, PASSED)
        assert "nowhere" in first.why[0]


def test_more_files_lie_in_a_directory_and_nothing_else_is_read() -> None:
    with temporary_workspace() as work:
        checks = ProjectChecks(work)
        assert checks.read() == list(BUILT_IN)
        os.makedirs(checks.directory)
        for name in ("b.yaml", "a.yml", "notes.txt"):
            with open(os.path.join(checks.directory, name), "w", encoding="utf-8") as file:
                file.write(f"checks:\n  - {{name: {name}, guards_pass: true}}\n")
        assert [c.name for c in checks.read()] == ["a.yml", "b.yaml"]
        os.mkfifo(os.path.join(checks.directory, "c.yaml"))
        with pytest.raises(BadInputError, match="not a regular file"):
            checks.read()


def test_init_writes_both_files_once_and_never_over_others() -> None:
    with temporary_workspace() as work:
        checks = ProjectChecks(work)
        assert len(checks.init()) == 2
        assert outcomes(checks) == [PASSED] * 4
        with pytest.raises(ConflictError, match="there already"):
            checks.init()
        os.unlink(checks.path)
        assert checks.init() == [checks.path]
