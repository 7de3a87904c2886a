-- name: stamp
-- How many lines were ever written beside a project, how many sessions and messages are there, and
-- when one was changed last. The time alone would not tell of one that is gone, or that was begun
-- before another, but ended its wait for the lock after it.
SELECT (SELECT COALESCE(SUM(last_place), 0)::bigint FROM ledger_heads WHERE project = ?1),
  COUNT(*), EXTRACT(epoch FROM MAX(touched_at))::float8
FROM server_documents WHERE project = ?1
