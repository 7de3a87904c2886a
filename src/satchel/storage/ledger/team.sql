-- name: make_project
-- Let a project have its row.
INSERT INTO project_heads (project) VALUES (?1) ON CONFLICT DO NOTHING

-- name: hold_project
-- Make every other writer of the project wait until this transaction ends; what it counts.
SELECT last_number, documents, tokens FROM project_heads WHERE project = ?1 FOR UPDATE

-- name: ledger_head
-- The greatest time, id and place that a ledger has handed out.
SELECT last_ts, last_id, last_place FROM ledger_heads WHERE project = ?1 AND ledger = ?2

-- name: last_line
-- The line at the last place that a ledger has handed out; none if it was removed.
SELECT l.line FROM ledger_heads h
JOIN ledger_lines l ON l.project = ?1 AND l.ledger = ?2 AND l.place = h.last_place
WHERE h.project = ?1 AND h.ledger = ?2

-- name: put_lines
-- Keep lines, and remember what was handed out; return how many are new. ?3 greatest time, ?4 id, ?5
-- place, ?6 number, ?7 documents, ?8 their words; from ?9 on arrays of marks, places, ids, revisions,
-- times, numbers of documents, reasons and lines. The same line twice is one line.
WITH new AS (
  INSERT INTO ledger_lines (project, ledger, mark, place, id, rev, ts, number, reason, line)
  SELECT ?1, ?2, u.* FROM unnest(?9::bytea[], ?10::bigint[], ?11::text[], ?12::bigint[],
    ?13::bigint[], ?14::bigint[], ?15::text[], ?16::bytea[]) u
  ON CONFLICT (project, ledger, mark) DO NOTHING RETURNING 1),
totals AS (
  UPDATE project_heads SET last_number = ?6::bigint, documents = ?7::bigint, tokens = ?8::bigint
  WHERE project = ?1 AND EXISTS (SELECT 1 FROM new)),
head AS (
  INSERT INTO ledger_heads (project, ledger, last_ts, last_id, last_place)
  SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM new)
  ON CONFLICT (project, ledger) DO UPDATE SET last_ts = excluded.last_ts,
    last_id = excluded.last_id, last_place = excluded.last_place)
SELECT COUNT(*) FROM new

-- name: overtaken
-- How many of some new versions have a line beside them or after them. ?2 an array of ids, ?3 of
-- revisions.
SELECT COUNT(*) FROM unnest(?2::text[], ?3::bigint[]) AS u (id, rev) CROSS JOIN LATERAL (
  SELECT 1 FROM ledger_lines l WHERE l.project = ?1 AND l.id = u.id COLLATE "C" AND l.rev >= u.rev
  LIMIT 1) h

-- name: drop_line
-- Forget one line. ?3 its mark.
DELETE FROM ledger_lines WHERE project = ?1 AND ledger = ?2 AND mark = ?3

-- name: held_marks
-- Which of some lines a ledger holds. ?3 an array of marks. The order leaves no index but the right
-- one to a server that knows no statistics yet.
SELECT m FROM unnest(?3::bytea[]) m CROSS JOIN LATERAL (SELECT l.mark FROM ledger_lines l
  WHERE l.project = ?1 AND l.ledger = ?2 AND l.mark >= m ORDER BY l.mark LIMIT 1) h WHERE h.mark = m

-- name: held_ids
-- Which of some ids a ledger holds lines of. ?3 an array of ids, each looked up by its own index: a
-- server that knows no statistics yet would read the whole ledger.
SELECT i FROM unnest(?3::text[]) i CROSS JOIN LATERAL (SELECT 1 FROM ledger_lines l
  WHERE l.project = ?1 AND l.id = i COLLATE "C" AND l.ledger || '' = ?2 AND l.reason = '' LIMIT 1) h

-- name: lines
-- Lines of a ledger in the order in which they came. ?3 after this place, ?4 how many, ?5 bytes that
-- they contain.
SELECT place, line FROM ledger_lines WHERE project = ?1 AND ledger = ?2 AND place > ?3
  AND (octet_length(?5::bytea) = 0 OR position(?5::bytea IN line) > 0)
ORDER BY place LIMIT ?4

-- name: ledgers
-- Ledgers of a project that hold anything, with how many lines each has.
SELECT ledger, COUNT(*) FROM ledger_lines WHERE project = ?1 GROUP BY ledger ORDER BY ledger

-- name: look
-- Version of the store, place of the newest line of a ledger, and how many lines all ledgers of the
-- project were ever given: more after every write by anybody.
SELECT (SELECT MAX(number) FROM migrations), COALESCE(MAX(last_place) FILTER (WHERE ledger = ?2), 0),
  COALESCE(SUM(last_place), 0)::bigint FROM ledger_heads WHERE project = ?1
