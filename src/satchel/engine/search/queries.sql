-- name: source_rows
-- Every source with its fingerprint.
SELECT path, source_id, size, mtime_ns, ctime_ns, inode, settled, prefix_size, prefix_lines,
  prefix_hash, gate FROM sources

-- name: put_source
-- Remember a source as it was just read.
INSERT INTO sources (path, size, mtime_ns, ctime_ns, inode, settled, prefix_size, prefix_lines,
  prefix_hash, gate)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (path) DO UPDATE SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5,
  settled = ?6, prefix_size = ?7, prefix_lines = ?8, prefix_hash = ?9, gate = ?10

-- name: put_document
-- Add a document unless its line is already known.
INSERT OR IGNORE INTO documents
  (hash, identity, kind, ts, id, rev, task, epic, expires_at, deleted, private, title, content,
   tags, code, fields, seal, thread, place)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: may_replace
-- Condition: n is not somebody else's while d is this person's own and was never shared. A gate
-- names the author of what is somebody else's; a thing is shared where a gated source holds it as
-- this person's own.
NOT (json_type(n.fields, '$._author') IS NOT NULL AND json_type(d.fields, '$._author') IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM documents s JOIN presence r ON r.doc_id = s.doc_id
    JOIN sources o ON o.source_id = r.source_id
    WHERE s.identity = d.identity AND o.gate <> '' AND json_type(s.fields, '$._author') IS NULL))

-- name: versions
-- How many versions of a thing there are, and whether a tombstone has its id.
SELECT (SELECT COUNT(*) FROM documents WHERE identity = ?1),
  EXISTS (SELECT 1 FROM documents WHERE id = ?2 AND deleted = 1)

-- name: mark_superseded
-- Say of every version of a thing whether there is a newer one, or a tombstone of its id: what is
-- left after a purge has another identity, since keys are spelled from the content. ?2 is the id
-- where a tombstone has it.
UPDATE documents AS d SET superseded = EXISTS (
  SELECT 1 FROM documents n WHERE n.identity = d.identity
  AND (n.ts, n.id, n.rev, n.hash) > (d.ts, d.id, d.rev, d.hash) AND {may_replace})
OR EXISTS (SELECT 1 FROM documents n WHERE n.id = d.id AND n.deleted = 1
  AND (n.ts, n.rev) > (d.ts, d.rev)
  AND {may_replace})
WHERE d.identity = ?1 OR d.id = ?2

-- name: document_id
-- Id of the document with this hash.
SELECT doc_id FROM documents WHERE hash = ?

-- name: relabel
-- Say again where a document comes from.
UPDATE documents SET fields = ?2, seal = ?3 WHERE doc_id = ?1 AND fields <> ?2

-- name: put_words
-- Index the words of one document.
INSERT INTO words (rowid, title, content, tags, code)
SELECT doc_id, title, content, tags, code FROM documents WHERE doc_id = ?

-- name: put_presence
-- Note that a source holds a document.
INSERT OR IGNORE INTO presence (source_id, doc_id) VALUES (?, ?)

-- name: make_scratch
-- Scratch tables of one connection: what a re-read source holds, and what it has lost.
CREATE TEMP TABLE IF NOT EXISTS seen (doc_id INTEGER PRIMARY KEY);
CREATE TEMP TABLE IF NOT EXISTS gone (doc_id INTEGER PRIMARY KEY, identity TEXT, id TEXT);
DELETE FROM temp.seen;

-- name: make_visible
-- A scratch table of one connection: the sources that a question may see, where they are many.
CREATE TEMP TABLE IF NOT EXISTS visible (source_id INTEGER PRIMARY KEY);
DELETE FROM temp.visible;

-- name: put_visible
-- One of them.
INSERT INTO temp.visible (source_id) VALUES (?)

-- name: put_seen
-- Note that a source that is read whole still holds a document.
INSERT OR IGNORE INTO temp.seen (doc_id) VALUES (?)

-- name: note_absent
-- What a re-read source no longer holds.
INSERT OR IGNORE INTO temp.gone
SELECT p.doc_id, d.identity, d.id FROM presence p JOIN documents d USING (doc_id)
WHERE p.source_id = ?1 AND p.doc_id NOT IN (SELECT doc_id FROM temp.seen)

-- name: forget_absent
-- A re-read source holds only what was seen in it.
DELETE FROM presence WHERE source_id = ?1 AND doc_id NOT IN (SELECT doc_id FROM temp.seen)

-- name: orphan_words
-- Take documents that no source holds any more out of the word index.
INSERT INTO words (words, rowid, title, content, tags, code)
SELECT 'delete', doc_id, title, content, tags, code FROM documents d
WHERE d.doc_id IN (SELECT doc_id FROM temp.gone)
  AND NOT EXISTS (SELECT 1 FROM presence p WHERE p.doc_id = d.doc_id)

