"""A document of a line keeps the record that it was made from, which is the one that it spells."""

from hypothesis import given

from satchel.engine.search.documents import Document
from satchel.engine.search.records import parse_line, record_of
from satchel.storage.ledger.lines import encode
from satchel.storage.ledger.record import Record
from unit.records import ANY_TEXT, records


def document(line: bytes) -> Document:
    made = parse_line(line)
    assert isinstance(made, Document)
    return made


@given(records(ANY_TEXT))
def test_the_record_that_is_kept_is_the_one_that_the_fields_spell(record: Record) -> None:
    if not (record.content or record.title or record.data):
        return
    made = document(encode(record)[:-1])
    assert record_of(made) == record_of(made._replace(record=None))


def test_what_somebody_edited_or_labelled_is_read_from_its_fields() -> None:
    line = encode(Record(content="The quay is swept at noon.", id="0" + "A" * 25, ts=7))[:-1]
    assert record_of(document(line)).trust == ""
    edited = document(line.replace(b"noon", b"nine"))
    assert (record_of(edited).trust, record_of(edited).edited) == ("imported", True)
    named = document(line).labelled("repo", "Ann")
    assert (record_of(named).trust, record_of(named).source) == ("repo", "Ann")
