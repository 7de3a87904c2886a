-- name: hold
-- Make other writers of the project's sessions wait until this transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(?1, 0))

-- name: ids
SELECT id FROM server_documents WHERE project = ?1 AND subject = 'session' ORDER BY id

-- name: metas
SELECT id, body FROM server_documents WHERE project = ?1 AND subject = 'session' ORDER BY id

-- name: meta
SELECT body FROM server_documents WHERE project = ?1 AND subject = 'session' AND id = ?2

-- name: put_meta
-- Replace what a session says of itself. It has no end.
INSERT INTO server_documents (project, subject, id, body, expires_at)
VALUES (?1, 'session', ?2, ?3, 'infinity')
ON CONFLICT (project, subject, id) DO UPDATE SET body = excluded.body,
  touched_at = clock_timestamp()

-- name: messages
-- A session's messages in their order: '0' follows '/'.
SELECT body FROM server_documents
WHERE project = ?1 AND subject = 'message' AND id > ?2 || '/' AND id < ?2 || '0' ORDER BY id

-- name: messages_size
SELECT COALESCE(SUM(octet_length(body) + 1), 0)::bigint FROM server_documents
WHERE project = ?1 AND subject = 'message' AND id > ?2 || '/' AND id < ?2 || '0'

-- name: append
-- Add a message after the session's others.
INSERT INTO server_documents (project, subject, id, body, expires_at)
SELECT ?1, 'message', ?2 || '/' || lpad((COALESCE(MAX(right(id, 8))::int, 0) + 1)::text, 8, '0'),
  ?3::bytea, 'infinity'
FROM server_documents
WHERE project = ?1 AND subject = 'message' AND id > ?2 || '/' AND id < ?2 || '0'

-- name: size
SELECT COALESCE(SUM(octet_length(body)), 0)::bigint FROM server_documents
WHERE project = ?1 AND subject IN ('session', 'message')

-- name: stamps
-- What changes with each session: how many rows it has, and when one was changed last.
SELECT split_part(id, '/', 1), COUNT(*), EXTRACT(epoch FROM MAX(touched_at))::float8
FROM server_documents WHERE project = ?1 AND subject IN ('session', 'message') GROUP BY 1

-- name: copied
-- The rows of some sessions: of each its description, then its messages in their order. A range of
-- ids for each session is looked up in the primary key; a join would compare every id with each.
SELECT wanted.id, m.is_meta, m.body
FROM jsonb_array_elements_text(?2::jsonb) AS wanted (id) CROSS JOIN LATERAL (
  SELECT TRUE AS is_meta, d.body FROM server_documents d
  WHERE d.project = ?1 AND d.subject = 'session' AND d.id = wanted.id COLLATE "C"
  UNION ALL (
    SELECT FALSE, d.body FROM server_documents d
    WHERE d.project = ?1 AND d.subject = 'message'
      AND d.id > wanted.id || '/' COLLATE "C" AND d.id < wanted.id || '0' COLLATE "C"
    ORDER BY d.id
  )
) AS m