-- name: drop_orphans
-- Remove documents that no source holds any more.
DELETE FROM documents WHERE doc_id IN (SELECT doc_id FROM temp.gone)
  AND NOT EXISTS (SELECT 1 FROM presence p WHERE p.doc_id = documents.doc_id)

-- name: revive_older
-- Where the newest version went away, an older one may be the newest again.
UPDATE documents AS d SET superseded = EXISTS (
  SELECT 1 FROM documents n WHERE n.identity = d.identity
  AND (n.ts, n.id, n.rev, n.hash) > (d.ts, d.id, d.rev, d.hash) AND {may_replace})
OR EXISTS (SELECT 1 FROM documents n WHERE n.id = d.id AND n.deleted = 1
  AND (n.ts, n.rev) > (d.ts, d.rev)
  AND {may_replace})
WHERE d.superseded = 1 AND (d.identity IN (SELECT identity FROM temp.gone)
  OR d.id IN (SELECT id FROM temp.gone))

-- name: clear_gone
-- Empty the scratch table.
DELETE FROM temp.gone

-- name: drop_source
-- Forget a source.
DELETE FROM sources WHERE source_id = ?

-- name: drop_damage
-- Damage after line ?2 of a source is noted again: those lines are read again.
DELETE FROM damage WHERE source_id = ?1 AND line > ?2

-- name: put_damage
-- Note a line that does not parse.
INSERT INTO damage (source_id, line, reason, raw) VALUES (?, ?, ?, ?)

-- name: damage
-- Every line that does not parse.
SELECT s.path, d.line, d.reason, d.raw FROM damage d JOIN sources s USING (source_id)
ORDER BY s.path, d.line

-- name: newest
-- Condition, where every source is visible: no version of the same thing is newer.
d.superseded = 0

-- name: newest_visible
-- Condition: d is held by a visible source and no visible version of the same thing is newer.
-- {visible} is a list of source ids.
EXISTS (SELECT 1 FROM presence p WHERE p.doc_id = d.doc_id AND p.source_id IN ({visible}))
AND NOT EXISTS (
  SELECT 1 FROM documents n WHERE n.identity = d.identity
  AND (n.ts, n.id, n.rev, n.hash) > (d.ts, d.id, d.rev, d.hash) AND {may_replace}
  AND EXISTS (SELECT 1 FROM presence q WHERE q.doc_id = n.doc_id AND q.source_id IN ({visible})))
AND NOT EXISTS (
  SELECT 1 FROM documents n WHERE n.id = d.id AND n.deleted = 1 AND (n.ts, n.rev) > (d.ts, d.rev)
  AND {may_replace}
  AND EXISTS (SELECT 1 FROM presence q WHERE q.doc_id = n.doc_id AND q.source_id IN ({visible})))

-- name: shared
-- Condition, where others ask: neither is d private, nor what came before its end or after it.
AND d.private = 0 AND (d.deleted = 0 AND d.superseded = 0 OR NOT EXISTS (
  SELECT 1 FROM documents v WHERE v.identity = d.identity AND v.private = 1
  AND (d.deleted = 1 OR (v.ts, v.id, v.rev, v.hash) > (d.ts, d.id, d.rev, d.hash))))

-- name: columns
-- The columns of a document, in the order of the Document value, a source that holds it, its row.
d.identity, d.hash, d.kind, d.ts, d.id, d.rev, d.title, d.content, d.tags, d.task, d.epic,
d.expires_at, d.deleted, d.fields, d.seal, d.thread, d.place,
(SELECT MIN(p.source_id) FROM presence p WHERE p.doc_id = d.doc_id AND p.source_id IN ({visible})),
d.doc_id

-- name: match
-- The best matches of a word query, live and visible. ?1 query, ?2 candidates, ?3 now.
WITH found AS (SELECT rowid AS doc_id, rank AS score FROM words WHERE words MATCH ?1
  ORDER BY rank LIMIT ?2)
SELECT {columns}, found.score FROM found JOIN documents d ON d.doc_id = found.doc_id
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?3) AND {newest_visible} {filter}
ORDER BY found.score, d.ts DESC, d.id DESC

-- name: numbered
-- Those of some documents that are live and visible. ?1 now, ?2 a JSON list of their rows.
SELECT {columns}, 0.0 FROM json_each(?2) j JOIN documents d ON d.doc_id = j.value
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1) AND {newest_visible} {filter}

-- name: live_numbers
-- Rows of all live and visible documents. ?1 now.
SELECT d.doc_id FROM documents d
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1) AND {newest_visible} {filter}

