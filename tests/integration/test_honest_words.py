"""What a command says was done is what was done, and what is left is said."""

import json
import os
from pathlib import Path

import pytest

from reliability.stand import Stand, git
from satchel.storage.ledger import file as ledger_file


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
    assert "`satchel approve ID`" in said
    assert b"harbour" not in stand.satchel("brief").out
    assert stand.satchel("quarantine", "approve", "--all", "--yes").code == 0
    assert b"harbour" in stand.satchel("brief").out
    again = stand.satchel("import", str(file)).out
    assert b"wait" not in again
    assert json.loads(stand.satchel("import", str(file), "--json").out)["waiting"] == 0


def test_an_import_says_what_was_forgotten_and_how_it_is_said_again(
    stand: Stand, tmp_path: Path
) -> None:
    stand.satchel("learn", "The harbour opens at six.")
    stand.satchel("learn", "The lighthouse was sold.")
    (ledger,) = Path(stand.home).glob("projects/*/ledgers/knowledge.jsonl")
    file = tmp_path / "knowledge.jsonl"
    file.write_bytes(ledger.read_bytes())
    stand.satchel("forget", "--query", "lighthouse", "--yes")
    said = stand.satchel("import", str(file)).out.decode()
    assert "0 imported, 1 known already" in said
    assert "1 line was forgotten here, and not imported: `satchel remember`" in said
    told = json.loads(stand.satchel("import", str(file), "--json").out)
    assert (told["read"], told["known"], told["forgotten"]) == (2, 1, 1)
    stand.satchel("learn", "The lighthouse was sold.")
    assert b"lighthouse" in stand.satchel("recall", "lighthouse").out


def test_the_former_name_of_approve_does_what_it_did(stand: Stand, tmp_path: Path) -> None:
    file = tmp_path / "knowledge.jsonl"
    file.write_text('{"type":"learned","content":"The harbour opens at six.","ts":1}\n', "utf-8")
    stand.satchel("import", str(file))
    (held,) = json.loads(stand.satchel("quarantine", "list", "--json").out)["held"]
    assert stand.satchel("quarantine", "approve").code == 2
    assert stand.satchel("quarantine", "approve", held["id"]).code == 0
    assert json.loads(stand.satchel("quarantine", "--json").out)["held"] == []
    assert stand.satchel("quarantine", "revoke", held["id"]).code == 0
    assert len(json.loads(stand.satchel("approve", "--json").out)["held"]) == 1
    for word, foreign in (("on", True), ("off", False)):
        said = stand.satchel("quarantine", "foreign", word, "--json").out
        assert json.loads(said) == {"foreign": foreign}
        assert json.loads(stand.satchel("approve", "--json").out)["foreign"] is foreign
    assert stand.satchel("quarantine", "foreign", "perhaps").code == 2


def test_a_project_whose_path_is_not_utf8_is_examined_and_read(
    stand: Stand, tmp_path: Path
) -> None:
    place = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    try:
        os.mkdir(place)
    except OSError:
        pytest.skip("this file system takes text alone")
    git(place, "init", "-q")
    assert stand.satchel("init", "--yes", "--no-hooks", cwd=place).code == 0
    assert stand.satchel("learn", "The harbour opens at dawn.", cwd=place).code == 0
    assert stand.satchel("share", "--yes", cwd=place).code == 0
    for words in (("recall", "harbour"), ("memory", "list"), ("brief",)):
        ran = stand.satchel(*words, cwd=place)
        assert ran.code == 0, ran.text
        assert b"harbour opens" in ran.out
    for words in (("doctor",), ("doctor", "--json"), ("rebuild",), ("stats",)):
        ran = stand.satchel(*words, cwd=place)
        assert ran.code == 0, ran.text


def test_a_ledger_that_lost_its_end_is_noticed(stand: Stand) -> None:
    with stand.workspace() as workspace:
        for n in range(40):
            last = workspace.learn(f"Lesson {n} about harbour {n * 13}.")
    assert stand.satchel("doctor").code == 0
    path = Path(stand.state.ledger("knowledge"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:10]))
    for words in (("list",), ("recall", "harbour"), ("brief",)):
        assert b"30 saved memories are gone from" in stand.satchel(*words).err
    for _ in range(2):
        ran = stand.satchel("doctor")
        assert ran.code == 7, ran.text
        assert b"lost its end" in ran.out
        assert f"30 lines up to {last.id} cannot be found".encode() in ran.out
        # What is learnt afterwards does not hide it.
        assert stand.satchel("learn", "One more.").code == 0


def test_the_count_of_what_is_missing_includes_what_others_wrote(stand: Stand) -> None:
    stand.satchel("learn", "The first lesson.")
    path = Path(stand.state.ledger("knowledge"))
    with path.open("a", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"type": "learned", "content": f"Foreign {n}"}) + "\n" for n in range(5)
        )
    ident = json.loads(stand.satchel("learn", "The last lesson.", "--json").out)["id"]
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    ran = stand.satchel("doctor")
    assert f"6 lines up to {ident} cannot be found".encode() in ran.out, ran.text


def test_a_count_that_is_not_kept_is_noticed(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_file, "keep_end", lambda *_: None)
    with stand.workspace() as workspace:
        for n in range(5):
            workspace.learn(f"Lesson {n} about harbour {n * 13}.")
    path = Path(stand.state.ledger("knowledge"))
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    assert b"cannot be found" not in stand.satchel("doctor").out


def test_what_rewrites_a_ledger_is_no_loss(stand: Stand) -> None:
    with stand.workspace() as workspace:
        for n in range(5):
            last = workspace.learn(f"Lesson {n} about harbour {n * 13}.")
    assert stand.satchel("backup").code == 0
    assert stand.satchel("learn", "After the backup.").code == 0
    assert stand.satchel("forget", last.id, "--yes").code == 0
    assert stand.satchel("doctor").code == 0
    assert stand.satchel("restore", "latest", "--yes").code == 0
    assert b"gone" not in stand.satchel("list").err
    assert stand.satchel("learn", "After the restore.").code == 0
    ran = stand.satchel("doctor")
    assert ran.code == 0, ran.text


def user(stand: Stand, *words: str) -> str:
    ran = stand.satchel("serve", "user", *words)
    assert ran.code == 0, ran.text
    return ran.out.decode()


def test_removing_a_user_takes_every_role_and_token(stand: Stand) -> None:
    user(stand, "add", "ann", "--role", "writer")
    user(stand, "add", "ann", "--role", "reader", "--in", "repo")
    user(stand, "token", "ann")
    assert "no longer has a role or a token" in user(stand, "remove", "ann")
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
