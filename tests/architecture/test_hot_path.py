"""What a hook and a plain search may import: every module here costs each call of every agent."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import satchel
from satchel.features.instincts.values import NewInstinct
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
_PROBE = """
import sys
bare = set(sys.modules)
from satchel.__main__ import run
{code}
print("\\n".join(["", "modules:", *sorted(set(sys.modules) - bare)]))
"""
#: Beyond a bare start, beside Satchel's own. Each is C code or a few lines; a longer list needs a
#: measurement in docs/decisions.
CAPTURE_MAY = {
    "os", "os.path", "stat", "_stat", "_collections_abc", "gc",
    "_sha256", "_sha2", "_json", "_signal", "fcntl", "time", "errno", "genericpath", "posixpath",
    "__future__", "_collections",
}  # fmt: skip
#: What patterns of guards cost, where one concerns the tool.
RE2_BRINGS = {
    "re2", "re2._re2", "functools", "_functools", "collections", "_collections", "operator",
    "_operator", "itertools", "keyword", "reprlib", "types",
}  # fmt: skip
CAPTURE_MUST_NOT = ("typing", "re", "json", "dataclasses", "subprocess", "hashlib", "argparse",
                    "datetime", "tomllib", "apsw", "sqlite3", "pathlib", "tempfile")  # fmt: skip
#: Neither an answer of a hook nor a plain search. The driver of SQLite imports `collections`.
READING_MUST_NOT = ("typing", "re", "enum", "functools", "contextlib", "types", "argparse",
                    "dataclasses", "datetime", "subprocess", "tomllib", "gzip", "difflib",
                    "hashlib", "pathlib", "tempfile", "sqlite3")  # fmt: skip


#: What compiles its patterns only when something is heard.
HEARS_LAZILY = {"satchel.application.learning.signals.hearing"}


def modules_of(workspace: Workspace, code: str, stdin: str = "") -> tuple[set[str], str]:
    """Run `code` in a process of its own; return what it imported, and what it printed."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", _PROBE.format(code=code)],
        cwd=workspace.project.place.root,
        input=stdin,
        env={
            "SATCHEL_EMBED_BACKGROUND": "0",
            "PYTHONPATH": os.pathsep.join([SOURCE, *(p for p in sys.path if "site-packages" in p)]),
            "SATCHEL_HOME": workspace.owner().home.path,
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    printed, _, names = done.stdout.partition("\nmodules:\n")
    return set(names.split()), printed


CAPTURING = json.dumps({
    "session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash",
    "tool_input": {"command": 'bd comment BD-1 "LEARNED: the parser is recursive"'},
})  # fmt: skip


def test_a_capturing_hook_imports_almost_nothing() -> None:
    with temporary_workspace() as workspace:
        found, printed = modules_of(workspace, "run(['hook', 'PostToolUse'])", CAPTURING)
        assert printed.strip() == ""
        foreign = {name for name in found if name.partition(".")[0] != "satchel"}
        assert foreign - CAPTURE_MAY == set()
        assert not foreign & set(CAPTURE_MUST_NOT)
        ours = {name.split(".")[1] for name in found if name.startswith("satchel.")}
        assert ours <= {"__main__", "core", "storage", "clients", "project", "interfaces"}
        # The package, where the project lies, and nothing that opens a database.
        assert {name for name in found if name.startswith("satchel.project")} <= {
            "satchel.project", "satchel.project.place",
        }  # fmt: skip
        assert not {name for name in found if name.startswith("satchel.storage.database")}
        assert [event["what"] for event in workspace.project.inbox.peek()] == ["command"]


def test_a_hook_that_sees_a_commit_imports_as_little() -> None:
    said = "[main 1a2b3c4] Round the tax\n 1 file changed"
    payload = {
        "session_id": "s", "tool_name": "Bash", "tool_response": {"stdout": said},
        "tool_input": {"command": "git commit -m 'Round the tax'"},
    }  # fmt: skip
    with temporary_workspace() as workspace:
        found, printed = modules_of(workspace, "run(['hook', 'PostToolUse'])", json.dumps(payload))
        assert printed.strip() == ""
        foreign = {name for name in found if name.partition(".")[0] != "satchel"}
        assert foreign - CAPTURE_MAY == set()
        assert not {one for one in found if one.startswith(("satchel.features", "satchel.engine"))}
        (event,) = workspace.project.inbox.peek()
        assert (event["what"], event["made"]) == ("commit", "1a2b3c4 Round the tax")


def test_a_hook_that_has_nothing_to_keep_does_not_even_load_redaction() -> None:
    with temporary_workspace() as workspace:
        payload = json.dumps({"tool_name": "Bash", "tool_input": {"command": "ls"}})
        found, _ = modules_of(workspace, "run(['hook', 'PostToolUse'])", payload)
        kept = ("satchel.core.redaction", "satchel.core.values", "satchel.storage.inbox.spool")
        assert not {name for name in found if name.startswith(kept)}
        assert "satchel.workspace" not in found
        assert workspace.project.inbox.peek() == []


def test_a_prompt_that_says_nothing_lasting_loads_no_classifier() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("the parser is recursive")
        for said, hears in (("look at the parser", False), ("never push to main", True)):
            payload = json.dumps({"session_id": "s", "prompt": said})
            found, printed = modules_of(workspace, "run(['hook', 'UserPromptSubmit'])", payload)
            assert ("to keep" in printed) == hears
            assert hears or not found & set(READING_MUST_NOT)
            assert ("satchel.application.learning.signals.speech.forms" in found) == hears
            assert "satchel.application.learning.drafting.proposing" not in found


def test_a_failure_is_counted_without_a_ledger_and_a_success_without_a_file() -> None:
    with temporary_workspace() as workspace:
        failed = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}}
        for event in ("PostToolUse", "PostToolUseFailure", "PostToolUseFailure"):
            found, printed = modules_of(workspace, f"run(['hook', '{event}'])", json.dumps(failed))
            assert printed.strip() == ""
            foreign = {name for name in found if name.partition(".")[0] != "satchel"}
            assert foreign - CAPTURE_MAY == set()
            assert not {one for one in found if one.startswith("satchel.storage.ledger")}
            assert not {one for one in found if one.startswith("satchel.features")}


