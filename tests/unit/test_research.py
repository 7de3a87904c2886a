"""Research: every source at once, what they disagree about, the dossier, and what is kept."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from satchel.application.research.conflicts import conflicts_between
from satchel.application.research.documentation import search_documentation
from satchel.application.research.dossier import markdown_of, query_hash, summary_of
from satchel.application.research.gathering import gather
from satchel.application.research.paragraphs import best_paragraph, paragraphs
from satchel.application.research.values import CODE, DOCS, MEMORIES, Dossier, Finding
from satchel.application.research.web import search_web
from satchel.core.errors import BadInputError
from satchel.engine.inference.failures import ModelUnavailableError
from satchel.testing import run_git, temporary_workspace

REDIS = Finding(DOCS, "Caching", "Redis is used for caching sessions.", "README.md:3")
NEVER = Finding(MEMORIES, "Rule", "Redis is never used for caching sessions.", "decision 01")


def test_sources_run_at_once_and_one_that_hangs_is_left_behind() -> None:
    together = threading.Barrier(2, timeout=5)

    def meet() -> list[Finding]:
        together.wait()
        return [REDIS]

    def hang() -> list[Finding]:
        time.sleep(1.5)
        return [NEVER]

    def fail() -> list[Finding]:
        raise BadInputError("no such place", hint="make it")

    sources = {"a": meet, "b": meet, "c": fail, "d": hang}
    findings, reports = gather(sources, patience=0.5)
    assert findings == [REDIS, REDIS]
    assert [(r.source, r.found) for r in reports] == [("a", 1), ("b", 1), ("c", 0), ("d", 0)]
    assert reports[2].why == "no such place make it"
    assert "no answer" in reports[3].why


def test_two_sources_that_say_the_opposite_are_named_once() -> None:
    found = conflicts_between([REDIS, NEVER, NEVER._replace(title="again")])
    assert len(found) == 1
    assert (found[0].one, found[0].other) == (REDIS, NEVER)
    assert conflicts_between([REDIS, REDIS._replace(source=MEMORIES, place="x")]) == []


def test_what_code_says_of_itself_is_no_conflict() -> None:
    assert conflicts_between([REDIS, NEVER._replace(source=CODE)]) == []


def test_a_source_does_not_contradict_itself() -> None:
    both = Finding(DOCS, "t", f"{REDIS.text}\n{NEVER.text}", "a.md:1")
    assert conflicts_between([both]) == []


def test_the_plain_summary_quotes_the_line_that_answers() -> None:
    finding = Finding(DOCS, "Shop", "# Shop\n\nA shop.\n\nRedis caches sessions.", "README.md:1")
    summary, by = summary_of("redis caches", [finding], [], None)
    assert (summary, by) == ("- Shop: Redis caches sessions. [docs]", "")
    assert summary_of("x", [], [], None)[0] == "Nothing was found."


class Writer:
    """A model that answers, or is away."""

    identity = "test"

    def __init__(self, said: str) -> None:
        self.said = said

    def generate(self, prompt: str, *, max_tokens: int) -> str:
        if not self.said:
            raise ModelUnavailableError("away")
        assert "Redis is used" in prompt
        return self.said


def test_a_model_writes_the_summary_and_one_that_is_away_leaves_the_plain_one() -> None:
    assert summary_of("q", [REDIS], [], Writer("<think>x</think>Use it [1].")) == (
        "Use it [1].", "model",
    )  # fmt: skip
    assert summary_of("q", [REDIS], [], Writer(""))[1] == ""


def test_a_dossier_holds_no_secret_and_says_where_everything_stands() -> None:
    leaked = Finding(DOCS, "Key", "token ghp_" + "a1B2" * 9, "k.md:1")
    made = Dossier("why?", 1_767_225_600.0, "c" * 40, "main", (REDIS, leaked), (), (), "s")
    text = markdown_of(made)
    assert "ghp_a1B2" not in text
    assert "`README.md:3`" in text
    assert f"query_hash: {query_hash('WHY?')}" in text.replace("'", "")


def test_documentation_is_found_by_its_sections_and_never_outside_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "a.md").write_text(
        "# Guide\n\n" + "Filler words here.\n" * 80 + "\n## Retention\n\nRows are kept 90 days.\n"
    )
    (root / "b.md").write_text("# Other\n\nNothing of the sort.\n")
    (tmp_path / "secret.md").write_text("# Retention\n\nRows are kept 90 days, secretly.\n")
    os.symlink(tmp_path / "secret.md", root / "c.md")
    paths = ["docs/a.md", "b.md", "c.md", "gone.md", "main.py"]
    found = search_documentation(str(root), paths, "how long are rows kept", limit=3)
    assert [one.place for one in found] == ["docs/a.md:86"]
    assert found[0].text == "Rows are kept 90 days."
    assert search_documentation(str(root), paths, "zebra stripes", limit=3) == []


def test_an_answer_is_a_paragraph_a_row_or_an_item_and_never_a_heading_or_code() -> None:
    text = (
        "# Cache\n\nSessions lie in Redis,\nfor an hour.\n\n```sh\nredis-cli flushall\n```\n\n"
        "## Ports\n\n| service | port |\n|---|---|\n| redis | 6379 |\n\n- The web listens on 80.\n"
        "1. First the database.\n"
    )
    assert [(one.line, one.title, one.text) for one in paragraphs(text)] == [
        (3, "Cache", "Sessions lie in Redis,\nfor an hour."),
        (14, "Cache > Ports", "| redis | 6379 |"),
        (16, "Cache > Ports", "- The web listens on 80."),
        (17, "Cache > Ports", "1. First the database."),
    ]
    assert best_paragraph("where do sessions lie", text).startswith("Sessions lie")
    assert best_paragraph("x", "# Only a heading\n") == ""


def test_documentation_is_found_by_its_meaning_and_nothing_answers_what_it_is_not_about(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.md").write_text(
        "# Service\n\n## Storage\n\nDeleted rows can be restored for 90 days.\n\n"
        "## Access\n\nPeople sign in with a password and a second factor.\n"
    )
    with temporary_workspace() as workspace:
        table = workspace.models.table()
    assert table is not None
    found = search_documentation(
        str(tmp_path), ["a.md"], "how do people log in with passwords", limit=2, table=table
    )
    assert found[0].text == "People sign in with a password and a second factor."
    asked = "best time to plant tomatoes in spring"
    assert search_documentation(str(tmp_path), ["a.md"], asked, limit=2, table=table) == []


@contextmanager
def search_server() -> Iterator[tuple[str, list[str]]]:
    """Run a search endpoint on loopback; yield its address and the questions it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked.append(parse_qs(parts.query).get("q", [""])[0])
            body = b'{"results": [{"title": "T\\u001b[31m", "url": "https://e.org/x", '
            body += b'"content": "c"}, {"title": "bad", "url": "javascript:alert(1)"}, 3]}'
            self.send_response(200 if parts.path == "/search" else 500)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def test_a_web_search_is_asked_only_where_it_is_configured_and_its_results_are_data() -> None:
    with search_server() as (address, asked):
        found = search_web(address + "/search?format=json&q={query}", "a & b?", 5)
        assert asked == ["a & b?"]
        assert [(one.title, one.place) for one in found] == [("T", "https://e.org/x")]
        with pytest.raises(ModelUnavailableError, match="500"):
            search_web(address + "/broken?q={query}", "x", 5)
        with pytest.raises(BadInputError, match="query"):
            search_web(address + "/search", "x", 5)


