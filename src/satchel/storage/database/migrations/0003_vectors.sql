-- Vectors of parts of documents, for search by meaning.

CREATE EXTENSION IF NOT EXISTS vector;

-- A reference table: the models that anybody's vectors were made with.
CREATE TABLE models (
  model_id integer PRIMARY KEY,
  identity text NOT NULL UNIQUE
);

-- `tokens` holds the signs of the vectors of single tokens, for late interaction.
CREATE TABLE vectors (
  project text COLLATE "C" NOT NULL,
  model_id integer NOT NULL,
  number bigint NOT NULL,
  part smallint NOT NULL,
  dimensions smallint NOT NULL,
  embedding halfvec NOT NULL,
  tokens bytea,
  PRIMARY KEY (project, model_id, number, part),
  FOREIGN KEY (project, number) REFERENCES documents (project, number) ON DELETE CASCADE
) PARTITION BY HASH (project);

-- In how many passages each word piece of a model occurs: rare pieces of a question count more.
CREATE TABLE pieces (
  project text COLLATE "C" NOT NULL,
  model_id integer NOT NULL,
  piece integer NOT NULL,
  passages bigint NOT NULL,
  PRIMARY KEY (project, model_id, piece)
) PARTITION BY HASH (project);

DO $$
DECLARE parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['vectors', 'pieces'] LOOP
    FOR part IN 0..7 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
        parent || '_p' || part, parent, part);
    END LOOP;
  END LOOP;
END $$;

CREATE INDEX vectors_by_number ON vectors (project, number);

-- For models of 384 dimensions, as the built-in one; vectors of others are compared one by one.
CREATE INDEX vectors_near ON vectors
  USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) WHERE dimensions = 384;