def test_before_the_first_commit_no_hook_starts_git() -> None:
    payload = json.dumps({"tool_name": "Bash", "tool_input": {"command": "ls"}})
    with temporary_workspace() as workspace:
        root = workspace.project.place.root
        subprocess.run(["git", "init", "-q", root], check=True)
        modules_of(workspace, "run(['hook', 'PostToolUse'])", payload)
        found, _ = modules_of(workspace, "run(['hook', 'PostToolUse'])", payload)
        assert "subprocess" not in found
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", "-C", root, *who, "commit", "-qm", "1", "--allow-empty"], check=True)
        found, _ = modules_of(workspace, "run(['hook', 'PostToolUse'])", payload)
        assert "subprocess" in found
        found, _ = modules_of(workspace, "run(['hook', 'PostToolUse'])", payload)
        assert "subprocess" not in found


def test_a_guarded_call_loads_the_guards_expressions_alone() -> None:
    call = json.dumps({"tool_name": "Bash", "tool_input": {"command": "npm run build"}})
    with temporary_workspace() as workspace:
        bare, _ = modules_of(workspace, "run(['hook', 'PreToolUse'])", call)
        assert not {
            name
            for name in bare
            if name.startswith(("satchel.storage.ledger", "satchel.core.redaction"))
        }
        guard = workspace.guards.add({
            "id": "g", "action": "deny", "message": "no", "when": {"command": "npm install"},
            "examples": {"blocks": ["npm install"], "allows": ["npm run"]},
        })  # fmt: skip
        workspace.guards.approve("g", digest=guard.digest)
        for tool, more in (("Read", set()), ("Bash", RE2_BRINGS)):
            found, printed = modules_of(
                workspace, "run(['hook', 'PreToolUse'])", call.replace("Bash", tool)
            )
            assert printed.strip() == ""
            foreign = {name for name in found if name.partition(".")[0] != "satchel"}
            assert foreign - CAPTURE_MAY <= more
            assert ("re2" in foreign) == bool(more)
        _, printed = modules_of(
            workspace, "run(['hook', 'PreToolUse'])", call.replace("run", "install")
        )
        assert '"permissionDecision":"deny"' in printed


