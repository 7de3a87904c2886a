"""What a command says was done is what was done, and what is left is said."""

import json
from pathlib import Path

import pytest

from reliability.stand import Stand


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(str(tmp_path / "p"))


def test_an_import_says_what_waits_for_approval_and_how_it_is_given(
    stand: Stand, tmp_path: Path
) -> None:
    file = tmp_path / "knowledge.jsonl"
    lines = [
        json.dumps({"type": "learned", "content": f"Lesson {n} of harbour {n * 7}.", "ts": n + 1})
        for n in range(21)
    ]
    file.write_text("\n".join([*lines, "{broken"]), "utf-8")
    said = stand.satchel("import", str(file)).out.decode()
    assert "21 imported" in said
    assert "1 not readable" in said
    assert "21 memories wait for your approval" in said
    assert "`satchel quarantine approve ID`" in said
    assert b"harbour" not in stand.satchel("brief").out
    assert stand.satchel("quarantine", "approve", "--all", "--yes").code == 0
    assert b"harbour" in stand.satchel("brief").out
    again = stand.satchel("import", str(file)).out
    assert b"wait" not in again
    assert json.loads(stand.satchel("import", str(file), "--json").out)["waiting"] == 0


def user(stand: Stand, *words: str) -> str:
    ran = stand.satchel("serve", "user", *words)
    assert ran.code == 0, ran.text
    return ran.out.decode()


def test_removing_a_user_takes_every_role_and_token(stand: Stand) -> None:
    user(stand, "add", "ann", "--role", "writer")
    user(stand, "add", "ann", "--role", "reader", "--in", "repo")
    user(stand, "token", "ann")
    assert "no role and no token" in user(stand, "remove", "ann")
    told = json.loads(stand.satchel("serve", "user", "list", "--json").out)
    assert told["users"] == {"ann": {}}
    assert all(one["revoked"] for one in told["tokens"])


def test_removing_one_role_says_what_is_left(stand: Stand) -> None:
    user(stand, "add", "ann", "--role", "writer")
    user(stand, "add", "ann", "--role", "reader", "--in", "repo")
    user(stand, "token", "ann")
    said = user(stand, "remove", "ann", "--in", "repo")
    assert "Left: writer of *" in said or "Left: writer of all" in said
    assert "1 tokens" in said or "1 token" in said
    ran = stand.satchel("serve", "user", "remove", "ann", "--in", "elsewhere")
    assert ran.code == 4, ran.text
