"""T30: canaries by every path, forgotten; then no byte of them is left, or the receipt says where."""

import gzip
import json
import os
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from reliability.stand import SEED, Stand, git, say, scale
from satchel.application.forgetting.places import SearchedFiles
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.application.forgetting.values import Place, Receipt
from satchel.application.learning.reviewing.queue import open_queue
from satchel.clients.transcript_format.project_key import project_key
from satchel.features.proposals.values import CREATE, KNOWLEDGE, NOTE, PROJECT, Edit, Proposal
from satchel.features.sessions.values import Message
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from unit.transcripts_made import CWD, claude_block, claude_user, jsonl, text

pytestmark = pytest.mark.torture
_LETTERS = "bcdfghjklmnpqrstvwxz"
_SESSION = "3b1f7a52-0c1d-4e6f-9a2b-5d8e7c4f1a90"
Said = dict[str, str]


def canaries(count: int) -> Said:
    """Canary -> the sentence that holds it: half of them with digits, half plain letters."""
    dice = random.Random(SEED)
    found: Said = {}
    while len(found) < count:
        letters = "".join(dice.choice(_LETTERS) for _ in range(12))
        word = f"{letters[:6]}{dice.randrange(1000, 9999)}{letters[6:]}"
        word = word if len(found) // 8 % 2 else letters
        place, colour = dice.choice(("harbour", "relay", "depot")), dice.choice(("blue", "green"))
        found[word] = f"Drain the {place} {word} before the {colour} side of it is switched over."
    return found


# The paths by which they come. Each returns ids of the memories that are to be forgotten.


def _learnt(stand: Stand, said: Said) -> list[str]:
    with stand.workspace() as project:
        return [project.learn(text, title=text[:80]).id for text in said.values()]


def _shared(stand: Stand, said: Said) -> list[str]:
    ids = _learnt(stand, said)
    assert stand.satchel("share", "--yes").code == 0
    git(stand.repo, "add", "--all")
    git(stand.repo, "commit", "-q", "-m", "knowledge")
    return ids


def _of_the_person(stand: Stand, said: Said) -> list[str]:
    with stand.workspace() as project:
        return [project.learn(text, user=True).id for text in said.values()]


def _captured(stand: Stand, said: Said) -> list[str]:
    for line in said.values():
        event = {"session_id": _SESSION, "cwd": stand.repo, "tool_name": "Bash",
                 "tool_input": {"command": f"satchel learn '{line}'"}}  # fmt: skip
        assert stand.satchel("hook", "PostToolUse", stdin=json.dumps(event).encode()).code == 0
    with stand.workspace() as project:
        project.listening.drain(60)
        held = {one.content: one.id for one in project.memories.own.live()}
    return [held[text] for text in said.values()]


def _derived(stand: Stand, said: Said) -> list[str]:
    """What is superseded, what supersedes, what was derived in other words with its name in them."""
    with stand.workspace() as project:
        ids = []
        for word, text in said.items():
            first = project.remember(text, kind="decision")
            second = project.remember(f"{word} again", kind="decision", supersedes=(first.id,))
            project.remember(f"All went well with {word}.", kind="episode",
                             derived_from=(second.id,))  # fmt: skip
            ids.append(second.id)
        return ids


def _shown(stand: Stand, said: Said) -> list[str]:
    """What was shown in sessions and came back: injections, checkpoints, own sessions."""
    ids = []
    with stand.workspace() as project:
        for text in said.values():
            ids.append(project.remember(text, kind="constraint").id)
            project.remember(f"User: is it so? Agent: {text}"[:-4], kind="checkpoint")
    for number, text in enumerate(said.values()):
        event = {"session_id": f"s{number}", "cwd": stand.repo, "prompt": text}
        assert stand.satchel("hook", "UserPromptSubmit", stdin=json.dumps(event).encode()).code == 0
    with stand.workspace() as project, project.sessions as sessions:
        for number, text in enumerate(said.values()):
            own = sessions.new(agent="a", title="about it")
            sessions.move(own.id, "start")
            sessions.say(own.id, Message("user", text))
            if number % 2:
                sessions.move(own.id, "close")
                sessions.store.pack(own.id)
    return ids


def _archived(stand: Stand, said: Said) -> list[str]:
    records = [claude_user(f"Hear: {line}", at) for at, line in enumerate(said.values())]
    records += [claude_block(f"m{at}", text(f"Yes: {line}"), at + 900)
                for at, line in enumerate(said.values())]  # fmt: skip
    root = os.path.realpath(stand.repo)
    path = Path(stand.person, ".claude", "projects", project_key(root), f"{_SESSION}.jsonl")
    path.parent.mkdir(parents=True)
    path.write_bytes(jsonl(records).replace(CWD.encode(), root.encode()))
    assert stand.satchel("session", "import").code == 0
    assert stand.satchel("session", "search", "harbour").code == 0
    return _learnt(stand, said)


def _beside(stand: Stand, said: Said) -> list[str]:
    """Proposals, the graph, quarantine, faults, research, an index that was set aside."""
    ids = _learnt(stand, said)
    state = stand.state
    with stand.workspace() as project:
        queue = open_queue(project)
        for word, line in said.items():
            edit = Edit(CREATE, PROJECT, f"docs/solutions/{word}.md", line)
            made = Proposal(NOTE, KNOWLEDGE, line[:60], line, "high", (edit,), word, quote=line)
            queue.propose([made])
            with project.graph as graph:
                graph.ingest(line, source="test")
            Quarantine(state.quarantine).keep("x", b'{"content": "' + line.encode(), "torn", 1)
            with open(state.faults, "a", encoding="utf-8") as file:
                file.write(json.dumps({"ts": 1, "where": "hook", "what": line}) + "\n")
        queue.close()
    os.makedirs(state.research, exist_ok=True)
    Path(state.research, "kept.json").write_text(json.dumps({"of": list(said.values())}))
    Path(state.index + ".damaged").write_text("\n".join(said.values()))
    return ids


