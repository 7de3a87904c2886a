from pathlib import Path

from satchel.core.hashing import short_hash
from satchel.engine.search.documents import Document, Filter, Source, View
from satchel.engine.search.index import Index
from satchel.storage.database.sqlite import SqliteDatabase


def _parse(raw: bytes) -> Document:
    text = raw.decode().strip()
    name = short_hash(raw)
    return Document(name, name, "learned", 1_700_000_000, name, 0, "", text, "")


def test_a_question_to_many_sources_of_more_sees_those_and_no_others(tmp_path: Path) -> None:
    sources = []
    for number in range(260):
        path = tmp_path / f"{number}.txt"
        path.write_text(f"lesson number{number}\n")
        sources.append(Source(str(path), str(number)))
    index = Index(SqliteDatabase(str(tmp_path / "index.db")), _parse)
    index.catch_up(sources)

    def seen(some: list[Source]) -> set[str]:
        hits = index.search("lesson", View(some, 1_800_000_000), limit=1000)
        assert {hit.source for hit in hits} == {hit.document.content[13:] for hit in hits}
        return {hit.source for hit in hits}

    assert seen(sources) == {str(n) for n in range(260)}
    for some in (sources[:150], sources[100:], sources[7:9], sources[:150], []):
        assert seen(some) == {source.label for source in some}
    assert index.count_unshared(sources[:120], View(sources[:200], 1_800_000_000, Filter())) == 80
