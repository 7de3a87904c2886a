-- name: hold_project
-- Make every other writer of the project wait; return what it counts.
SELECT last_number, documents, tokens FROM project_heads WHERE project = ?1 FOR UPDATE

-- name: put_totals
-- Remember what a project counts.
UPDATE project_heads SET last_number = ?2, documents = ?3, tokens = ?4 WHERE project = ?1

-- name: known_hashes
-- Documents that are there already. ?2 an array of hashes.
SELECT hash, number FROM documents WHERE project = ?1 AND hash = ANY(?2::text[])

-- name: put_document
-- Add a document. The words of its title, text, tags and code have different weights.
INSERT INTO documents (project, number, hash, identity, kind, ts, id, rev, task, epic, tags,
  expires_at, deleted, private, thread, place, title, content, fields, line, length, words)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13::int = 1, ?14::int = 1, ?15, ?16,
  ?17, ?18, ?19::jsonb, ?20, ?21,
  setweight(to_tsvector('satchel.stems', ?22), 'A')
  || setweight(to_tsvector('satchel.stems', ?23), 'C')
  || setweight(to_tsvector('satchel.stems', ?24), 'B')
  || setweight(to_tsvector('satchel.stems', ?25), 'D'))

-- name: note_document
-- Say of a line which document it is. ?4 the line's mark.
UPDATE ledger_lines SET number = ?3 WHERE project = ?1 AND ledger = ?2 AND mark = ?4

-- name: mark_superseded
-- Say of every version of some things whether there is a newer one. ?2 an array of identities.
UPDATE documents d SET superseded = v.superseded
FROM (SELECT o.number, EXISTS (SELECT 1 FROM documents n
    WHERE n.project = o.project AND n.identity = o.identity
    AND (n.ts, n.id, n.rev, n.hash) > (o.ts, o.id, o.rev, o.hash)) AS superseded
  FROM documents o WHERE o.project = ?1 AND o.identity = ANY(?2::text[])) v
WHERE d.project = ?1 AND d.number = v.number AND d.superseded <> v.superseded

-- name: count_words
-- Count the words of new documents. ?2 an array of their numbers.
INSERT INTO word_counts (project, word, documents)
SELECT d.project, w.lexeme, COUNT(*) FROM documents d, unnest(d.words) w
WHERE d.project = ?1 AND d.number = ANY(?2::bigint[])
GROUP BY d.project, w.lexeme ORDER BY w.lexeme
ON CONFLICT (project, word) DO UPDATE SET documents = word_counts.documents + excluded.documents

-- name: forget_documents
-- Drop everything derived of a project. Vectors go with their documents.
DELETE FROM documents WHERE project = ?1

-- name: forget_words
-- Drop the counts of words of a project.
DELETE FROM word_counts WHERE project = ?1

-- name: forget_numbers
-- Lines have no documents for the moment.
UPDATE ledger_lines SET number = NULL WHERE project = ?1 AND number IS NOT NULL

-- name: all_lines
-- Lines of a project by ledger and place. ?2 and ?3 after this ledger and place, ?4 how many.
SELECT ledger, place, line FROM ledger_lines
WHERE project = ?1 AND (ledger, place) > (?2::text, ?3::bigint) ORDER BY ledger, place LIMIT ?4

-- name: totals
-- Documents of a project and their words, superseded ones included.
SELECT documents, tokens FROM project_heads WHERE project = ?1
