"""A list as Satchel writes it is read without a YAML library, and just as one would read it."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.engine.markdown import plain_entries
from satchel.engine.markdown.plain_entries import read_plain
from satchel.engine.markdown.yaml_entries import read_entries, with_entry
from satchel.engine.markdown.yaml_serialization import as_item

WORDS = st.sampled_from(
    ["a", "yes", "True", "null", "2026-11-27", "0.5", "0.50", "-1", "007", "1e5", "x-", "a b", "#c",
     "é", '"q"', "'q'", "a: b", "- a", "&a", "*a", "~", "", "[]", "0x1f", "1_000", "12:30", "\\", "\x85"]
)  # fmt: skip
VALUES = st.one_of(WORDS, st.text(max_size=12), st.integers(-5, 10**6), st.booleans(), st.none(),
                   st.floats(0, 1), st.lists(WORDS, max_size=2))  # fmt: skip
NAMES = st.sampled_from(["id", "rule", "confidence", "y", "no", "last_reinforced"])
ENTRIES = st.lists(st.dictionaries(NAMES, VALUES, min_size=1, max_size=4), max_size=3)


def is_read_alike(text: str) -> bool:
    """Return whether both read the same, or the quick one leaves it to the other."""
    plain = read_plain(text, "instincts")
    if plain is None:
        return True
    try:
        listing = read_entries(text, "instincts")
    except BadInputError:
        return False
    theirs = [(one.fields, one.line) for one in listing.entries]
    mine = [tuple(one) for one in plain]
    return repr(mine) == repr(theirs) and not listing.strays


@given(ENTRIES)
def test_what_we_write_is_read_as_a_library_reads_it(entries: list[dict[str, object]]) -> None:
    items = "".join(as_item(fields, 2, "\n") for fields in entries)
    assert is_read_alike(f"version: 1\ninstincts:\n{items}")


@given(st.lists(st.tuples(st.sampled_from(["  - ", "    ", "- ", "   "]), NAMES, WORDS), max_size=5),
       st.sampled_from(["version: 1\n", "", "other: 2\n"]), st.sampled_from(["\n", ""]))  # fmt: skip
def test_what_others_write_is_read_alike_or_left_to_the_library(
    lines: list[tuple[str, str, str]], head: str, end: str
) -> None:
    body = "\n".join(f"{dash}{name}: {value}" for dash, name, value in lines)
    assert is_read_alike(f"{head}instincts:\n{body}{end}")


def test_usual_rules_take_no_library() -> None:
    rule = {"id": "inst-20261127-2d7b80", "rule": "Ids are ulids", "confidence": 0.5,
            "created": "2026-11-27", "reinforcement_count": 1, "source": "all ids are ulids"}  # fmt: skip
    text = with_entry(read_entries("", "instincts"), rule)
    assert read_plain(text, "instincts") == [(rule, 3)]
    program = (
        "import sys; from satchel.features.instincts.reading import instincts_in\n"
        f"assert len(instincts_in({text!r})) == 1; print('yaml' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_reader_that_takes_yes_for_a_word_is_caught() -> None:
    text = "instincts:\n  - promoted: true\n"
    assert is_read_alike(text)
    taken = plain_entries._TAKEN
    try:
        plain_entries._TAKEN = frozenset()  # the seeded bug
        assert not is_read_alike(text)
    finally:
        plain_entries._TAKEN = taken
