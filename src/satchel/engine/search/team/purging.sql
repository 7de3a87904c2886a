-- name: now
-- The server's clock, in Unix seconds: one member's clock that is ahead must purge nothing early.
SELECT floor(extract(epoch FROM now()))::bigint

-- name: doomed
-- Things of a ledger whose newest version is an old deletion that still has older versions' words,
-- or its own. ?2 the ledger, ?3 before when, ?4 how many.
SELECT d.identity FROM documents d
WHERE d.project = ?1 AND d.deleted AND NOT d.superseded
  AND (d.fields ->> 'deleted_at')::numeric <= ?3::bigint
  AND NOT jsonb_exists_any(COALESCE(d.fields -> 'data', '{}'::jsonb), ARRAY['purged', 'forgotten'])
  AND EXISTS (SELECT 1 FROM ledger_lines p WHERE p.project = ?1 AND p.number = d.number
    AND p.ledger = ?2)
ORDER BY d.number LIMIT ?4

-- name: their_lines
-- Every line of some things in a ledger. ?2 the ledger, ?3 an array of identities.
SELECT d.identity, p.line FROM documents d
JOIN ledger_lines p ON p.project = ?1 AND p.number = d.number AND p.ledger = ?2
WHERE d.project = ?1 AND d.identity = ANY(?3::text[])

-- name: drop_unheld
-- Drop the documents that no line stands behind, and count no more of their words.
WITH gone AS (
  DELETE FROM documents d WHERE d.project = ?1 AND NOT EXISTS (
    SELECT 1 FROM ledger_lines p WHERE p.project = ?1 AND p.number = d.number)
  RETURNING d.words, d.length),
fewer AS (
  SELECT w.lexeme AS word, COUNT(*) AS times FROM gone, unnest(gone.words) w GROUP BY w.lexeme),
counted AS (
  UPDATE word_counts c SET documents = c.documents - fewer.times FROM fewer
  WHERE c.project = ?1 AND c.word = fewer.word COLLATE "C")
UPDATE project_heads SET documents = documents - (SELECT COUNT(*) FROM gone),
  tokens = tokens - (SELECT COALESCE(SUM(length), 0) FROM gone) WHERE project = ?1

-- name: drop_unused_words
-- Drop the words that no document has any more.
DELETE FROM word_counts WHERE project = ?1 AND documents <= 0
