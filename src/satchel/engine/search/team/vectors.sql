-- name: model_id
-- Number of a model by its identity.
SELECT model_id FROM models WHERE identity = ?1

-- name: put_model
-- Remember a model; two clients may meet it at once.
INSERT INTO models (model_id, identity) SELECT COALESCE(MAX(model_id), 0) + 1, ?1 FROM models
ON CONFLICT DO NOTHING

-- name: waiting
-- How many documents wait for their vectors. ?2 the model.
SELECT COUNT(*) FROM documents d WHERE d.project = ?1 AND NOT d.deleted AND NOT EXISTS (
  SELECT 1 FROM vectors v WHERE v.project = ?1 AND v.model_id = ?2 AND v.number = d.number)

-- name: next_waiting
-- The next documents to embed, and what stands before each in its thread. ?3 how many.
SELECT d.number, d.line, CASE WHEN d.thread <> '' THEN (SELECT b.content FROM documents b
    WHERE b.project = ?1 AND b.thread = d.thread AND b.place = d.place - 1 LIMIT 1) END
FROM documents d WHERE d.project = ?1 AND NOT d.deleted AND NOT EXISTS (
  SELECT 1 FROM vectors v WHERE v.project = ?1 AND v.model_id = ?2 AND v.number = d.number)
ORDER BY d.number LIMIT ?3

-- name: put_vector
-- Keep the vector of one part of a document, if the document is still there.
INSERT INTO vectors (project, model_id, number, part, dimensions, embedding, tokens)
SELECT d.project, ?2::int, d.number, ?4::smallint, ?5::smallint, ?6::halfvec, ?7::bytea
FROM documents d WHERE d.project = ?1 AND d.number = ?3
ON CONFLICT (project, model_id, number, part) DO UPDATE
SET embedding = excluded.embedding, tokens = excluded.tokens

-- name: put_code
-- Keep the static codes of documents that are still there. ?2 an array of rows, ?3 of codes.
INSERT INTO codes (project, number, code)
SELECT ?1, d.number, u.code::bit varying FROM unnest(?2::bigint[], ?3::text[]) AS u (number, code)
JOIN documents d ON d.project = ?1 AND d.number = u.number
ON CONFLICT (project, number) DO UPDATE SET code = excluded.code

-- name: count_piece
-- Count a word piece in some more passages.
INSERT INTO pieces (project, model_id, piece, passages) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (project, model_id, piece) DO UPDATE SET passages = pieces.passages + excluded.passages

-- name: piece_counts
-- In how many passages some pieces occur. ?3 an array of pieces.
SELECT piece, passages FROM pieces
WHERE project = ?1 AND model_id = ?2 AND piece = ANY(?3::int[])

-- name: near
-- Parts nearest to a vector of 384 dimensions, by the HNSW index of the partition; its scan goes
-- on until enough are of this project. ?3 the vector, ?4 how many, ?5 how many are kept in sight.
SELECT n.number, n.cosine FROM (SELECT set_config('hnsw.ef_search', ?5, true) AS ef) s
CROSS JOIN LATERAL (
  SELECT v.number, 1 - (v.embedding::halfvec(384) <=> ?3::halfvec(384)) AS cosine FROM vectors v
  WHERE v.project = ?1 AND v.model_id = ?2 AND v.dimensions = 384
  ORDER BY v.embedding::halfvec(384) <=> ?3::halfvec(384)
  LIMIT CASE WHEN s.ef = '' THEN 0 ELSE ?4::bigint END) n

-- name: near_any
-- The same one by one: for other dimensions, and where that is the shorter way.
SELECT v.number, 1 - (v.embedding <=> ?3::halfvec) FROM vectors v
WHERE v.project = ?1 AND v.model_id = ?2 ORDER BY 2 DESC LIMIT ?4

-- name: size
-- How many documents a project has.
SELECT documents FROM project_heads WHERE project = ?1

-- name: near_among
-- Cosines of the parts of some documents. ?4 an array of rows.
SELECT v.number, 1 - (v.embedding <=> ?3::halfvec) FROM vectors v
WHERE v.project = ?1 AND v.model_id = ?2 AND v.number = ANY(?4::bigint[])

-- name: echoes
-- Rows whose first part is at least ?4 alike to that of an earlier one. ?3 an array of rows.
SELECT DISTINCT b.number FROM unnest(?3::bigint[]) WITH ORDINALITY AS y (number, place)
JOIN vectors b ON b.project = ?1 AND b.model_id = ?2 AND b.number = y.number AND b.part = 0
JOIN unnest(?3::bigint[]) WITH ORDINALITY AS x (number, place) ON x.place < y.place
JOIN vectors a ON a.project = ?1 AND a.model_id = ?2 AND a.number = x.number AND a.part = 0
WHERE 1 - (a.embedding <=> b.embedding) >= ?4

-- name: tokens_of
-- Token codes of all parts of some documents. ?3 an array of rows.
SELECT v.number, v.tokens FROM vectors v WHERE v.project = ?1 AND v.model_id = ?2
  AND v.number = ANY(?3::bigint[]) AND v.tokens IS NOT NULL ORDER BY v.number, v.part

-- name: vector_count
-- How many documents have vectors of a model, and the bytes of all of them.
SELECT COUNT(DISTINCT number), COALESCE(SUM(pg_column_size(embedding)), 0)::bigint FROM vectors
WHERE project = ?1 AND model_id = ?2

-- name: passages
-- How many parts of documents have a vector of a model.
SELECT COUNT(*) FROM vectors WHERE project = ?1 AND model_id = ?2
