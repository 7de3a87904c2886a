"""What gives a forgotten text away, and taking it out of lines, files and archives."""

import gzip
import json
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.application.forgetting.matching import TraceMatcher, is_distinctive
from satchel.application.forgetting.scrub import (
    cleaned_line,
    contains_trace,
    is_tombstone,
    without_lines,
    without_text,
)
from satchel.application.forgetting.values import MARK
from satchel.core.hashing import is_whole, sealed
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.record import Record

SAID = "The harbour relay answers on port zq7kx9wm when the blue side is drained."
TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=60)


def test_it_is_found_in_keys_in_other_cases_and_cut_short() -> None:
    traces = TraceMatcher([SAID])
    for text in (
        "learned-the-harbour-relay-answers-on-port",
        "THE HARBOUR RELAY ANSWERS ON PORT ...",
        "he said: the harbour\nrelay answers\ton port",
        "see zq7kx9wm!",
    ):
        assert traces.hits(text), text
    # A word that was cut goes with the words before it.
    assert traces.without("x the blue side is drai") == f"x {MARK}" or not traces.hits("drai")
    assert "zq7k" not in traces.without("harbour relay answers on port zq7k")


def test_writing_without_spaces_is_found_in_other_texts_and_cut_short() -> None:
    said = "中继服务器每天在端口四四一一上应答请记住这件事"
    traces = TraceMatcher([said])
    assert traces.without(f"Asked: {said}。好") == f"Asked: {MARK}。好"
    assert traces.hits("服务器每天在端口四四一一上…")
    assert not traces.hits("服务器每天重启")
    assert contains_trace(f"他说: {said}!".encode(), traces)
    japanese = TraceMatcher(["リレーは毎日ポートで応答します"])
    assert japanese.hits("「リレーは毎日ポートで応答します」と言った")


def test_a_letter_that_ascii_spells_with_two_is_found_in_bytes() -> None:
    traces = TraceMatcher(["Wir wissen, dass der Fluß täglich die Straße überschwemmt"])
    for form in ("dass der Fluß täglich die Straße", "DASS DER FLUSS TÄGLICH DIE STRASSE"):
        assert contains_trace(form.encode(), traces)
        assert contains_trace(json.dumps({"content": form}).encode(), traces)
    assert all(c.casefold().isascii() for c in "ßẞſ\u212aﬀﬁﬂﬃﬄﬅﬆ")
    wide = [c for c in map(chr, range(128, 0x30000)) if c.casefold().isascii()]
    assert all(TraceMatcher(["one two three"]).may_hit(one.encode()) for one in wide)


def test_a_letter_with_its_mark_as_a_second_character_is_the_same() -> None:
    said = "Die Brücke über den Fluß zählt täglich grüne Vögel"
    composed, apart = unicodedata.normalize("NFC", said), unicodedata.normalize("NFD", said)
    for learnt, told in ((composed, apart), (apart, composed)):
        assert TraceMatcher([learnt]).hits(f"er sagte, {told.lower()}")


def test_a_few_words_in_common_give_nothing_away() -> None:
    traces = TraceMatcher([SAID, "Use tabs."])
    for text in ("the relay answers", "on port 443", "use tabs in Makefiles", "drained"):
        assert not traces.hits(text), text
    assert traces.hits("Use tabs.")


def test_a_word_of_what_stays_gives_nothing_away() -> None:
    assert TraceMatcher([SAID]).telling == {"zq7kx9wm"}
    assert TraceMatcher([SAID], ["zq7kx9wm is a model"]).telling == frozenset()


def test_ids_hashes_and_plain_words_are_not_telling() -> None:
    for word in ("967b186ab01", "01m81m8mn6c26whk2fy2vz8c9d", "indentation", "20260101", "py311"):
        assert not is_distinctive(word), word


@settings(max_examples=150)
@given(TEXTS, TEXTS)
def test_nothing_is_left_and_nothing_else_goes(before: str, after: str) -> None:
    traces = TraceMatcher([SAID])
    made = traces.without(f"{before} {SAID} {after}")
    assert not traces.hits(made.replace(MARK, ""))
    if not traces.hits(f"{before} {after}"):
        assert traces.without(f"{before} {after}") == f"{before} {after}"
        assert made.startswith(before[: len(before)])


@settings(max_examples=100)
@given(TEXTS, TEXTS)
def test_lines_stay_lines_whose_seal_is_right(name: str, value: str) -> None:
    traces = TraceMatcher([SAID])
    line = sealed(json.dumps({"id": "1", name: [value, {"x": SAID}]}))[0]
    made = cleaned_line(line, traces)
    assert is_whole(made)
    assert not contains_trace(made, traces)
    assert cleaned_line(made, traces) == made


def test_a_line_that_a_hand_edited_stays_one_that_a_hand_edited() -> None:
    line = encode(Record(kind="episode", id="1", key="k", ts=5, content=SAID)).rstrip()
    edited = line.replace(b'"ts":5', b'"ts":6')
    record = decode(cleaned_line(edited, TraceMatcher([SAID]))).record
    assert record is not None
    assert record.edited


def test_a_record_becomes_one_empty_line_with_id_and_hashes() -> None:
    one = Record(kind="learned", id="A", key="learned-the-harbour-relay", ts=5, content=SAID)
    lines = [encode(one).rstrip(), encode(one._replace(rev=1, tags=("x",))).rstrip(), b"torn {"]
    made = without_lines(lines, TraceMatcher([SAID]), lambda r: r.id == "A", now=9)
    assert len(made) == 2
    stone = decode(made[0]).record
    assert stone is not None
    assert is_tombstone(stone)
    assert (stone.id, stone.rev, stone.deleted_at, len((stone.data or {})["forgotten"])) == (
        "A", 2, 9, 2,
    )  # fmt: skip
    assert b"harbour" not in made[0]
    assert without_lines(made, TraceMatcher([SAID]), lambda r: r.id == "A", now=9) == made


def test_archives_of_several_members_damaged_or_not() -> None:
    traces = TraceMatcher([SAID])
    turn = sealed(json.dumps({"id": "t", "role": "user", "at": 1, "text": f"so: {SAID}"}))[0]
    other = sealed(json.dumps({"id": "u", "role": "user", "at": 2, "text": "plain"}))[0]
    packed = gzip.compress(turn + b"\n") + gzip.compress(other + b"\n")
    assert contains_trace(packed, traces)
    made = without_text(packed, traces)
    assert not contains_trace(made, traces)
    first, second = gzip.decompress(made).splitlines()
    assert json.loads(first)["forgotten"] is True
    assert second == other
    assert without_text(made, traces) == made


def test_a_text_over_two_lines_and_json_with_escapes() -> None:
    traces = TraceMatcher([SAID])
    for data in (
        SAID.replace(" relay", "\nrelay").encode(),
        json.dumps({"x": SAID.replace(" ", "\n")}, indent=2).encode(),
        json.dumps([SAID.replace(" ", " \u00e9\t")]).encode(),
        f"\udcff {SAID}".encode("utf-8", "surrogateescape"),
    ):
        assert not contains_trace(without_text(data, traces), traces)
