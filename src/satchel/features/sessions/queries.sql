-- name: holder
-- The session that holds a turn already: turns are copied into resumed and forked sessions.
SELECT thread FROM documents WHERE identity = ? AND superseded = 0 LIMIT 1
