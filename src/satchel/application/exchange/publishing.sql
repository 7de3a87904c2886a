-- name: put
-- Publish things as they are now. ?3 when, ?4 an array of ids, ?5 of their JSON.
INSERT INTO published (project, subject, id, body, updated_at)
SELECT ?1, ?2, u.id, u.body::jsonb, ?3 FROM unnest(?4::text[], ?5::text[]) AS u (id, body)
ON CONFLICT (project, subject, id) DO UPDATE SET body = excluded.body,
  updated_at = excluded.updated_at
WHERE published.body <> excluded.body

-- name: drop_others
-- Take back what is no longer there. ?3 an array of ids that are.
DELETE FROM published WHERE project = ?1 AND subject = ?2 AND id <> ALL(?3::text[])

-- name: put_newer
-- Publish tasks, unless a newer version is there: their times are spelled so that they sort. ?3 when,
-- ?4 an array of ids, ?5 of their JSON.
INSERT INTO published (project, subject, id, body, updated_at)
SELECT ?1, ?2, u.id, u.body::jsonb, ?3 FROM unnest(?4::text[], ?5::text[]) AS u (id, body)
ON CONFLICT (project, subject, id) DO UPDATE SET body = excluded.body,
  updated_at = excluded.updated_at
WHERE published.body <> excluded.body
  AND COALESCE(published.body ->> 'updated_at', '') <= COALESCE(excluded.body ->> 'updated_at', '')

-- name: drop
-- Take back what was deleted. ?3 an array of ids.
DELETE FROM published WHERE project = ?1 AND subject = ?2 AND id = ANY(?3::text[])

-- name: count
-- How many things of each subject are published.
SELECT subject, COUNT(*) FROM published WHERE project = ?1 GROUP BY subject ORDER BY subject

-- name: name_project
-- Say what people call a project.
UPDATE project_heads SET name = ?2 WHERE project = ?1

-- name: messages
-- Messages of a project, oldest first, after one. ?2, ?3 its time and id, ?4 how many.
SELECT id, body::text, updated_at FROM published
WHERE project = ?1 AND subject = 'message' AND (updated_at, id) > (?2, ?3)
ORDER BY updated_at, id LIMIT ?4
