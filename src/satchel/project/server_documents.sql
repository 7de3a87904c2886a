-- name: put
-- Keep a document. ?4 what it says, ?5 seconds until it ends.
INSERT INTO server_documents AS d (project, subject, id, body, expires_at)
VALUES (?1, ?2, ?3, ?4, now() + make_interval(secs => ?5))
ON CONFLICT (project, subject, id) DO UPDATE SET body = excluded.body, created_at = now(),
  touched_at = now(), expires_at = excluded.expires_at

-- name: get
-- A document that has not ended: what it says, seconds since it was made, and since it was touched.
SELECT body, EXTRACT(epoch FROM now() - created_at)::float8,
  EXTRACT(epoch FROM now() - touched_at)::float8
FROM server_documents
WHERE project = ?1 AND subject = ?2 AND id = ?3 AND expires_at > now() AND body IS NOT NULL

-- name: touch
UPDATE server_documents SET touched_at = now() WHERE project = ?1 AND subject = ?2 AND id = ?3

-- name: take
-- Remove a document: of several who do so at once, one is told what it said.
DELETE FROM server_documents WHERE project = ?1 AND subject = ?2 AND id = ?3
RETURNING body, EXTRACT(epoch FROM now() - created_at)::float8,
  EXTRACT(epoch FROM now() - touched_at)::float8

-- name: sweep
-- Remove what has ended.
DELETE FROM server_documents WHERE project = ?1 AND expires_at <= now()

-- name: claim
-- Take a request: nobody else does it then. ?4 who, ?5 a mark of what is asked, ?6 seconds until its
-- answer ends, ?7 seconds without a sign of life after which another's is taken over. Returns when it
-- was taken first, in milliseconds; nothing where another has it, or has answered.
INSERT INTO server_documents AS d (project, subject, id, holder, mark, expires_at)
VALUES (?1, ?2, ?3, ?4, ?5, now() + make_interval(secs => ?6))
ON CONFLICT (project, subject, id) DO UPDATE SET holder = excluded.holder, mark = excluded.mark,
  body = NULL, touched_at = now(), expires_at = excluded.expires_at,
  created_at = CASE WHEN d.expires_at <= now() THEN now() ELSE d.created_at END
WHERE d.expires_at <= now() OR (d.body IS NULL AND d.mark IN ('', excluded.mark)
  AND (d.holder = excluded.holder OR d.touched_at <= now() - make_interval(secs => ?7)))
RETURNING (EXTRACT(epoch FROM created_at) * 1000)::bigint

-- name: claimed
-- What another's request asked, and its answer, if there is one.
SELECT mark, body FROM server_documents WHERE project = ?1 AND subject = ?2 AND id = ?3

-- name: renew
-- Say that a request is still being done.
UPDATE server_documents SET touched_at = now()
WHERE project = ?1 AND subject = ?2 AND id = ?3 AND holder = ?4 AND body IS NULL

-- name: keep
-- Keep the answer of a request that is still ours.
UPDATE server_documents SET body = ?5, touched_at = now()
WHERE project = ?1 AND subject = ?2 AND id = ?3 AND holder = ?4

-- name: release
-- Give a request back that failed: the next one takes it at once, also with another body. When it was
-- taken first stays, since what failed may be there all the same.
UPDATE server_documents SET touched_at = '-infinity', mark = ''
WHERE project = ?1 AND subject = ?2 AND id = ?3 AND holder = ?4 AND body IS NULL
