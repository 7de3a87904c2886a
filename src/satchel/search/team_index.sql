-- name: ledgers
-- Ledgers of a project that hold documents.
SELECT ledger FROM ledger_heads WHERE project = ?1 AND last_place > 0

-- name: hold_project
-- Make every other writer of the project wait; return what it counts.
SELECT last_number, documents, tokens FROM project_heads WHERE project = ?1 FOR UPDATE

-- name: totals
-- Documents of a project and their words, superseded ones included.
SELECT documents, tokens FROM project_heads WHERE project = ?1

-- name: put_totals
-- Remember what a project counts.
UPDATE project_heads SET last_number = ?2, documents = ?3, tokens = ?4 WHERE project = ?1

-- name: known_hashes
-- Documents that are there already. ?2 an array of hashes.
SELECT hash, number FROM documents WHERE project = ?1 AND hash = ANY(?2::text[])

-- name: put_document
-- Add a document. The words of its title, text, tags and code have different weights.
INSERT INTO documents (project, number, hash, identity, kind, ts, id, rev, task, epic, tags,
  expires_at, deleted, private, thread, place, title, content, fields, line, length, words)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13::int = 1, ?14::int = 1, ?15, ?16,
  ?17, ?18, ?19::jsonb, ?20, ?21,
  setweight(to_tsvector('satchel.stems', ?22), 'A')
  || setweight(to_tsvector('satchel.stems', ?23), 'C')
  || setweight(to_tsvector('satchel.stems', ?24), 'B')
  || setweight(to_tsvector('satchel.stems', ?25), 'D'))

-- name: note_document
-- Say of a line which document it is. ?4 the line's mark.
UPDATE ledger_lines SET number = ?3 WHERE project = ?1 AND ledger = ?2 AND mark = ?4

-- name: mark_superseded
-- Say of every version of some things whether there is a newer one. ?2 an array of identities.
UPDATE documents d SET superseded = v.superseded
FROM (SELECT o.number, EXISTS (SELECT 1 FROM documents n
    WHERE n.project = o.project AND n.identity = o.identity
    AND (n.ts, n.id, n.rev, n.hash) > (o.ts, o.id, o.rev, o.hash)) AS superseded
  FROM documents o WHERE o.project = ?1 AND o.identity = ANY(?2::text[])) v
WHERE d.project = ?1 AND d.number = v.number AND d.superseded <> v.superseded

-- name: count_words
-- Count the words of new documents. ?2 an array of their numbers.
INSERT INTO word_counts (project, word, documents)
SELECT d.project, w.lexeme, COUNT(*) FROM documents d, unnest(d.words) w
WHERE d.project = ?1 AND d.number = ANY(?2::bigint[])
GROUP BY d.project, w.lexeme ORDER BY w.lexeme
ON CONFLICT (project, word) DO UPDATE SET documents = word_counts.documents + excluded.documents

-- name: wrong_words
-- Words whose count differs from the documents.
SELECT COALESCE(c.word, w.lexeme) FROM (SELECT * FROM word_counts WHERE project = ?1) c
FULL JOIN (SELECT u.lexeme, COUNT(*) AS documents FROM documents d, unnest(d.words) u
  WHERE d.project = ?1 GROUP BY u.lexeme) w ON w.lexeme = c.word
WHERE c.documents IS DISTINCT FROM w.documents LIMIT 1

-- name: forget_documents
-- Drop everything derived of a project. Vectors go with their documents.
DELETE FROM documents WHERE project = ?1

-- name: forget_words
-- Drop the counts of words of a project.
DELETE FROM word_counts WHERE project = ?1

-- name: forget_numbers
-- Lines have no documents for the moment.
UPDATE ledger_lines SET number = NULL WHERE project = ?1 AND number IS NOT NULL

-- name: all_lines
-- Lines of a project by ledger and place. ?2 and ?3 after this ledger and place, ?4 how many.
SELECT ledger, place, line FROM ledger_lines
WHERE project = ?1 AND (ledger, place) > (?2::text, ?3::bigint) ORDER BY ledger, place LIMIT ?4

