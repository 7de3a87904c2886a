-- name: totals
-- Documents of a project and their words, superseded ones included.
SELECT documents, tokens FROM project_heads WHERE project = ?1

-- name: wrong_words
-- Words whose count differs from the documents.
SELECT COALESCE(c.word, w.lexeme) FROM (SELECT * FROM word_counts WHERE project = ?1) c
FULL JOIN (SELECT u.lexeme, COUNT(*) AS documents FROM documents d, unnest(d.words) u
  WHERE d.project = ?1 GROUP BY u.lexeme) w ON w.lexeme = c.word
WHERE c.documents IS DISTINCT FROM w.documents LIMIT 1

-- name: seen
-- Whether every ledger that holds anything is visible: asked once, however often a statement needs it.
seen AS MATERIALIZED (SELECT NOT EXISTS (SELECT 1 FROM ledger_heads l
  WHERE l.project = ?1 AND l.last_place > 0 AND l.ledger <> ALL(?2::text[])) AS whole)

-- name: newest_visible
-- Condition: d is held by a visible ledger and no visible version of the same thing is newer. Where
-- every ledger that holds anything is visible, `superseded` says it.
((SELECT whole FROM seen)
  OR EXISTS (SELECT 1 FROM ledger_lines p WHERE p.project = ?1 AND p.number = d.number
    AND p.ledger = ANY(?2::text[])))
AND (NOT d.superseded OR NOT ((SELECT whole FROM seen)
  OR EXISTS (SELECT 1 FROM documents n WHERE n.project = ?1 AND n.identity = d.identity
    AND (n.ts, n.id, n.rev, n.hash) > (d.ts, d.id, d.rev, d.hash)
    AND EXISTS (SELECT 1 FROM ledger_lines q WHERE q.project = ?1 AND q.number = n.number
      AND q.ledger = ANY(?2::text[])))))

-- name: newest_of_all
-- The same where every ledger that holds anything is visible; nothing otherwise. It is planned in a
-- third of the time.
(SELECT whole FROM seen) AND NOT d.superseded

-- name: is_whole
-- Whether every ledger that holds anything is visible.
WITH {seen}
SELECT whole::int FROM seen

-- name: columns
-- What a hit is made of: the line, its hash, its row, a visible ledger that holds it.
d.line, d.hash, d.number, (SELECT MIN(p.ledger) FROM ledger_lines p WHERE p.project = ?1
  AND p.number = d.number AND p.ledger = ANY(?2::text[]))

-- name: live
-- Condition: neither deleted nor expired. ?3 now.
NOT d.deleted AND (d.expires_at IS NULL OR d.expires_at > ?3::bigint)

-- name: match
-- The best matches of words by BM25 with k1 = 1.2, b = .75. ?4 the words of a question; ?5 an array
-- of how some more begin; ?6 how many matches of the rarest words are looked at, newest first; ?7 how
-- many of them are scored in full, those with the most telling words; ?8 how many are wanted; ?9 the
-- weight of a word that more than half of the documents hold; ?10 how many words one begin stands for;
-- ?11 a code, or none: how many bits of it each match's code differs in.
-- What is found of common words is read from the newest document back, not by the index of words: that
-- has to fetch all of them first. `ts_rank_cd` for one word adds up the weights of its places. All is
-- counted in float8: a number like 0.75 alone would make each step one in decimal digits.
WITH {seen},
totals AS MATERIALIZED (
  SELECT h.documents::float8 AS documents, GREATEST(h.tokens::float8 / GREATEST(h.documents, 1), 1.0)
    AS length FROM project_heads h WHERE h.project = ?1),
held AS MATERIALIZED (
  SELECT c.word, c.documents, SUM(c.documents) OVER (ORDER BY c.documents, c.word) AS seen,
    ROW_NUMBER() OVER (ORDER BY c.documents, c.word) AS place,
    (chr(39) || replace(replace(c.word, chr(92), chr(92) || chr(92)), chr(39), chr(39) || chr(39))
      || chr(39))::tsquery AS query,
    CASE WHEN t.documents >= c.documents THEN GREATEST(
      ln((t.documents - c.documents + 0.5) / (c.documents + 0.5)), ?9::float8) ELSE ?9::float8 END AS idf
  FROM (SELECT w.word, w.documents FROM word_counts w WHERE w.project = ?1 AND w.documents > 0
      AND w.word = ANY(tsvector_to_array(to_tsvector('satchel.stems', ?4)))
    UNION
    SELECT w.word, w.documents FROM unnest(?5::text[]) AS b (begun) CROSS JOIN LATERAL (
      SELECT v.word, v.documents FROM word_counts v WHERE v.project = ?1 AND v.documents > 0
        AND v.word >= b.begun COLLATE "C" AND v.word < b.begun || chr(1114111) ORDER BY v.documents DESC, v.word LIMIT ?10) w) c
  CROSS JOIN totals t),