PATHS: tuple[Callable[[Stand, Said], list[str]], ...] = (
    _learnt, _shared, _of_the_person, _captured, _derived, _shown, _archived, _beside,
)  # fmt: skip


# Looking


def readings(path: Path) -> Iterator[bytes]:
    """The bytes of a file, and what they are when they are unpacked."""
    data = path.read_bytes()
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    if ".git" in path.parts:
        try:
            yield zlib.decompress(data)
        except zlib.error:
            return


def hits(stand: Stand, words: Sequence[str]) -> dict[str, set[str]]:
    """Every file below the home, the person and the work tree that holds a canary."""
    found: dict[str, set[str]] = {}
    wanted = [word.encode() for word in words]
    for root in (stand.home, stand.person, stand.repo):
        for path in Path(root).rglob("*"):
            if path.is_file():
                for data in readings(path):
                    lowered = data.lower()
                    here = {word.decode() for word in wanted if word in lowered}
                    if here:
                        found.setdefault(str(path), set()).update(here)
    return found


def unnamed(stand: Stand, words: Sequence[str], receipt: Receipt) -> dict[str, set[str]]:
    """Hits in files that the receipt does not name; git's own are named by their commits."""
    told = {os.path.realpath(one.where) for one in receipt.remains}
    history = any(one.what == "git history" for one in receipt.remains)
    git_files = os.path.join(stand.repo, ".git") + os.sep
    return {
        path: here
        for path, here in hits(stand, words).items()
        if os.path.realpath(path) not in told and not (history and path.startswith(git_files))
    }


def planted(stand: Stand, count: int) -> tuple[Said, list[str]]:
    """Plant canaries by every path; return them, and the ids of their memories."""
    said, ids = canaries(count), []
    words = list(said)
    for number, plant in enumerate(PATHS):
        share = {word: said[word] for word in words[number :: len(PATHS)]}
        ids += plant(stand, share)
    assert stand.satchel("upkeep", "embed").code == 0
    assert stand.satchel("graph", "stats").code == 0
    return said, ids


def test_what_is_forgotten_leaves_no_byte_that_the_receipt_does_not_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand = Stand(str(tmp_path))
    monkeypatch.setenv("HOME", stand.person)
    said, ids = planted(stand, scale(48, 200))
    with stand.workspace() as project:
        two_words = {
            one for one in ids if project.memories.find(one).record.content.endswith(" again")
        }
        kept = project.learn("Run the linter before pushing to the main branch.").id
    before = hits(stand, list(said))
    everywhere = {word for here in before.values() for word in here}
    assert everywhere == set(said), "a canary was never planted"
    done = stand.satchel("forget", *ids, "--yes", "--json", timeout=300)
    assert done.code == 0, done.text
    with stand.workspace() as project:
        receipt = Forgetting(project).receipts.all()[-1]
    assert unnamed(stand, list(said), receipt) == {}
    # Nothing is named that could have been taken out: history, the client's own file, and that
    # what has two words was not looked for inside other texts.
    kinds = {one.what for one in receipt.remains}
    assert kinds == {"git history", "claude's own transcript", "a short memory"}
    short = [one.where for one in receipt.remains if one.what == "a short memory"]
    assert set(short) <= two_words
    told = done.out.decode()
    assert not [word for word in said if word in told]
    # What is left works, and what was not meant is there.
    for words in (["doctor"], ["rebuild"], ["recall", "harbour"], ["session", "import"]):
        assert stand.satchel(*words).code in (0, 1), words
    assert kept in stand.satchel("memory", "list", "--json").out.decode()
    assert unnamed(stand, list(said), receipt) == {}
    say("T30", len(said), f"{len(before)} files held them, {len(receipt.remains)} are named")


def test_a_file_that_is_left_out_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand = Stand(str(tmp_path))
    monkeypatch.setenv("HOME", stand.person)
    said = canaries(4)
    ids = _shown(stand, said)
    every = SearchedFiles.every

    def without_injections(places: SearchedFiles) -> Iterator[Place]:
        return (one for one in every(places) if "injections" not in one.path)

    monkeypatch.setattr(SearchedFiles, "every", without_injections)
    with stand.workspace() as project:
        forgetting = Forgetting(project)
        receipt = forgetting.apply(forgetting.plan(Selection(tuple(ids))))
    assert any("injections" in path for path in unnamed(stand, list(said), receipt))


def test_an_index_that_is_not_packed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand = Stand(str(tmp_path))
    monkeypatch.setenv("HOME", stand.person)
    said = canaries(4)
    ids = _learnt(stand, said)
    monkeypatch.setattr("satchel.application.forgetting.service.pack_indexes", lambda *_, **__: [])
    with stand.workspace() as project:
        project.memories.own.append([Record(kind="learned", key="k", content="innocent")])
        forgetting = Forgetting(project)
        receipt = forgetting.apply(forgetting.plan(Selection(tuple(ids))))
    assert any("index.db" in path for path in hits(stand, list(said)))
    assert unnamed(stand, list(said), receipt) == {}
    assert any("index.db" in one.where for one in receipt.remains)