-- name: newest
-- Condition, where every ledger is visible: no version of the same thing is newer.
NOT d.superseded

-- name: newest_visible
-- Condition: d is held by a visible ledger and no visible version of the same thing is newer.
EXISTS (SELECT 1 FROM ledger_lines p WHERE p.project = d.project AND p.number = d.number
  AND p.ledger = ANY(?2::text[]))
AND NOT EXISTS (SELECT 1 FROM documents n WHERE n.project = d.project AND n.identity = d.identity
  AND (n.ts, n.id, n.rev, n.hash) > (d.ts, d.id, d.rev, d.hash)
  AND EXISTS (SELECT 1 FROM ledger_lines q WHERE q.project = n.project AND q.number = n.number
    AND q.ledger = ANY(?2::text[])))

-- name: columns
-- What a hit is made of: the line, its hash, its row, a visible ledger that holds it.
d.line, d.hash, d.number, (SELECT MIN(p.ledger) FROM ledger_lines p WHERE p.project = d.project
  AND p.number = d.number AND p.ledger = ANY(?2::text[]))

-- name: live
-- Condition: neither deleted nor expired. ?3 now.
NOT d.deleted AND (d.expires_at IS NULL OR d.expires_at > ?3::bigint)

-- name: asked_words
-- Stems of a question's words, and in how many documents of the project each occurs.
SELECT w.lexeme, COALESCE(c.documents, 0) FROM unnest(to_tsvector('satchel.stems', ?2)) w
LEFT JOIN word_counts c ON c.project = ?1 AND c.word = w.lexeme

-- name: match
-- The best matches of words by BM25 with k1 = 1.2, b = .75. ?4 a tsquery of any of the words;
-- ?5, ?6, ?7 arrays: each word, its weight, a tsquery of it; ?8 the mean length of documents;
-- ?9 how many matches are looked at, newest first; ?10 how many of them are scored in full, those
-- with the most telling words; ?11 how many are wanted.
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest(?5::text[], ?6::float8[], ?7::tsquery[]) AS a (word, idf, query)),
found AS MATERIALIZED (
  SELECT d.number FROM documents d WHERE d.project = ?1 AND d.words @@ ?4::tsquery
    AND {live} AND {newest_visible} {filter}
  ORDER BY d.number DESC LIMIT ?9),
coarse AS MATERIALIZED (
  SELECT f.number FROM found f JOIN documents d ON d.project = ?1 AND d.number = f.number
  JOIN asked a ON d.words @@ a.query
  GROUP BY f.number ORDER BY SUM(a.idf) DESC, f.number DESC LIMIT ?10),
scored AS (
  SELECT d.number, SUM(a.idf * t.tf * 2.2
      / (t.tf + 1.2 * (0.25 + 0.75 * d.length / ?8::float8))) AS score
  FROM coarse c JOIN documents d ON d.project = ?1 AND d.number = c.number
  CROSS JOIN LATERAL unnest(d.words) w JOIN asked a ON a.word = w.lexeme
  CROSS JOIN LATERAL (SELECT SUM(CASE x WHEN 'A' THEN 2.0 WHEN 'B' THEN 1.5 WHEN 'C' THEN 1.0
    ELSE 0.5 END)::float8 AS tf FROM unnest(w.weights) x) t
  GROUP BY d.number)
SELECT {columns}, s.score FROM scored s JOIN documents d ON d.project = ?1 AND d.number = s.number
ORDER BY s.score DESC, d.ts DESC, d.id DESC LIMIT ?11

-- name: phrase
-- Those of some documents that hold words side by side. ?2 an array of rows, ?3 the words.
SELECT d.number FROM documents d WHERE d.project = ?1 AND d.number = ANY(?2::bigint[])
  AND d.words @@ phraseto_tsquery('satchel.stems', ?3)

-- name: numbered
-- Those of some documents that are live and visible. ?4 an array of their rows.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND d.number = ANY(?4::bigint[]) AND {live} AND {newest_visible} {filter}

