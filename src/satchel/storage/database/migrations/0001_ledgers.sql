-- Ledgers: what is true. Reference tables: who may come in. On Citus, tables of the first kind are
-- distributed by project, tables of the second are reference tables: see docs/postgresql.md.

CREATE TABLE users (
  user_id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL DEFAULT 'member',
  created_at bigint NOT NULL,
  disabled_at bigint
);

-- `digest` is the SHA-256 of a token; the token itself is nowhere.
CREATE TABLE tokens (
  token_id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (user_id),
  digest bytea NOT NULL UNIQUE,
  note text NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);

-- One row for each project. Whoever writes to a project holds it first, so that its writers come
-- one after another and numbers are never used twice.
CREATE TABLE project_heads (
  project text COLLATE "C" NOT NULL,
  name text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'active',
  last_number bigint NOT NULL DEFAULT 0,
  documents bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project)
) PARTITION BY HASH (project);

-- The greatest time, id and place that a ledger has handed out.
CREATE TABLE ledger_heads (
  project text COLLATE "C" NOT NULL,
  ledger text COLLATE "C" NOT NULL,
  last_ts bigint NOT NULL DEFAULT 0,
  last_id text COLLATE "C" NOT NULL DEFAULT '',
  last_place bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project, ledger)
) PARTITION BY HASH (project);

-- A line as it is, to the byte. `mark` is the SHA-256 of those bytes: the same line is one row.
-- `number` is its document; a line that does not parse has none, and `reason` says why.
CREATE TABLE ledger_lines (
  project text COLLATE "C" NOT NULL,
  ledger text COLLATE "C" NOT NULL,
  mark bytea NOT NULL,
  place bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  rev bigint NOT NULL,
  ts bigint NOT NULL,
  number bigint,
  reason text NOT NULL DEFAULT '',
  line bytea NOT NULL,
  PRIMARY KEY (project, ledger, mark)
) PARTITION BY HASH (project);

DO $$
DECLARE parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['project_heads', 'ledger_heads', 'ledger_lines'] LOOP
    FOR part IN 0..7 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
        parent || '_p' || part, parent, part);
    END LOOP;
  END LOOP;
END $$;

CREATE UNIQUE INDEX ledger_lines_by_place ON ledger_lines (project, ledger, place);

CREATE INDEX ledger_lines_by_id ON ledger_lines (project, id);

CREATE INDEX ledger_lines_by_number ON ledger_lines (project, number, ledger);
