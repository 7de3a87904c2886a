"""Edits of other programs' files: what is not ours keeps every byte."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.clients.settings_files import rule_blocks, toml_text
from satchel.clients.settings_files.hook_entries import hook_places
from satchel.clients.settings_files.jsonc import Document, without_matches
from satchel.clients.settings_files.owned_parts import without_parts
from satchel.clients.setup.wired import CLIENTS, hook_items
from satchel.clients.setup.wiring import with_hooks
from satchel.core.errors import ConflictError

COMMAND = "/opt/it's here/satchel"
BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\t", " // mine\n", "/* a,b]} */", "\r\n"])
SCALARS = st.one_of(
    st.integers(), st.booleans(), st.none(), st.text(max_size=6), st.floats(allow_nan=False, allow_infinity=False)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody may have written it: blanks, comments, commas before the end."""

    def blank() -> str:
        return draw(BLANKS)

    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        parts = [
            blank()
            + (json.dumps(k) + blank() + ":" + blank() if isinstance(value, dict) else "")
            + draw(written(v))
            + blank()
            for k, v in items
        ]
        comma = draw(st.sampled_from(["", ","])) if parts else ""
        marks = "{}" if isinstance(value, dict) else "[]"
        return marks[0] + ",".join(parts) + comma + blank() + marks[1]
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def files(draw: st.DrawFn) -> tuple[dict[str, Any], bytes]:
    value = draw(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
    return value, (draw(BLANKS) + draw(written(value)) + draw(BLANKS)).encode()


@given(files())
@settings(max_examples=150, deadline=None)
def test_what_anybody_writes_is_read_as_it_is_meant(file: tuple[dict[str, Any], bytes]) -> None:
    value, raw = file
    document = Document(raw, "f")
    assert document.root.value == value
    assert document.raw == raw


@given(files(), st.sampled_from(["codex", "gemini", "cursor", "copilot"]))
@settings(max_examples=150, deadline=None)
def test_putting_in_adds_bytes_only_and_taking_out_gives_the_meaning_back(
    file: tuple[dict[str, Any], bytes], name: str
) -> None:
    value, raw = file
    client = CLIENTS[name]
    items = hook_items(client, COMMAND, guard=True)
    if not isinstance(value.get("hooks", {}), dict):
        return
    once = with_hooks(raw, "f", client, items)
    assert is_subsequence(raw.decode().rstrip(), once.decode())
    assert with_hooks(once, "f", client, items) == once
    found = Document(once, "f").root.value
    for event, item in items:
        assert item in found["hooks"][event]
    left = without_parts(once, "f", ["hooks"])
    plain = {k: v for k, v in value.items() if (k, v) != ("hooks", {})}
    if left is None:
        assert plain in ({}, {"version": 1})
    else:
        after = Document(left, "f").root.value
        after.pop("version", None)
        plain.pop("version", None)
        assert {k: v for k, v in after.items() if (k, v) != ("hooks", {})} == plain


def test_the_measure_notices_an_edit_that_drops_a_comment() -> None:
    raw = '{"a": 1 /* mine */}'
    careless = json.dumps({**json.loads('{"a": 1}'), "hooks": {}})
    assert not is_subsequence(raw, careless)
    assert is_subsequence(raw, Document(raw.encode(), "f").with_value(("hooks",), {}).text)


def is_subsequence(less: str, more: str) -> bool:
    rest = iter(more)
    return all(letter in rest for letter in less if not letter.isspace())


COMMENTED = b"""// settings of mine
{
  "theme": "dark", // never light
  /* hooks: careful */
  "hooks": {
    "AfterTool": [
      { "matcher": "x", "hooks": [{ "type": "command", "command": "./theirs" }] }, // theirs
    ],
  },
}
"""


def test_comments_and_the_style_of_the_file_stay_and_come_back_to_the_byte() -> None:
    client = CLIENTS["gemini"]
    once = with_hooks(COMMENTED, "f", client, hook_items(client, COMMAND, guard=False))
    for comment in (
        b"// settings of mine",
        b"// never light",
        b"/* hooks: careful */",
        b"}, // theirs\n",
    ):
        assert comment in once
    assert without_parts(once, "f", ["hooks"]) == COMMENTED


def test_a_hand_edit_beside_ours_survives_an_upgrade_and_a_removal() -> None:
    client = CLIENTS["gemini"]
    once = with_hooks(b"", "f", client, hook_items(client, "/old/satchel", guard=False))
    document = Document(once, "f")
    edited = document.with_value(
        ("hooks", "AfterTool", 0, "hooks", -1), {"type": "command", "command": "./mine"}
    )
    new = with_hooks(edited.raw, "f", client, hook_items(client, COMMAND, guard=False))
    assert b"./mine" in new
    assert b"/old/satchel" not in new
    assert len(hook_places(Document(new, "f").root.value)) == len(client.events)
    left = without_parts(new, "f", ["hooks"])
    assert left is not None
    assert Document(left, "f").root.value == {
        "hooks": {
            "AfterTool": [
                {
                    "matcher": "run_shell_command|invoke_agent",
                    "hooks": [{"type": "command", "command": "./mine"}],
                }
            ]
        }
    }


@pytest.mark.parametrize(("raw", "told"), [
    (b'{"a": 1', "line 1, column 8"), (b'{"a": 1 "b": 2}', "',' is expected"), (b"[1]", "no JSON object"),
    (b'{"a": 1, "a": 2}', "occurs twice"), (b'{"a": tru}', "expected a value"), (b"\xff\xfe{}", "not UTF-8"),
    (b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deeply"), (b"{} x", "after its end"),
    (b'{"a": "x\ny"}', "quoted string"), (b"/* open {}", "expected a value"), (b'{"hooks": []}', "not an object"),
    (b'{"hooks": {"sessionStart": {}}}', "not a list"), (b"{,}", "quoted string"),
])  # fmt: skip
def test_a_broken_file_is_refused_and_explained(raw: bytes, told: str) -> None:
    client = CLIENTS["cursor"]
    with pytest.raises(ConflictError, match=told.replace("(", "\\(")):
        with_hooks(raw, "f", client, hook_items(client, COMMAND, guard=False))


TOML = b'# top\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "o"\n# about tui\n[tui]\nx = """\n[mcp_servers.satchel]\n"""\n'


def test_a_table_of_toml_comes_and_goes_to_the_byte() -> None:
    once = toml_text.with_server(TOML, "f", COMMAND)
    assert once.startswith(TOML)
    assert tomllib.loads(once.decode())["mcp_servers"]["satchel"] == {
        "command": COMMAND,
        "args": ["mcp"],
    }
    moved = toml_text.with_server(once + b"[z]\ny = 1 # end\n", "f", "/new/satchel")
    assert b"y = 1 # end" in moved
    assert tomllib.loads(moved.decode())["mcp_servers"]["satchel"]["command"] == "/new/satchel"


@pytest.mark.parametrize("text", [
    "", "x = 1", "x = 1\n", "[a]\nx = 1\n", "[a]\r\nx = 1\r\n", "# only\n", "[mcp_servers.o]\ncommand = 'x'\n\n",
])  # fmt: skip
def test_taking_the_table_out_gives_the_bytes_back(text: str) -> None:
    once = toml_text.with_server(text.encode(), "f", COMMAND)
    left = toml_text.without_server(once, "f")
    assert left.decode().rstrip("\r\n") == text.rstrip("\r\n")


def test_tables_and_comments_around_ours_stay() -> None:
    raw = (b'[a]\nx = 1\n\n[mcp_servers.satchel]\ncommand = "/o/satchel"\nargs = ["mcp"]\n'
           b'[mcp_servers.satchel.env]\nK = "v"\n\n# about b\n[b]\ny = 2\n')  # fmt: skip
    assert toml_text.without_server(raw, "f") == b"[a]\nx = 1\n\n# about b\n[b]\ny = 2\n"


@pytest.mark.parametrize(("raw", "told"), [
    (b"x = ", "not valid TOML"), (b"\xff", "not UTF-8"), (b"mcp_servers = {}\n", "cannot be changed"),
    (b'mcp_servers = { satchel = { command = "/o/satchel" } }\n', "cannot be changed"),
    (TOML + b"[mcp_servers]\nx = 1\n", ""),
])  # fmt: skip
def test_toml_that_cannot_be_added_to_is_refused(raw: bytes, told: str) -> None:
    if not told:
        assert toml_text.with_server(raw, "f", COMMAND).startswith(raw)
        return
    with pytest.raises(ConflictError, match=told):
        toml_text.with_server(raw, "f", COMMAND)


LINES = st.lists(st.text(alphabet="ab #-<>!é`\t", max_size=8), max_size=6)


@given(LINES, LINES.map("\n".join), st.sampled_from(["\n", "\r\n"]), LINES)
@settings(max_examples=150, deadline=None)
def test_text_around_a_block_is_never_touched(
    before: list[str], body: str, newline: str, after: list[str]
) -> None:
    body = body.strip("\n") + "\n"
    head, tail = newline.join(before), newline.join(after)
    once = rule_blocks.with_block(head, "f", body, "rules.md")
    assert once.startswith(head)
    assert rule_blocks.state_of(once, "f", body) == rule_blocks.CURRENT
    assert rule_blocks.state_of(once, "f", body + "more\n") == rule_blocks.STALE
    used = "\r\n" if "\r\n" in head else "\n"
    around = once + tail
    again = rule_blocks.with_block(around, "f", "other\n", "rules.md")
    assert again.startswith(head)
    assert again.endswith(tail)
    assert rule_blocks.without_block(again, "f").rstrip("\r\n") == (
        head + (used if head and not head.endswith("\n") else "") + tail
    ).rstrip("\r\n")


def test_an_edit_inside_the_block_is_seen_and_broken_marks_are_refused() -> None:
    once = rule_blocks.with_block("", "f", "one\ntwo\n", "r.md")
    assert rule_blocks.state_of(once.replace("two", "2"), "f", "one\ntwo\n") == rule_blocks.EDITED
    for broken in (once.replace("END", "Ende"), once + once, once.replace("BEGIN", "begin"),
                   "\n".join(reversed(once.splitlines()))):  # fmt: skip
        with pytest.raises(ConflictError):
            rule_blocks.block_in(broken, "f")


def test_taking_out_stops_at_a_comment_of_somebody() -> None:
    raw = b'{"hooks": { /* keep */ "E": [1] }, "z": 1}'
    left = without_matches(
        Document(raw, "f"), lambda value: [("hooks", "E", 0)] if value["hooks"].get("E") else []
    )
    assert left.text == '{"hooks": { /* keep */ }, "z": 1}'