def test_a_session_s_start_does_not_load_what_reads_sessions() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("the parser is recursive")
        found, printed = modules_of(workspace, "run(['hook', 'SessionStart'])", "{}")
        assert "recursive" in printed
        foreign = {name for name in found if name.partition(".")[0] != "satchel"}
        assert not foreign & set(READING_MUST_NOT)
        # What there is none of is not loaded: agents' files, an intent, tasks, suggestions.
        absent = ("agents", "intent", "tasks.index", "proposals.queue", "instructions.loading")
        assert not {f"satchel.features.{one}" for one in absent} & found
        # Some seventy patterns, compiled: half of what the brief costs.
        assert not found & {
            "satchel.application.learning.usefulness.judging", "satchel.application.learning.signals.cues",
            "satchel.application.learning.drafting.proposing",
        }  # fmt: skip


def test_a_plain_search_imports_no_parser_and_no_json() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("the parser is recursive")
        workspace.refresh()
        found, printed = modules_of(workspace, "run(['recall', 'parser'])")
        assert "the parser is recursive" in printed
        assert not found & {*READING_MUST_NOT, "json"}
        # What other tiers than memories take.
        assert not {
            one
            for one in found
            if one.startswith(("satchel.features.code", "satchel.features.graph"))
        }


@pytest.mark.parametrize("words", [["recall", "parser"], ["hook", "SessionStart"]])
def test_where_no_branch_was_looked_at_nothing_loads_json(words: list[str]) -> None:
    """The C scanner asks for `json` to say that an empty text is none: so no empty text gets there."""
    with temporary_workspace(git=True) as workspace:
        workspace.learn("the parser is recursive")
        workspace.refresh()
        found, printed = modules_of(workspace, f"run({words})", "{}")
        assert "the parser is recursive" in printed
        assert not found & {*READING_MUST_NOT, "json"}


def test_a_search_that_drains_loads_expressions_and_no_more() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("the parser is recursive")
        modules_of(workspace, "run(['hook', 'PostToolUse'])", CAPTURING)
        found, printed = modules_of(workspace, "run(['recall', 'parser'])")
        assert "the parser is recursive" in printed
        assert not found & {"typing", "contextlib", "json", "dataclasses", "datetime", "subprocess"}


def test_a_search_by_words_among_notes_and_soft_rules_loads_what_they_need_alone() -> None:
    """Every project has both after a week: neither the graph nor what looks for secrets."""
    with temporary_workspace() as workspace:
        note = Path(workspace.project.state.episodes, "2026-11-30", "ep-1.md")
        note.parent.mkdir(parents=True)
        note.write_text("# Rename the quay\n\nThe quay is swept at noon.\n", "utf-8")
        workspace.instincts.add(NewInstinct("The quay is swept by hand", source="a person"))
        workspace.notes.reindex()
        workspace.learn("The quay belongs to the harbour")
        workspace.refresh()
        asked = "run(['recall', 'whose is the quay'])"
        modules_of(workspace, asked)
        modules, told = modules_of(workspace, asked)
    assert "belongs to the harbour" in told
    assert {"satchel.features.notes.service", "satchel.features.instincts.service"} <= modules
    unneeded = (
        "satchel.features.graph.",
        "satchel.core.redaction.redactor",
        "satchel.engine.statements.contradictions",
    )
    assert [one for one in modules if one.startswith(unneeded)] == []
    assert "typing" not in modules


@pytest.mark.parametrize("words", [["list"], ["show", "parser"], ["status"], ["sessions", "list"]])
def test_looking_at_what_is_kept_compiles_no_pattern_that_hears(words: list[str]) -> None:
    with temporary_workspace() as workspace:
        workspace.learn("the parser is recursive")
        found, _ = modules_of(workspace, f"run({words})")
        assert {one for one in found if ".learning.signals." in one} <= HEARS_LAZILY
        assert not found & {"satchel.application.learning.reflection.service", "importlib.metadata"}


def test_asking_for_help_loads_no_database() -> None:
    with temporary_workspace() as workspace:
        found, printed = modules_of(workspace, "run(['help'])")
        assert "usage:" in printed
        assert not found & {"apsw", "satchel.workspace"}


@pytest.mark.parametrize("folder", sorted(
    p.parent.name for p in Path(satchel.__file__).parent.glob("*/__init__.py")))  # fmt: skip
def test_a_package_imports_nothing_by_itself(folder: str) -> None:
    import ast

    path = Path(satchel.__file__).parent / folder / "__init__.py"
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree)
    # Everything is imported from where it stands.
    assert len(tree.body) == 1
