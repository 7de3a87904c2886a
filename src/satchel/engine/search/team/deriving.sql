-- name: hold_project
-- Make every other writer of the project wait; return the last number that it handed out.
SELECT last_number FROM project_heads WHERE project = ?1 FOR UPDATE

-- name: put_totals
-- Remember what a project counts.
UPDATE project_heads SET last_number = ?2, documents = ?3, tokens = ?4 WHERE project = ?1

-- name: known_hashes
-- Documents that are there already. ?2 an array of hashes.
SELECT h, held.number FROM unnest(?2::text[]) h CROSS JOIN LATERAL (SELECT d.number
  FROM documents d WHERE d.project = ?1 AND d.hash = h COLLATE "C" LIMIT 1) held

-- name: put_documents
-- Add documents, and count their words. From ?2 on arrays, one for each column. The words of title,
-- text, tags and code have different weights.
WITH added AS (
  INSERT INTO documents (project, number, hash, identity, kind, ts, id, rev, task, epic, tags,
    expires_at, deleted, private, thread, place, title, content, fields, line, length, words)
  SELECT ?1, u.number, u.hash, u.identity, u.kind, u.ts, u.id, u.rev, u.task, u.epic, u.tags,
    u.expires_at, u.deleted = 1, u.private = 1, u.thread, u.place, u.title, u.content,
    u.fields::jsonb, u.line, u.length,
    setweight(to_tsvector('satchel.stems', u.in_title), 'A')
    || setweight(to_tsvector('satchel.stems', u.in_text), 'C')
    || setweight(to_tsvector('satchel.stems', u.in_tags), 'B')
    || setweight(to_tsvector('satchel.stems', u.in_code), 'D')
  FROM unnest(?2::bigint[], ?3::text[], ?4::text[], ?5::text[], ?6::bigint[], ?7::text[],
    ?8::bigint[], ?9::text[], ?10::text[], ?11::text[], ?12::bigint[], ?13::int[], ?14::int[],
    ?15::text[], ?16::bigint[], ?17::text[], ?18::text[], ?19::text[], ?20::bytea[], ?21::int[],
    ?22::text[], ?23::text[], ?24::text[], ?25::text[])
  AS u (number, hash, identity, kind, ts, id, rev, task, epic, tags, expires_at, deleted, private,
    thread, place, title, content, fields, line, length, in_title, in_text, in_tags, in_code)
  RETURNING words)
INSERT INTO word_counts (project, word, documents)
SELECT ?1, w.lexeme, COUNT(*) FROM added, unnest(added.words) w GROUP BY w.lexeme ORDER BY w.lexeme
ON CONFLICT (project, word) DO UPDATE SET documents = word_counts.documents + excluded.documents

-- name: note_documents
-- Say of lines which documents they are. ?2 their ledger, ?3 and ?4 between which places they are,
-- ?5 an array of places, ?6 of numbers.
UPDATE ledger_lines l SET number = u.number FROM unnest(?5::bigint[], ?6::bigint[]) AS u (place, number)
WHERE l.project = ?1 AND l.ledger = ?2 AND l.place BETWEEN ?3 AND ?4 AND l.place = u.place

-- name: mark_superseded
-- Say of every version of some things whether there is a newer one. ?2 an array of identities. With
-- `+ 0` no index by time is taken for the newest, which would read all that is newer; the inner array
-- is made once, where a server without statistics would join everything with everything.
UPDATE documents d SET superseded = NOT d.superseded
WHERE d.project = ?1 AND d.number = ANY(ARRAY(SELECT o.number
  FROM unnest(?2::text[]) i CROSS JOIN LATERAL (SELECT l.ts, l.id, l.rev, l.hash FROM documents l
    WHERE l.project = ?1 AND l.identity = i COLLATE "C"
    ORDER BY l.ts + 0 DESC, l.id DESC, l.rev DESC, l.hash DESC LIMIT 1) n
  CROSS JOIN LATERAL (SELECT a.number FROM documents a
    WHERE a.project = ?1 AND a.identity = i COLLATE "C" AND a.superseded
      <> ((a.ts, a.id, a.rev, a.hash) < (n.ts, n.id, n.rev, n.hash)) OFFSET 0) o))

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