-- name: live_numbers
-- Rows of all live and visible documents.
SELECT d.number, cardinality(?2::text[]) FROM documents d
WHERE d.project = ?1 AND {live} AND {newest_visible} {filter}

-- name: beside
-- Neighbours of documents in their threads. ?4 an array of rows, ?5 reach.
SELECT {columns}, 0.0::float8, o.number, d.place - o.place FROM documents o
JOIN documents d ON d.project = ?1 AND d.thread = o.thread AND d.thread <> ''
  AND d.place BETWEEN o.place - ?5::bigint AND o.place + ?5::bigint AND d.number <> o.number
WHERE o.project = ?1 AND o.number = ANY(?4::bigint[]) AND {live} AND {newest_visible} {filter}

-- name: list
-- Live and visible documents, newest first. ?4 limit.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND {live} AND {newest_visible} {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?4

-- name: latest
-- The newest visible version of everything, live or not, newest first. ?3 limit.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND {newest_visible} {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?3

-- name: with_id
-- Newest versions whose id lies between ?4 and ?5. ?3 limit.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND {newest_visible} AND d.id >= ?4 AND d.id < ?5
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?3

-- name: history
-- Every visible version of one thing, newest first. ?3 its identity.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND d.identity = ?3
  AND EXISTS (SELECT 1 FROM ledger_lines p WHERE p.project = d.project AND p.number = d.number
    AND p.ledger = ANY(?2::text[]))
ORDER BY d.ts DESC, d.id DESC, d.rev DESC, d.hash DESC

-- name: counts
-- How many live and visible documents there are of each kind.
SELECT d.kind, COUNT(*), cardinality(?2::text[]) FROM documents d
WHERE d.project = ?1 AND {live} AND {newest_visible} {filter} GROUP BY d.kind ORDER BY 2 DESC, 1

-- name: shareable
-- Live documents that are not marked private: what they are versions of, and which version.
SELECT d.identity, d.ts, d.id, d.rev, cardinality(?2::text[]) FROM documents d
WHERE d.project = ?1 AND NOT d.private AND {live} AND {newest_visible} {filter}

-- name: held_versions
-- Versions that some ledgers hold.
SELECT d.identity, d.ts, d.id, d.rev FROM ledger_lines p
JOIN documents d ON d.project = p.project AND d.number = p.number
WHERE p.project = ?1 AND p.ledger = ANY(?2::text[])

-- name: damage
-- Every line that does not parse.
SELECT ledger, place, reason, line FROM ledger_lines WHERE project = ?1 AND reason <> ''
ORDER BY ledger, place

-- name: all_documents
-- Hashes of documents by ledger, for comparing rows with ledgers.
SELECT d.hash, p.ledger FROM ledger_lines p
JOIN documents d ON d.project = p.project AND d.number = p.number WHERE p.project = ?1

-- name: lines_without_document
-- How many lines that parse have no document.
SELECT COUNT(*) FROM ledger_lines WHERE project = ?1 AND reason = '' AND number IS NULL

-- name: codes
-- Static codes of documents. ?2 how many.
SELECT number, code FROM documents WHERE project = ?1 AND code IS NOT NULL LIMIT ?2

-- name: codes_of
-- Static codes of some documents. ?2 an array of their rows.
SELECT number, code FROM documents WHERE project = ?1 AND code IS NOT NULL
  AND number = ANY(?2::bigint[])

-- name: without_vectors
-- How many documents have no vectors of any model.
SELECT COUNT(*) FROM documents d WHERE d.project = ?1 AND NOT d.deleted
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.project = d.project AND v.number = d.number)

-- name: any_without_vectors
-- A document that has no vectors of any model.
SELECT d.number FROM documents d WHERE d.project = ?1 AND NOT d.deleted
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.project = d.project AND v.number = d.number)
LIMIT 1

-- name: vectors_by_model
-- How many vectors a project has of each model.
SELECT m.identity, COUNT(*) FROM vectors v JOIN models m ON m.model_id = v.model_id
WHERE v.project = ?1 GROUP BY m.identity ORDER BY m.identity