-- name: beside
-- Neighbours of documents in their threads. ?1 now, ?2 a JSON list of rows, ?3 reach.
SELECT {columns}, 0.0, j.value, d.place - o.place FROM json_each(?2) j
JOIN documents o ON o.doc_id = j.value
JOIN documents d ON d.thread = o.thread AND d.thread <> ''
  AND d.place BETWEEN o.place - ?3 AND o.place + ?3 AND d.doc_id <> o.doc_id
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1) AND {newest_visible} {filter}

-- name: match_count
-- How many documents hold any of the words, live or not.
SELECT COUNT(*) FROM (SELECT rowid FROM words WHERE words MATCH ?1 LIMIT ?2)

-- name: list
-- Live and visible documents, newest first. ?1 now, ?2 limit, ?3 how many to pass over.
SELECT {columns}, 0.0 FROM documents d
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1) AND {newest_visible} {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?2 OFFSET ?3

-- name: latest
-- The newest visible version of everything, live or not, newest first. ?1 limit.
SELECT {columns}, 0.0 FROM documents d WHERE {newest_visible} {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?1

-- name: versions_with_id
-- Every visible version, replaced ones too, whose id begins so, newest first. ?1 limit.
SELECT {columns}, 0.0 FROM documents d
WHERE EXISTS (SELECT 1 FROM presence p WHERE p.doc_id = d.doc_id AND p.source_id IN ({visible}))
  {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC LIMIT ?1

-- name: marks
-- What tells each thing that was not deleted from what it was: its identity, behind ?1, and its hash.
SELECT ?1 || d.identity, d.hash FROM documents d WHERE d.deleted = 0 AND {newest_visible} {filter}

-- name: any_present
-- Whether some sources hold anything.
SELECT 1 FROM presence p WHERE p.source_id IN ({visible}) LIMIT 1

-- name: history
-- Every visible version of one thing, newest first.
SELECT {columns}, 0.0 FROM documents d
WHERE d.identity = ?1
  AND EXISTS (SELECT 1 FROM presence p WHERE p.doc_id = d.doc_id AND p.source_id IN ({visible}))
  {filter}
ORDER BY d.ts DESC, d.id DESC, d.rev DESC, d.hash DESC

-- name: replacing
-- What took the place of some things, live and visible, oldest first; once for each of them.
-- ?1 now, ?2 a JSON list of ids. Joined in this order: few things were ever replaced.
SELECT {columns}, 0.0 FROM json_each(?2) j CROSS JOIN replacements r ON r.old_id = j.value
CROSS JOIN documents d ON d.doc_id = r.doc_id
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1) AND {newest_visible} {filter}
ORDER BY d.ts, d.id, d.rev

-- name: counts
-- How many live and visible documents there are of each kind. ?1 now.
SELECT d.kind, COUNT(*) FROM documents d
WHERE d.deleted = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1) AND {newest_visible} {filter}
GROUP BY d.kind ORDER BY 2 DESC, 1

-- name: count_shareable
-- Live documents that are not marked private. ?1 now.
SELECT COUNT(*) FROM documents d
WHERE d.deleted = 0 AND d.private = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1)
  AND {newest_visible} {filter}

-- name: count_shared
-- Those of them that the sources {elsewhere} hold in this version or a newer one. ?1 now.
SELECT COUNT(DISTINCT d.doc_id) FROM presence r
JOIN documents t ON t.doc_id = r.doc_id
JOIN documents d ON d.identity = t.identity AND (t.ts, t.id, t.rev) >= (d.ts, d.id, d.rev)
WHERE r.source_id IN ({elsewhere})
  AND d.deleted = 0 AND d.private = 0 AND (d.expires_at IS NULL OR d.expires_at > ?1)
  AND {newest_visible} {filter}

-- name: every_row
-- Every document as it is held, for looking at its seal.
SELECT {columns}, 0.0 FROM documents d

-- name: wrongly_superseded
-- How many versions say the wrong thing about whether there is a newer one.
SELECT COUNT(*) FROM documents d WHERE d.superseded <> (EXISTS (
  SELECT 1 FROM documents n WHERE n.identity = d.identity
  AND (n.ts, n.id, n.rev, n.hash) > (d.ts, d.id, d.rev, d.hash) AND {may_replace})
OR EXISTS (SELECT 1 FROM documents n WHERE n.id = d.id AND n.deleted = 1
  AND (n.ts, n.rev) > (d.ts, d.rev)
  AND {may_replace}))

-- name: check_words
-- Let the word index compare itself with the documents. Raises if they differ.
INSERT INTO words (words, rank) VALUES ('integrity-check', 1)

-- name: all_documents
-- Hash and fields of everything, for comparing rows with ledgers.
SELECT d.hash, s.path FROM documents d JOIN presence p USING (doc_id) JOIN sources s USING (source_id)

-- name: vectors_by_model
-- How many vectors there are of each model.
SELECT m.identity, COUNT(v.number) FROM models m JOIN vectors v USING (model_id)
GROUP BY m.model_id ORDER BY m.model_id
