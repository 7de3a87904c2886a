CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- A source as it was when its lines were last read. `settled` is 0 where the file had changed so
-- recently that a later change could carry the same time. The prefix ends at the last newline: as
-- long as its hash holds, only what follows it is new.
CREATE TABLE sources (
  source_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  settled INTEGER NOT NULL,
  prefix_size INTEGER NOT NULL,
  prefix_lines INTEGER NOT NULL,
  prefix_hash TEXT NOT NULL
);

-- A document once, however many sources hold its line.
CREATE TABLE documents (
  doc_id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  kind TEXT NOT NULL,
  ts INTEGER NOT NULL,
  id TEXT NOT NULL,
  rev INTEGER NOT NULL,
  task TEXT NOT NULL,
  epic TEXT NOT NULL,
  expires_at INTEGER,
  deleted INTEGER NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tags TEXT NOT NULL,
  code TEXT NOT NULL,
  fields TEXT NOT NULL
);
CREATE INDEX documents_by_identity ON documents (identity, ts);
CREATE INDEX documents_by_kind ON documents (kind, ts, id, rev);
CREATE INDEX documents_by_task ON documents (task, ts) WHERE task <> '';
CREATE INDEX documents_by_id ON documents (id);
CREATE INDEX documents_by_time ON documents (ts, id, rev);

CREATE TABLE presence (
  source_id INTEGER NOT NULL,
  doc_id INTEGER NOT NULL,
  PRIMARY KEY (source_id, doc_id)
) WITHOUT ROWID;
CREATE INDEX presence_by_document ON presence (doc_id, source_id);

CREATE TABLE damage (
  source_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  reason TEXT NOT NULL,
  raw BLOB NOT NULL
);

CREATE VIRTUAL TABLE words USING fts5 (
  title, content, tags, code,
  content='documents', content_rowid='doc_id',
  tokenize="porter unicode61 remove_diacritics 2"
);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(2.0, 1.0, 1.5, 0.5)');
