CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- A source as it was when its lines were last read. `settled` is 0 where the file had changed so
-- recently that a later change could carry the same time. The prefix ends at the last newline: as
-- long as its hash holds, only what follows it is new. `gate` is the stamp of the gate that judged
-- its lines.
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
  prefix_hash TEXT NOT NULL,
  gate TEXT NOT NULL
);

-- A document once, however many sources hold its line. `superseded` is 1 where any source holds
-- a newer version or a tombstone; it decides by itself as long as every source is visible.
-- `seal` is a hash of what is shown: SQLite's pages carry none.
-- Numbers are never used twice: vectors held in memory may outlive a document for a moment.
CREATE TABLE documents (
  doc_id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  private INTEGER NOT NULL,
  superseded INTEGER NOT NULL DEFAULT 0,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tags TEXT NOT NULL,
  code TEXT NOT NULL,
  fields TEXT NOT NULL,
  seal TEXT NOT NULL,
  thread TEXT NOT NULL,
  place INTEGER NOT NULL
);
CREATE INDEX documents_by_identity ON documents (identity, ts);
CREATE INDEX documents_by_kind ON documents (kind, ts, id, rev);
CREATE INDEX documents_by_task ON documents (task, ts) WHERE task <> '';
CREATE INDEX documents_by_id ON documents (id);
CREATE INDEX documents_deleted ON documents (id, ts, rev) WHERE deleted = 1;
CREATE INDEX documents_live ON documents (kind, private, expires_at, ts)
  WHERE superseded = 0 AND deleted = 0;
-- What may wait for a person: asked for at every page, and few. Spelled as `clause_of` does.
CREATE INDEX documents_distrusted ON documents (kind, ts, id, rev)
  WHERE coalesce(json_extract(fields, '$.trust'), '') NOT IN ('user','agent','repo');
CREATE INDEX documents_by_time ON documents (ts, id, rev);
CREATE INDEX documents_by_thread ON documents (thread, place) WHERE thread <> '';

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

-- Vectors of parts of documents: number = doc_id * 256 + part. Only rows of the model in use are
-- ever compared with a question. `vector` holds int8 values and their scale, `code` their signs,
-- `tokens` the signs of the vectors of single tokens, for late interaction.
CREATE TABLE models (
  model_id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE
);
CREATE TABLE vectors (
  number INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL,
  vector BLOB NOT NULL
);
CREATE TABLE token_codes (
  number INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL,
  tokens BLOB NOT NULL
);
-- Signs of the static vector of a whole document: what a cold search compares.
CREATE TABLE codes (
  doc_id INTEGER PRIMARY KEY,
  code BLOB NOT NULL
);
-- In how many passages each word piece of a model occurs: rare pieces of a question count more.
CREATE TABLE pieces (
  piece INTEGER NOT NULL,
  model_id INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  PRIMARY KEY (model_id, piece)
) WITHOUT ROWID;
-- Documents that wait for their vectors.
CREATE TABLE unembedded (doc_id INTEGER PRIMARY KEY);
-- What took the place of what: ids of things, and the documents whose field `supersedes` names them.
CREATE TABLE replacements (
  old_id TEXT NOT NULL,
  doc_id INTEGER NOT NULL,
  PRIMARY KEY (old_id, doc_id)
) WITHOUT ROWID;
CREATE INDEX replacements_by_document ON replacements (doc_id);
CREATE TRIGGER documents_replace AFTER INSERT ON documents
WHEN instr(new.fields, '"supersedes"') > 0 BEGIN
  INSERT OR IGNORE INTO replacements
    SELECT j.value, new.doc_id FROM json_each(new.fields, '$.supersedes') j;
END;
CREATE TRIGGER documents_come AFTER INSERT ON documents BEGIN
  INSERT OR IGNORE INTO unembedded VALUES (new.doc_id);
END;
CREATE TRIGGER documents_go AFTER DELETE ON documents BEGIN
  DELETE FROM unembedded WHERE doc_id = old.doc_id;
  DELETE FROM codes WHERE doc_id = old.doc_id;
  DELETE FROM replacements WHERE doc_id = old.doc_id;
  DELETE FROM vectors WHERE number >= old.doc_id * 256 AND number < (old.doc_id + 1) * 256;
  DELETE FROM token_codes WHERE number >= old.doc_id * 256 AND number < (old.doc_id + 1) * 256;
END;
