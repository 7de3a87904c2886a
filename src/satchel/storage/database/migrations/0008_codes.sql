-- Static codes in a narrow table of their own: a search compares all of a project's, and reads no text.
-- The column `code` of documents stays, unused, because views name it.

CREATE TABLE codes (
  project text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  code bit varying NOT NULL,
  PRIMARY KEY (project, number),
  FOREIGN KEY (project, number) REFERENCES documents (project, number) ON DELETE CASCADE
) PARTITION BY HASH (project);

DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF codes FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
      'codes_p' || part, part);
  END LOOP;
END $$;

INSERT INTO codes (project, number, code)
SELECT project, number, ('x' || encode(code, 'hex'))::bit varying FROM documents WHERE code IS NOT NULL;

UPDATE documents SET code = NULL WHERE code IS NOT NULL;
