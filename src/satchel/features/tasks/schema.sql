-- The tasks as their files say they stand. All of it is derived, and read again when a file changes.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- `ready` is 1 where nothing but the time `since` keeps a task from being begun; `stage` is where
-- it stands in its life; `held` are the ids that hold it up, as JSON; `needs` and `needed` count what
-- blocks it and what it blocks; `data` is its line.
CREATE TABLE issues (
  id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  ready INTEGER NOT NULL,
  since REAL NOT NULL,
  priority INTEGER NOT NULL,
  created REAL NOT NULL,
  updated REAL NOT NULL,
  kind TEXT NOT NULL,
  assignee TEXT NOT NULL,
  parent TEXT NOT NULL,
  stage TEXT NOT NULL,
  held TEXT NOT NULL,
  needs INTEGER NOT NULL,
  needed INTEGER NOT NULL,
  data TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX issues_ready ON issues (ready, priority, created, id);
CREATE INDEX issues_by_parent ON issues (parent);

-- What depends on what, however it was told.
CREATE TABLE links (
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (source, target, kind)
) WITHOUT ROWID;
CREATE INDEX links_by_target ON links (target);