sought AS MATERIALIZED (
  SELECT string_agg(h.query::text, ' | ')::tsquery AS query,
    SUM(h.documents) > ?6 AND SUM(h.documents) ^ 2 > ?6::numeric * MAX(t.documents)::numeric AS common
  FROM held h CROSS JOIN totals t WHERE h.place = 1 OR h.seen <= ?6),
found AS MATERIALIZED (
  (SELECT d.number, d.words, d.length FROM searched d -- documents, behind a wall that lets an index be read
  WHERE (SELECT NOT common FROM sought) AND d.project = ?1 AND d.words @@ (SELECT query FROM sought)
    AND {live} AND {newest_visible} {filter}
  ORDER BY d.number DESC LIMIT ?6)
  UNION ALL
  (SELECT d.number, d.words, d.length FROM documents d
  WHERE (SELECT common FROM sought) AND d.project = ?1
    AND d.number BETWEEN 1 AND 9223372036854775807 -- even without statistics their index is taken
    AND (d.words @@ (SELECT query FROM sought)) IS TRUE AND {live} AND {newest_visible} {filter}
  ORDER BY d.number DESC LIMIT ?6)),
coarse AS MATERIALIZED (
  SELECT f.number, f.words, 1.2::float8 * (0.25::float8 + 0.75::float8 * f.length
    / (SELECT length FROM totals)) AS norm
  FROM found f ORDER BY CASE WHEN EXISTS (SELECT 1 FROM found OFFSET ?7) THEN
    (SELECT SUM(a.idf) FROM held a WHERE f.words @@ a.query) END DESC, f.number DESC LIMIT ?7),
scored AS (
  SELECT c.number, (SELECT SUM(a.idf * t.tf * 2.2 / (t.tf + c.norm))
    FROM held a CROSS JOIN LATERAL (
      SELECT 2 * ts_rank_cd('{0.25,0.5,0.75,1}', c.words, a.query)::float8 AS tf OFFSET 0) t
    WHERE c.words @@ a.query) AS score
  FROM coarse c ORDER BY score DESC LIMIT ?7)