def test_an_answer_is_kept_for_its_commit_and_what_is_known() -> None:
    with temporary_workspace(git=True) as workspace:
        root = workspace.project.place.root
        workspace.remember("Redis is never used for caching sessions", kind="decision")
        with open(os.path.join(root, "README.md"), "w", encoding="utf-8") as file:
            file.write("# Shop\n\nRedis is used for caching sessions.\n")
        first = workspace.research.ask("redis caching sessions")
        assert {one.source for one in first.findings} >= {"memories", "docs"}
        assert len(first.conflicts) == 1
        assert not first.cached
        assert os.path.isfile(os.path.join(root, first.path))
        again = workspace.research.ask("  Redis caching  sessions ")
        assert again.cached
        assert again.findings == first.findings
        assert again.conflicts == first.conflicts
        assert not workspace.research.ask("redis caching sessions", fresh=True).cached
        workspace.learn("Redis caching sessions needs a port")
        assert not workspace.research.ask("redis caching sessions").cached
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "second")
        assert not workspace.research.ask("redis caching sessions").cached
        # The file of the same question was renewed, not multiplied.
        assert len(os.listdir(os.path.join(root, "research"))) == 1
        with pytest.raises(BadInputError, match="No web search"):
            workspace.research.ask("x", only=["web"])


def test_code_answers_at_the_first_question_also_where_the_map_is_made_aside() -> None:
    """A repository of more than a few hundred files is mapped by a process of its own."""
    with temporary_workspace(git=True) as workspace:
        root = workspace.project.place.root
        for number in range(900):
            name = f"module_with_a_long_name_{number:04}_so_that_the_index_of_git_grows.txt"
            Path(root, name).write_text("x\n")
        Path(root, "tax.py").write_text(
            'def compute_tax(sum):\n    """Compute the tax of a sum."""\n'
        )
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "first")
        made = workspace.research.ask("where is the tax of a sum computed", only=["code"])
        assert [report.why for report in made.reports] == [""]
        assert made.findings[0].place == "tax.py:1"
        # A word that is in many names is no answer.
        assert not workspace.research.ask(
            "who pays the tax in Norway on time", only=["code"]
        ).findings
