-- The derived graph of one project or person. Everything in it can be drawn again.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Texts that the graph is drawn from. `hash` says whether a text has changed.
CREATE TABLE passages (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  origin TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  source TEXT NOT NULL,
  agent TEXT NOT NULL,
  ts INTEGER NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  seal TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
  title, content, content = 'passages', content_rowid = 'number', tokenize = 'porter unicode61'
);

-- Which entity a text names, as it spells it. `plain` is 1 where nobody listed it on purpose.
CREATE TABLE mentions (
  passage INTEGER NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT NOT NULL,
  aliases TEXT NOT NULL,
  attributes TEXT NOT NULL,
  plain INTEGER NOT NULL,
  PRIMARY KEY (passage, key)
) WITHOUT ROWID;
CREATE INDEX mentions_by_key ON mentions (key);

-- Which relations a text states, between entities as it spells them. `listed` is 1 where a note's
-- sidecar lists it.
CREATE TABLE statements (
  passage INTEGER NOT NULL,
  source TEXT NOT NULL,
  type TEXT NOT NULL,
  target TEXT NOT NULL,
  weight REAL NOT NULL,
  description TEXT NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  seen INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  PRIMARY KEY (passage, source, type, target)
) WITHOUT ROWID;
CREATE INDEX statements_by_source ON statements (source);
CREATE INDEX statements_by_target ON statements (target);

-- Operations of the ledger that change what is drawn: see operations.py.
CREATE TABLE operations (
  id TEXT PRIMARY KEY, ts INTEGER NOT NULL, rev INTEGER NOT NULL, name TEXT NOT NULL,
  data TEXT NOT NULL
) WITHOUT ROWID;

-- Entities and relations as all texts and operations together make them.
CREATE TABLE entities (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT NOT NULL,
  aliases TEXT NOT NULL,
  attributes TEXT NOT NULL,
  mentions INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  seal TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE relations (
  source TEXT NOT NULL,
  type TEXT NOT NULL,
  target TEXT NOT NULL,
  weight REAL NOT NULL,
  description TEXT NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  reinforcements INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  seal TEXT NOT NULL,
  PRIMARY KEY (source, type, target)
) WITHOUT ROWID;
CREATE INDEX relations_by_target ON relations (target);

-- Importance and communities, computed when first asked for after a change.
CREATE TABLE standing (key TEXT PRIMARY KEY, importance REAL NOT NULL, community INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE clusters (
  number INTEGER PRIMARY KEY, level INTEGER NOT NULL, parent INTEGER NOT NULL,
  title TEXT NOT NULL, report TEXT NOT NULL, members TEXT NOT NULL
);
