-- name: held
-- Every source that holds anything, with the hash of its content.
SELECT path, prefix_hash FROM sources WHERE size >= 0 ORDER BY path

-- name: holders
-- The documents of one source, each with every source that holds it.
SELECT p.doc_id, s.path FROM presence p JOIN sources s USING (source_id)
WHERE p.doc_id IN (
  SELECT q.doc_id FROM presence q JOIN sources t USING (source_id) WHERE t.path = ?)
