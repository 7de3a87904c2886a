"""Arbitrary records and JSON values, for laws that must hold of all of them."""

from typing import Any

from hypothesis import strategies as st

from satchel.storage.ledger.record import Record

#: Any text at all, lone surrogates and NUL included.
ANY_TEXT = st.text(alphabet=st.characters(), max_size=40) | st.sampled_from(
    ["\x00", "\ud800", "a\udcffb", "\u2028", "\r\n", "\x1b[31m", "🦊", '"\\', "\uff1c"]
)
TEXT = st.text(max_size=40)
_TIMES = st.integers(0, 4_000_000_000)
_MAYBE_TIME = st.none() | _TIMES

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**30, 10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)

KINDS = st.sampled_from(["learned", "decision", "constraint", "preference", "fact", "checkpoint"])
ULIDS = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=25, max_size=25).map(lambda t: "0" + t)


@st.composite
def records(draw: st.DrawFn, text: st.SearchStrategy[str] = TEXT) -> Record:
    """Build a record that a ledger could hold: an id, a time, a key."""
    return Record(
        kind=draw(KINDS),
        content=draw(text),
        key=draw(st.text("abc-", min_size=1, max_size=6)),
        source=draw(text),
        tags=tuple(draw(st.lists(text.filter(bool), max_size=3))),
        ts=draw(_TIMES),
        task=draw(text),
        id=draw(ULIDS),
        rev=draw(st.integers(0, 5)),
        title=draw(text),
        epic=draw(text),
        agent=draw(text),
        session=draw(text),
        confidence=draw(st.none() | st.floats(0, 1)),
        relevance=draw(st.none() | st.floats(0, 1)),
        valid_from=draw(_MAYBE_TIME),
        valid_to=draw(_MAYBE_TIME),
        expires_at=draw(_MAYBE_TIME),
        deleted_at=draw(_MAYBE_TIME),
        supersedes=tuple(draw(st.lists(TEXT.filter(bool), max_size=2))),
        data=draw(st.none() | st.dictionaries(TEXT, JSON, min_size=1, max_size=3)),
        wall=draw(_MAYBE_TIME),
    )
