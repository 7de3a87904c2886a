-- name: stamp
-- How many lines were ever written beside a project, and when a session changed last.
SELECT (SELECT COALESCE(SUM(last_place), 0)::bigint FROM ledger_heads WHERE project = ?1),
  (SELECT EXTRACT(epoch FROM MAX(touched_at))::float8 FROM server_documents WHERE project = ?1)
