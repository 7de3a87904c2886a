-- What archived sessions are evidence of. Made of the archive alone, and made again from it.
-- Nothing that was said is in it: marks of lines, paths, ids and times.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE sessions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL,
  session TEXT NOT NULL,
  client TEXT NOT NULL,
  parent TEXT NOT NULL,
  branch TEXT NOT NULL,
  model TEXT NOT NULL,
  began REAL NOT NULL,
  ended REAL NOT NULL
);
CREATE INDEX sessions_by_name ON sessions (session);
CREATE INDEX sessions_by_parent ON sessions (parent);
CREATE INDEX sessions_by_end ON sessions (ended, began);

CREATE TABLE prompts (
  session INTEGER NOT NULL,
  place INTEGER NOT NULL,
  turn TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (session, place)
) WITHOUT ROWID;

CREATE TABLE edits (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL,
  -- Of the prompt before it, -1 for none.
  place INTEGER NOT NULL,
  turn TEXT NOT NULL,
  at REAL NOT NULL,
  -- When its session was asked for it: a subagent may be at work long after its parent's prompt.
  asked REAL NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  whole INTEGER NOT NULL
);
CREATE INDEX edits_by_session ON edits (session, place);
CREATE INDEX edits_by_name ON edits (name, at);

-- Which edits wrote a line, by the number of its mark, and how often; negative if they removed it.
CREATE TABLE lines (
  mark INTEGER NOT NULL,
  edit INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (mark, edit)
) WITHOUT ROWID;
CREATE INDEX lines_by_edit ON lines (edit);

CREATE TABLE made (
  session INTEGER NOT NULL,
  -- Of the prompt before it, -1 for none.
  place INTEGER NOT NULL,
  turn TEXT NOT NULL,
  at REAL NOT NULL,
  -- As of edits.
  asked REAL NOT NULL,
  ident TEXT NOT NULL,
  subject TEXT NOT NULL
);
CREATE INDEX made_by_ident ON made (ident);
CREATE INDEX made_by_subject ON made (subject, at);
CREATE INDEX made_by_session ON made (session, place);

-- Commits that hooks saw sessions make, read of the ledger of activities.
CREATE TABLE heard (
  ident TEXT NOT NULL,
  subject TEXT NOT NULL,
  session TEXT NOT NULL,
  client TEXT NOT NULL,
  branch TEXT NOT NULL,
  at REAL NOT NULL
);
CREATE INDEX heard_by_ident ON heard (ident);
CREATE INDEX heard_by_subject ON heard (subject, at);
CREATE INDEX heard_by_session ON heard (session);

-- Every commit that a session made, by its transcript or else by a hook. What a hook saw has its
-- own session as `parent`: its prompt is the last one before, where that is known.
CREATE VIEW commits_made AS
  SELECT m.ident, m.subject, s.session, s.client, m.turn, m.place, m.at, s.parent,
    m.asked
  FROM made m JOIN sessions s ON s.number = m.session
  UNION ALL
  SELECT h.ident, h.subject, h.session, h.client, '', -1, h.at, h.session, h.at
  FROM heard h
  WHERE NOT EXISTS (
    SELECT 1 FROM made m JOIN sessions s ON s.number = m.session
    WHERE m.ident = h.ident AND h.session IN (s.session, s.parent)
  );

-- What commits that sessions made change, of those that git still has; "" for the others. By git's
-- clock of commits: a picked commit keeps its author's time.
CREATE TABLE changes (
  ident TEXT PRIMARY KEY,
  change TEXT NOT NULL,
  at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX changes_by_change ON changes (change);