SELECT {columns}, s.score, (SELECT bit_count(c.code # ?11::bit varying) FROM codes c
  WHERE c.project = ?1 AND c.number = d.number AND length(c.code) = length(?11::bit varying))
FROM scored s JOIN documents d ON d.project = ?1 AND d.number = s.number
ORDER BY s.score DESC, d.ts DESC, d.id DESC LIMIT ?8

-- name: phrase
-- Those of some documents that hold words side by side. ?2 an array of rows, ?3 the words.
SELECT d.number FROM documents d WHERE d.project = ?1 AND d.number = ANY(?2::bigint[])
  AND d.words @@ phraseto_tsquery('satchel.stems', ?3)

-- name: numbered
-- Those of some documents that are live and visible. ?4 an array of their rows.
WITH {seen}
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND d.number = ANY(?4::bigint[]) AND {live} AND {newest_visible} {filter}

-- name: live_numbers
-- Rows of all live and visible documents.
WITH {seen}
SELECT d.number, cardinality(?2::text[]) FROM documents d
WHERE d.project = ?1 AND {live} AND {newest_visible} {filter}

-- name: beside
-- Neighbours of documents in their threads. ?4 an array of rows, ?5 reach.
WITH {seen}
SELECT {columns}, 0.0::float8, o.number, d.place - o.place FROM documents o
JOIN documents d ON d.project = ?1 AND d.thread = o.thread AND d.thread <> ''
  AND d.place BETWEEN o.place - ?5::bigint AND o.place + ?5::bigint AND d.number <> o.number
WHERE o.project = ?1 AND o.number = ANY(?4::bigint[]) AND {live} AND {newest_visible} {filter}

-- name: list
-- Live and visible documents, newest first. ?4 limit.
WITH {seen}
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND {live} AND {newest_visible} {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?4

-- name: latest
-- The newest visible version of everything, live or not, newest first. ?3 limit.
WITH {seen}
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND {newest_visible} {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?3

-- name: held
-- Those of some things that there is any version of. ?2 an array of identities.
SELECT i FROM unnest(?2::text[]) i CROSS JOIN LATERAL (SELECT 1 FROM documents d
  WHERE d.project = ?1 AND d.identity = i COLLATE "C" LIMIT 1) held

-- name: lines_of
-- Lines of every version of some things, in the order in which they came. ?2 an array of identities.
SELECT v.line FROM unnest(?2::text[]) i CROSS JOIN LATERAL (SELECT d.line, d.number
  FROM documents d WHERE d.project = ?1 AND d.identity = i COLLATE "C") v ORDER BY v.number

-- name: with_id
-- Newest versions whose id lies between ?4 and ?5. ?3 limit.
WITH {seen}
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND {newest_visible} AND d.id >= ?4 AND d.id < ?5
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?3

-- name: versions_with_id
-- Every visible version, replaced ones too, whose id lies between ?4 and ?5. ?3 limit.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND d.id >= ?4 AND d.id < ?5
  AND EXISTS (SELECT 1 FROM ledger_lines p WHERE p.project = ?1 AND p.number = d.number
    AND p.ledger = ANY(?2::text[]))
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?3

-- name: history
-- Every visible version of one thing, newest first. ?3 its identity.
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND d.identity = ?3
  AND EXISTS (SELECT 1 FROM ledger_lines p WHERE p.project = ?1 AND p.number = d.number
    AND p.ledger = ANY(?2::text[]))
ORDER BY d.ts DESC, d.id DESC, d.rev DESC, d.hash DESC

-- name: replacing
-- What took the place of some things, live and visible, oldest first. ?4 an array of their ids.
WITH {seen}
SELECT {columns}, 0.0::float8 FROM documents d
WHERE d.project = ?1 AND jsonb_exists(d.fields, 'supersedes')
  AND jsonb_exists_any(d.fields -> 'supersedes', ?4::text[]) AND {live} AND {newest_visible} {filter}
ORDER BY d.ts, d.id, d.rev

-- name: counts
-- How many live and visible documents there are of each kind.
WITH {seen}
SELECT d.kind, COUNT(*), cardinality(?2::text[]) FROM documents d
WHERE d.project = ?1 AND {live} AND {newest_visible} {filter} GROUP BY d.kind ORDER BY 2 DESC, 1

-- name: shareable
-- Live documents that are not marked private: what they are versions of, and which version.
WITH {seen}
SELECT d.identity, d.ts, d.id, d.rev, cardinality(?2::text[]) FROM documents d
WHERE d.project = ?1 AND NOT d.private AND {live} AND {newest_visible} {filter}

-- name: held_versions
-- Versions that some ledgers hold.
SELECT d.identity, d.ts, d.id, d.rev FROM ledger_lines p
JOIN documents d ON d.project = ?1 AND d.number = p.number
WHERE p.project = ?1 AND p.ledger = ANY(?2::text[])

-- name: damage
-- Every line that does not parse.
SELECT ledger, place, reason, line FROM ledger_lines WHERE project = ?1 AND reason <> ''
ORDER BY ledger, place

-- name: all_documents
-- Hashes of documents by ledger, for comparing rows with ledgers.
SELECT d.hash, p.ledger FROM ledger_lines p
JOIN documents d ON d.project = ?1 AND d.number = p.number WHERE p.project = ?1

-- name: lines_without_document
-- How many lines that parse have no document.
SELECT COUNT(*) FROM ledger_lines WHERE project = ?1 AND reason = '' AND number IS NULL

-- name: codes
-- Documents whose static code is nearest to one: row, bits that differ, and how many have a code. ?2
-- the code, ?3 how many.
SELECT number, bit_count(code # ?2::bit varying), COUNT(*) OVER () FROM codes
WHERE project = ?1 AND length(code) = length(?2::bit varying) ORDER BY 2, 1 LIMIT ?3

-- name: codes_of
-- Bits of static codes of some documents that differ from one. ?2 the code, ?3 an array of their rows.
SELECT number, bit_count(code # ?2::bit varying) FROM codes
WHERE project = ?1 AND length(code) = length(?2::bit varying) AND number = ANY(?3::bigint[])

-- name: without_vectors
-- How many documents have no vectors of any model.
SELECT COUNT(*) FROM documents d WHERE d.project = ?1 AND NOT d.deleted
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.project = ?1 AND v.number = d.number)

-- name: any_without_vectors
-- A document that has no vectors of any model.
SELECT d.number FROM documents d WHERE d.project = ?1 AND NOT d.deleted
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.project = ?1 AND v.number = d.number)
LIMIT 1

-- name: vectors_by_model
-- How many vectors a project has of each model.
SELECT m.identity, COUNT(*) FROM vectors v JOIN models m ON m.model_id = v.model_id
WHERE v.project = ?1 GROUP BY m.identity ORDER BY m.identity
