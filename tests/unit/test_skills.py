"""Skills: the standard's own rules, substitution, and knowing an unchanged one again."""

import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.clients.claude_code.plugin import plugin_files
from satchel.clients.settings_files import skills
from satchel.clients.setup.wired import CLIENTS

TOOL_DIRS = sorted({client.tool_dir for client in CLIENTS.values()})


@pytest.mark.parametrize("name", skills.NAMES)
@pytest.mark.parametrize("tool_dir", TOOL_DIRS)
def test_a_deployed_skill_keeps_to_the_standard_and_names_the_client_s_places(
    name: str, tool_dir: str
) -> None:
    text = skills.rendered(name, tool_dir).decode()
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    fields = yaml.safe_load(head)
    assert set(fields) == {"name", "description", "metadata"}
    assert fields["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert 1 <= len(fields["description"]) <= 1024
    assert all(isinstance(value, str) for value in fields["metadata"].values())
    assert len(body.splitlines()) < 500
    assert "{{" not in text
    assert f"`{tool_dir}" in text
    assert f"`~/{tool_dir}" in text
    raw = text.encode()
    assert skills.state_of(raw, raw) == skills.CURRENT
    assert skills.state_of(raw, b"newer") == skills.STALE


@given(st.sampled_from(skills.NAMES), st.data())
@settings(max_examples=80, deadline=None)
def test_a_changed_byte_makes_it_somebody_s_own(name: str, data: st.DataObject) -> None:
    raw = skills.rendered(name, ".claude")
    at = data.draw(st.integers(0, len(raw) - 1))
    changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
    assert skills.state_of(changed) in (skills.EDITED, skills.FOREIGN)


@pytest.mark.parametrize("raw", [b"", b"---\nname: x\n---\n", b"\xff\xfe", b"---\n" * 1000])
def test_what_has_no_mark_is_somebody_else_s(raw: bytes) -> None:
    assert skills.state_of(raw) == skills.FOREIGN


def test_the_plugin_holds_every_skill() -> None:
    named = {path.split("/")[1] for path in plugin_files() if path.startswith("skills/")}
    assert named == set(skills.NAMES)
