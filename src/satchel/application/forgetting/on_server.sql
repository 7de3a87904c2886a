-- name: published
-- Everything that is published of a project, with its text.
SELECT subject, id, body::text FROM published WHERE project = ?1

-- name: take_back
-- Take back what was published. ?3 an array of ids.
DELETE FROM published WHERE project = ?1 AND subject = ?2 AND id = ANY(?3::text[])

-- name: answers
-- What servers answered requests of a project with, as long as they know it.
SELECT id, body FROM server_documents WHERE project = ?1 AND body IS NOT NULL

-- name: drop_answers
-- Drop such answers. ?2 an array of ids.
DELETE FROM server_documents WHERE project = ?1 AND id = ANY(?2::text[])

-- name: hold
-- Make servers that change the project's sessions wait until this transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(?1, 0))

-- name: sessions
-- Sessions and messages that servers keep of a project.
SELECT subject, id, body FROM server_documents
WHERE project = ?1 AND subject IN ('session', 'message')

-- name: drop_session
WITH gone AS (
  DELETE FROM server_documents
  WHERE project = ?1 AND subject IN ('session', 'message') AND starts_with(id, ?2) RETURNING 1)
SELECT COUNT(*) FROM gone

-- name: reword_session
-- Take words out of a session or message. ?4 what is left.
UPDATE server_documents SET body = ?4, touched_at = clock_timestamp()
WHERE project = ?1 AND subject = ?2 AND id = ?3 RETURNING 1
