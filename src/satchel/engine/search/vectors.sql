-- name: model_id
-- Number of a model by its identity.
SELECT model_id FROM models WHERE identity = ?

-- name: model_in_use
-- Identity of the model that documents wait for.
SELECT value FROM meta WHERE name = 'model'

-- name: use_model
-- From now on documents wait for this model.
INSERT OR REPLACE INTO meta (name, value) VALUES ('model', ?)

-- name: put_model
-- Remember a model.
INSERT INTO models (identity) VALUES (?)

-- name: waiting
-- How many documents wait for their vectors.
SELECT COUNT(*) FROM unembedded

-- name: next_waiting
-- The next documents to embed, oldest row first, and what stands before each in its thread.
-- ?1 how many.
SELECT d.doc_id, d.title, d.content, d.tags, d.deleted,
  CASE WHEN d.thread <> '' THEN (SELECT b.content FROM documents b
    WHERE b.thread = d.thread AND b.place = d.place - 1 LIMIT 1) END
FROM unembedded u JOIN documents d USING (doc_id) ORDER BY u.doc_id LIMIT ?1

-- name: done_waiting
-- A document has its vectors now.
DELETE FROM unembedded WHERE doc_id = ?

-- name: wait_no_more
-- Another model: what it has embedded before, and nobody has replaced, waits no more. ?1 the model.
DELETE FROM unembedded WHERE doc_id IN
  (SELECT number / 256 FROM vectors WHERE model_id = ?1 AND number % 256 = 0)

-- name: wait_again
-- Another model: every document that it has no vector of waits again. ?1 the model.
INSERT OR IGNORE INTO unembedded SELECT doc_id FROM documents d WHERE d.deleted = 0
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.number = d.doc_id * 256 AND v.model_id = ?1)

-- name: forget_pieces
-- Another model: its word pieces are counted again. ?1 the model.
DELETE FROM pieces WHERE model_id = ?1 AND NOT EXISTS
  (SELECT 1 FROM vectors WHERE model_id = ?1)

-- name: drop_others
-- Take out some vectors of other models. ?1 the model in use, ?2 how many.
DELETE FROM vectors WHERE number IN
  (SELECT number FROM vectors WHERE model_id <> ?1 LIMIT ?2)

-- name: drop_other_tokens
-- Take out some token codes of other models. ?1 the model in use, ?2 how many.
DELETE FROM token_codes WHERE number IN
  (SELECT number FROM token_codes WHERE model_id <> ?1 LIMIT ?2)

-- name: put_vector
-- Keep the vector of one part of a document, if the document is still there.
INSERT OR REPLACE INTO vectors (number, model_id, vector)
SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM documents WHERE doc_id = ?1 / 256)

-- name: put_tokens
-- Keep the token codes of one part of a document.
INSERT OR REPLACE INTO token_codes (number, model_id, tokens)
SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM documents WHERE doc_id = ?1 / 256)

-- name: count_piece
-- Count a word piece in some more passages.
INSERT INTO pieces (model_id, piece, passages) VALUES (?, ?, ?)
ON CONFLICT (model_id, piece) DO UPDATE SET passages = passages + excluded.passages

-- name: piece_counts
-- In how many passages some pieces occur. ?1 model, ?2 a JSON list of pieces.
SELECT piece, passages FROM pieces
WHERE model_id = ?1 AND piece IN (SELECT value FROM json_each(?2))

-- name: put_code
-- Keep the static code of a document.
INSERT OR REPLACE INTO codes (doc_id, code)
SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM documents WHERE doc_id = ?1)

-- name: vectors_after
-- Vectors of a model in the order of their numbers. ?1 model, ?2 after this number, ?3 how many.
SELECT number, vector FROM vectors WHERE number > ?2 AND model_id = ?1 ORDER BY number LIMIT ?3

-- name: vectors_of
-- Vectors of some parts. ?1 model, ?2 a JSON list of numbers.
SELECT v.number, v.vector FROM json_each(?2) j JOIN vectors v ON v.number = j.value
WHERE v.model_id = ?1

-- name: parts_of
-- Vectors of all parts of some documents. ?1 model, ?2 a JSON list of rows.
SELECT v.number, v.vector FROM json_each(?2) j
JOIN vectors v ON v.number >= j.value * 256 AND v.number < (j.value + 1) * 256
WHERE v.model_id = ?1

-- name: tokens_of
-- Token codes of some parts. ?1 model, ?2 a JSON list of numbers.
SELECT t.number, t.tokens FROM json_each(?2) j JOIN token_codes t ON t.number = j.value
WHERE t.model_id = ?1

-- name: vector_count
-- How many documents have vectors of a model, and the bytes of all of them.
SELECT COUNT(DISTINCT number / 256), COALESCE(SUM(LENGTH(vector)), 0) FROM vectors
WHERE model_id = ?1
