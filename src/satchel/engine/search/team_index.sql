-- name: ledgers
-- Ledgers of a project that hold documents.
SELECT ledger FROM ledger_heads WHERE project = ?1 AND last_place > 0

-- name: totals
-- Documents of a project and their words, superseded ones included.
SELECT documents, tokens FROM project_heads WHERE project = ?1

-- name: wrong_words
-- Words whose count differs from the documents.
SELECT COALESCE(c.word, w.lexeme) FROM (SELECT * FROM word_counts WHERE project = ?1) c
FULL JOIN (SELECT u.lexeme, COUNT(*) AS documents FROM documents d, unnest(d.words) u
  WHERE d.project = ?1 GROUP BY u.lexeme) w ON w.lexeme = c.word
WHERE c.documents IS DISTINCT FROM w.documents LIMIT 1

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

-- name: replacing
-- What took the place of some things, live and visible, oldest first. ?4 an array of their ids.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND jsonb_exists(d.fields, 'supersedes')
  AND jsonb_exists_any(d.fields -> 'supersedes', ?4::text[]) AND {live} AND {newest_visible} {filter}
ORDER BY d.ts, d.id, d.rev

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

-- name: begun_words
-- Words of the project that begin so, the commonest first, and how many documents hold each.
SELECT word, documents FROM word_counts WHERE project = ?1 AND word ^@ ?2
ORDER BY documents DESC, word LIMIT 24
