-- name: make_project
-- Let a project have its row.
INSERT INTO project_heads (project) VALUES (?1) ON CONFLICT DO NOTHING

-- name: hold_project
-- Make every other writer of the project wait until this transaction ends.
SELECT last_number FROM project_heads WHERE project = ?1 FOR UPDATE

-- name: ledger_head
-- The greatest time, id and place that a ledger has handed out.
SELECT last_ts, last_id, last_place FROM ledger_heads WHERE project = ?1 AND ledger = ?2

-- name: put_ledger_head
-- Remember what a ledger has handed out.
INSERT INTO ledger_heads (project, ledger, last_ts, last_id, last_place)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (project, ledger) DO UPDATE SET last_ts = excluded.last_ts,
  last_id = excluded.last_id, last_place = excluded.last_place

-- name: put_line
-- Keep a line; the same line twice is one line.
INSERT INTO ledger_lines (project, ledger, mark, place, id, rev, ts, reason, line)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (project, ledger, mark) DO NOTHING

-- name: drop_line
-- Forget one line. ?3 its mark.
DELETE FROM ledger_lines WHERE project = ?1 AND ledger = ?2 AND mark = ?3

-- name: held_marks
-- Which of some lines a ledger holds. ?3 an array of marks.
SELECT mark FROM ledger_lines WHERE project = ?1 AND ledger = ?2 AND mark = ANY(?3::bytea[])

-- name: held_ids
-- Which of some ids a ledger holds lines of. ?3 an array of ids.
SELECT DISTINCT id FROM ledger_lines
WHERE project = ?1 AND ledger = ?2 AND id = ANY(?3::text[]) AND reason = ''

-- name: lines
-- Lines of a ledger in the order in which they came. ?3 after this place, ?4 how many.
SELECT place, line FROM ledger_lines WHERE project = ?1 AND ledger = ?2 AND place > ?3
ORDER BY place LIMIT ?4

-- name: ledgers
-- Ledgers of a project that hold anything, with how many lines each has.
SELECT ledger, COUNT(*) FROM ledger_lines WHERE project = ?1 GROUP BY ledger ORDER BY ledger

-- name: lines_given
-- How many lines the ledgers of a project were ever given: more after every write by anybody.
SELECT COALESCE(SUM(last_place), 0) FROM ledger_heads WHERE project = ?1
