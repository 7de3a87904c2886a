"""The MCP server's pure parts: pages and cursors, arguments, lines, settings of clients."""

import json
import os
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.to_thread
import mcp_types as types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.clients.mcp_snippets import NAMES, snippet
from satchel.core.errors import BadInputError
from satchel.core.token_budget import estimate_tokens
from satchel.interfaces.mcp import paging
from satchel.interfaces.mcp.calls import CallCancelledError
from satchel.interfaces.mcp.profiles import PROFILES, tools_of
from satchel.interfaces.mcp.schemas import checked
from satchel.interfaces.mcp.serving import _teller
from satchel.interfaces.mcp.stdio import Lines, Refusal, message_of

ROOT = Path(__file__).parents[2]
TEXTS = st.text(alphabet=st.sampled_from("ab \n\u00e9\u6f22\U0001f600\r\x0b"), max_size=400)


@settings(max_examples=80)
@given(TEXTS, st.integers(4, 40))
def test_pages_are_the_text_and_none_is_too_large(text: str, tokens: int) -> None:
    pages = paging.split_text(text, tokens)
    assert "".join(pages) == text
    assert all(estimate_tokens(page) <= tokens for page in pages)
    assert pages


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.text(max_size=20), st.text(max_size=20))
def test_a_cursor_stands_for_one_question(offset: int, about: str, other: str) -> None:
    cursor = paging.cursor_of(offset, about)
    assert paging.offset_of(cursor, about) == offset
    assert paging.offset_of("", about) == 0
    if other.encode("utf-8", "replace") != about.encode("utf-8", "replace"):
        with pytest.raises(BadInputError):
            paging.offset_of(cursor, other)


@settings(max_examples=80)
@given(st.text(min_size=1, max_size=30))
def test_a_made_up_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(BadInputError):
        paging.offset_of(cursor, "a question")


def test_a_page_refuses_a_cursor_of_a_text_that_has_changed() -> None:
    text = "line\n" * 40_000
    page = paging.text_page(text, "")
    assert (page.number, page.pages) == (1, 3)
    assert paging.text_page(text, page.next_cursor).number == 2
    with pytest.raises(BadInputError, match="changed"):
        paging.text_page(text + "x", page.next_cursor)


@pytest.mark.parametrize("profile", PROFILES)
def test_defaults_pass_their_own_schema_and_odd_values_do_not(profile: str) -> None:
    for tool in tools_of(profile):
        given_ = dict.fromkeys(tool.needs, "x")
        given_ |= {name: tool.takes[name]["enum"][0] for name in tool.needs
                   if "enum" in tool.takes[name]}  # fmt: skip
        full = checked(tool, given_)
        assert set(full) >= set(tool.needs)
        assert checked(tool, full) == full
        with pytest.raises(BadInputError, match="has no argument"):
            checked(tool, {**given_, "no_such_argument": 1})
        for name in tool.needs:
            with pytest.raises(BadInputError, match="needs the argument"):
                checked(tool, {key: value for key, value in given_.items() if key != name})
        for name, schema in tool.takes.items():
            wrong: object = {"boolean": "yes", "array": "x", "object": []}.get(schema["type"], [])
            with pytest.raises(BadInputError):
                checked(tool, {**given_, name: wrong})
        assert len(tool.about) < 200


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=60).map(lambda b: b.replace(b"\n", b"-")), max_size=12))
def test_lines_come_whole_however_they_arrive(lines: list[bytes]) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"".join(line + b"\n" for line in lines) + b"unfinished")
    os.close(writing)
    cut, found = Lines(reading, longest=40), list[bytes | None]()
    while (more := cut.read()) is not None:
        found += more
    os.close(reading)
    assert found == [line if len(line) <= 40 else None for line in lines]


@settings(max_examples=100)
@given(st.binary(max_size=80))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    told = message_of(line)
    if isinstance(told, Refusal):
        assert told.error.error.code in (-32700, -32600)


def test_work_stops_at_its_next_step_once_nobody_waits() -> None:
    seen: list[object] = []
    over = threading.Event()
    waiting: list[anyio.CancelScope] = []

    class Session:
        async def report_progress(self, *told: object) -> None:
            seen.append(told)
            if len(seen) == 3:
                waiting[0].cancel()

    class Context:
        session = Session()

    def work(tell: Callable[[int, int, str], None]) -> None:
        try:
            for step in range(1_000):
                time.sleep(0.01)
                tell(step, 1_000, "working")
        except CallCancelledError:
            seen.append("stopped")
        finally:
            over.set()

    async def call() -> None:
        with anyio.CancelScope() as scope:
            waiting.append(scope)
            tell = _teller(Context())  # type: ignore[arg-type]
            await anyio.to_thread.run_sync(work, tell, abandon_on_cancel=True)
        assert await anyio.to_thread.run_sync(over.wait, 5)

    anyio.run(call)
    assert seen[-1] == "stopped"
    assert 3 < len(seen) < 10


def test_what_clients_get_is_json_or_toml_that_starts_the_server() -> None:
    for client in NAMES:
        text = snippet(client, profile="default")
        told = tomllib.loads(text) if client == "codex" else json.loads(text)
        (servers,) = told.values()
        if client != "http":
            server = servers["satchel"]
            # opencode spells a command and its arguments as one list.
            words = (
                server["command"] if client == "opencode" else [server["command"], *server["args"]]
            )
            assert words == ["satchel", "mcp"]
    assert '"memory"' in snippet("gemini", profile="memory")
    with pytest.raises(BadInputError):
        snippet("other", profile="default")


def test_the_documentation_tells_every_tool() -> None:
    told = (ROOT / "docs" / "mcp.md").read_text("utf-8")
    for profile in PROFILES:
        for tool in () if profile == "full" else tools_of(profile):
            assert f"| `{profile}` | `{tool.name}` | {tool.about} |" in told


def test_pages_of_an_answer_hold_each_item_once_however_deep_it_was_searched() -> None:
    def ask(most: int) -> list[int]:
        # As search does: who is asked for more looks further, and then orders otherwise.
        return sorted(range(150), key=lambda one: (one * most) % 151)[:most]

    for limit in (1, 7, 50, 149, 150):
        seen: list[int] = []
        cursor = ""
        while True:
            start = paging.offset_of(cursor, "q")
            found = paging.ranked_to(start, limit, ask, lambda one: one)
            page, cursor = paging.answer_page(found, start, limit, "q")
            seen += page
            if not cursor:
                break
        assert sorted(seen) == list(range(150)), limit


def test_a_cursor_is_bound_to_every_argument_but_itself() -> None:
    asked = {"question": "q", "limit": 7, "kinds": ["fact"], "cursor": "x"}
    assert paging.asked_for(asked) == paging.asked_for({**asked, "cursor": "y"})
    others: list[dict[str, object]] = [{"question": "r"}, {"limit": 8}, {"kinds": []}]
    for other in others:
        assert paging.asked_for({**asked, **other}) != paging.asked_for(asked)


def test_half_a_character_does_not_take_the_id_from_a_request() -> None:
    line = rb'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": "cut \ud83d", "b": "\ud83d\ude00"}}'
    told = message_of(line)
    assert isinstance(told, types.JSONRPCRequest)
    assert (told.id, told.params) == (7, {"a": "cut ?", "b": "\U0001f600"})
    assert isinstance(message_of(rb'{"jsonrpc": "2.0", "id": 7, "method": "\ud83d"'), Refusal)
