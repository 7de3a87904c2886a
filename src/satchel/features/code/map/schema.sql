-- The map of one work tree's code. Everything in it can be read again from the files and from git.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  language TEXT NOT NULL,
  size INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  stamp TEXT NOT NULL,
  hash TEXT NOT NULL,
  warning TEXT NOT NULL
);
CREATE INDEX files_by_hash ON files (hash);

CREATE TABLE symbols (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  signature TEXT NOT NULL,
  documentation TEXT NOT NULL,
  parent TEXT NOT NULL
);
CREATE INDEX symbols_by_file ON symbols (file);
CREATE INDEX symbols_by_name ON symbols (name, file);

-- Which names a file uses that it may not define itself.
CREATE TABLE uses (
  file INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (file, name)
) WITHOUT ROWID;
CREATE INDEX uses_by_name ON uses (name, file, kind, count);

CREATE TABLE imports (
  file INTEGER NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (file, target)
) WITHOUT ROWID;

-- Words alone, nothing of the text itself. Tables of their own, because each has its own lengths.
CREATE VIRTUAL TABLE path_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE name_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE text_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE symbol_words USING fts5 (
  name, about, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
INSERT INTO symbol_words (symbol_words, rank) VALUES ('rank', 'bm25(3.0, 1.0)');

-- What a file is about by its names, as the signs of a static vector: see satchel.engine.search.binary_codes.
CREATE TABLE codes (
  file INTEGER PRIMARY KEY,
  code BLOB NOT NULL
);

-- Ancestors of the commit that is checked out, and no others.
CREATE TABLE commits (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  sha TEXT NOT NULL UNIQUE,
  time INTEGER NOT NULL,
  place INTEGER NOT NULL,
  width INTEGER NOT NULL
);
CREATE TABLE touched (
  commit_number INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (commit_number, path)
) WITHOUT ROWID;
CREATE INDEX touched_by_path ON touched (path, commit_number);
CREATE TABLE renames (
  commit_number INTEGER NOT NULL,
  old TEXT NOT NULL,
  new TEXT NOT NULL,
  PRIMARY KEY (commit_number, old)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE commit_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
