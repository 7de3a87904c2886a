"""The map's store: the only file here that uses the storage layer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.quick_json import dumps
from satchel.features.code.map.reading import FileContent
from satchel.features.code.map.repository import Commit
from satchel.features.code.symbols.values import CodeFile, Symbol
from satchel.features.code.symbols.words import index_words
from satchel.storage.database.contract import Database, Value
from satchel.storage.database.versions import DerivedTables

#: Increased whenever schema.sql, the parsing or the words change: an older map is rebuilt.
SCHEMA = "5"
#: Word indexes by the arm that queries them.
ARMS = ("path", "name", "text")


class CodeStore(DerivedTables):
    """Files, symbols, uses, commits and their words.

    Args:
        database: an open database; its schema is created if missing.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, __file__, SCHEMA, "The map of the code")

    # Files

    def marks(self, paths: Sequence[str] | None = None) -> dict[str, tuple[str, str, str]]:
        """Return the stamp, hash and warning of all or some files, by path."""
        rows = self.ask("marks") if paths is None else self.ask("marks_of", dumps(list(paths)))
        return {str(p): (str(stamp), str(mark), str(told)) for p, stamp, mark, told in rows}

    def drop(self, path: str) -> bool:
        """Remove a file; return whether it was known."""
        rows = self.ask("number_of", path)
        if not rows:
            return False
        number = rows[0][0]
        self.database.write(self.sql["drop_symbol_words"], (number,))
        for table in ("symbols", "uses", "imports", "codes"):
            self.database.write(f"DELETE FROM {table} WHERE file = ?", (number,))
        for arm in ARMS:
            self.database.write(f"DELETE FROM {arm}_words WHERE rowid = ?", (number,))
        self.database.write("DELETE FROM files WHERE number = ?", (number,))
        return True

    def put(self, reading: FileContent, code: bytes = b"") -> None:
        """Replace a file's earlier version; `code` encodes its summary."""
        file, parsed, write = reading.file, reading.parsed, self.database.write
        self.drop(file.path)
        number = write(self.sql["put_file"], tuple(file))
        if code:
            write(self.sql["put_code"], (number, code))
        for symbol, (words, about) in zip(parsed.symbols, reading.symbol_words, strict=True):
            row = (
                number,
                symbol.name,
                symbol.kind,
                symbol.line,
                symbol.end_line,
                symbol.signature,
                symbol.documentation,
                symbol.parent,
            )
            write(self.sql["put_symbol_words"], (write(self.sql["put_symbol"], row), words, about))
        self.database.write_many(
            self.sql["put_use"], [(number, *reference) for reference in parsed.references]
        )
        self.database.write_many(
            self.sql["put_import"], [(number, target) for target in parsed.imports]
        )
        given = (reading.path_words, reading.name_words, reading.text_words)
        for arm, words in zip(ARMS, given, strict=True):
            if words:
                write(f"INSERT INTO {arm}_words (rowid, words) VALUES (?, ?)", (number, words))

    def put_stamp(self, path: str, stamp: str) -> None:
        """Update the stamp of a file whose bytes are unchanged."""
        self.database.write(self.sql["put_stamp"], (path, stamp))

    def files(self) -> dict[int, CodeFile]:
        """Return all files by number."""
        return {int(str(row[0])): CodeFile(*row[1:]) for row in self.ask("files")}

    # Symbols

    def symbols_of(self, path: str) -> list[Symbol]:
        """Return a file's definitions in text order."""
        return [Symbol(*row) for row in self.ask("symbols_of", path)]

    def symbols(self, query: str, keys: Sequence[Value]) -> list[tuple[int, int, Symbol]]:
        """Return definitions by a query on a list: file number, own number, symbol."""
        rows = self.ask(query, dumps(list(keys)))
        return [(int(str(row[0])), int(str(row[8])), Symbol(*row[1:8])) for row in rows]

    def definers(self, names: Iterable[str]) -> dict[str, int]:
        """Return how many files define each of some names."""
        rows = self.ask("definers", dumps(sorted(names)))
        return {str(name): int(str(count)) for name, count in rows}

    def match(self, arm: str, expression: str, most: int) -> dict[int, float]:
        """Return numbers of index matches, best first, with BM25 scores above 0."""
        if not expression:
            return {}
        rows = self.ask(f"match_{arm}_words", expression, most)
        return {int(str(number)): float(str(score)) for number, score in rows}

    # Commits

    def put_commit(self, commit: Commit, place: int) -> None:
        """Add a commit with its words."""
        row = (commit.sha, commit.time, place, len(commit.paths))
        number = self.database.write(self.sql["put_commit"], row)
        self.database.write_many(self.sql["put_touched"], [(number, p) for p in commit.paths])
        self.database.write_many(
            self.sql["put_rename"], [(number, old, new) for old, new in commit.renamed.items()]
        )
        self.database.write(self.sql["put_commit_words"], (number, index_words(commit.message)))

    def drop_commit(self, number: int) -> None:
        """Remove a commit that is not an ancestor of the checkout."""
        for sql in (
            "touched WHERE commit_number",
            "renames WHERE commit_number",
            "commit_words WHERE rowid",
            "commits WHERE number",
        ):
            self.database.write(f"DELETE FROM {sql} = ?", (number,))
