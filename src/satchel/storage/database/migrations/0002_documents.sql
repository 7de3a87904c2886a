-- Documents: derived from the lines in the same transaction, and rebuilt by `team rebuild`.

-- Its operators let one GIN index hold project and words, so that a search reads one project.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Stems as FTS5's porter tokenizer makes them, and no stop words: common words of a question are
-- left out by Satchel, the same way for every store. Words arrive as runs of letters and digits.
CREATE TEXT SEARCH DICTIONARY porter_stems (TEMPLATE = snowball, LANGUAGE = porter);

CREATE TEXT SEARCH CONFIGURATION stems (PARSER = "default");

ALTER TEXT SEARCH CONFIGURATION stems ADD MAPPING FOR asciiword, word, numword, asciihword, hword,
  numhword, hword_asciipart, hword_part, hword_numpart, email, protocol, url, host, url_path, file,
  sfloat, float, int, uint, version, tag, entity WITH porter_stems;

-- `line` is what is shown; the other columns are for finding it, and for plain SQL.
CREATE TABLE documents (
  project text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  ts bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  rev bigint NOT NULL,
  task text COLLATE "C" NOT NULL,
  epic text COLLATE "C" NOT NULL,
  tags text NOT NULL,
  expires_at bigint,
  deleted boolean NOT NULL,
  private boolean NOT NULL,
  superseded boolean NOT NULL DEFAULT false,
  thread text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  fields jsonb NOT NULL,
  line bytea NOT NULL,
  length integer NOT NULL,
  words tsvector NOT NULL,
  code bytea,
  PRIMARY KEY (project, number)
) PARTITION BY HASH (project);

-- In how many documents of a project a word occurs, superseded ones included: for BM25.
CREATE TABLE word_counts (
  project text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  documents bigint NOT NULL,
  PRIMARY KEY (project, word)
) PARTITION BY HASH (project);

DO $$
DECLARE parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['documents', 'word_counts'] LOOP
    FOR part IN 0..7 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
        parent || '_p' || part, parent, part);
    END LOOP;
  END LOOP;
END $$;

CREATE UNIQUE INDEX documents_by_hash ON documents (project, hash);

CREATE INDEX documents_by_identity ON documents (project, identity, ts);

CREATE INDEX documents_by_kind ON documents (project, kind, ts, id, rev);

CREATE INDEX documents_by_time ON documents (project, ts, id, rev);

CREATE INDEX documents_by_id ON documents (project, id);

CREATE INDEX documents_by_task ON documents (project, task, ts) WHERE task <> '';

CREATE INDEX documents_by_thread ON documents (project, thread, place) WHERE thread <> '';

CREATE INDEX documents_by_words ON documents USING gin (project, words);
