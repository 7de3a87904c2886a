-- name: published
-- Everything that is published of a project, with its text.
SELECT subject, id, body::text FROM published WHERE project = ?1

-- name: take_back
-- Take back what was published. ?3 an array of ids.
DELETE FROM published WHERE project = ?1 AND subject = ?2 AND id = ANY(?3::text[])
