-- name: put_issue
-- One task as it stands.
INSERT INTO issues (id, status, ready, since, priority, created, updated, kind, assignee, parent,
  stage, held, needs, needed, data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)

-- name: put_link
-- One dependency.
INSERT OR IGNORE INTO links (source, target, kind) VALUES (?1, ?2, ?3)

-- name: ready
-- What can be begun at ?1. ?2 what to sort by, ?3 how many. Then the filters: ?4 priority or -1,
-- ?5 assignee, ?6 1 for what nobody has, ?7 labels as a JSON list, ?8 type, ?9 above it.
SELECT id, stage, held, parent, data, since, needs, needed
FROM issues
WHERE ready = 1 AND since <= ?1
  AND (?4 < 0 OR priority = ?4)
  AND (?5 = '' OR assignee = ?5) AND (?6 = 0 OR assignee = '')
  AND (?7 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?7) AS wanted WHERE wanted.value NOT IN
    (SELECT value FROM json_each(issues.data, '$.labels'))))
  AND (?8 = '' OR kind = ?8)
  AND (?9 = '' OR id IN (WITH RECURSIVE below (id) AS (SELECT i.id FROM issues AS i WHERE
    i.parent = ?9 UNION SELECT i.id FROM issues AS i JOIN below ON i.parent = below.id)
    SELECT id FROM below))
ORDER BY
  CASE ?2 WHEN 'hybrid' THEN created < ?1 - 172800 END,
  CASE WHEN ?2 = 'priority' OR (?2 = 'hybrid' AND created >= ?1 - 172800) THEN priority END,
  created, id
LIMIT ?3

-- name: ready_by_priority
-- The first ?2 that can be begun at ?1, unfiltered: read straight off the index.
SELECT id, stage, held, parent, data, since, needs, needed
FROM issues WHERE ready = 1 AND since <= ?1 ORDER BY priority, created, id LIMIT ?2

-- name: listed
-- Tasks by state and more. ?1 states as a JSON list, [] for every; ?2 how many. Then the filters:
-- ?3 priority or -1, ?4 assignee, ?5 1 for what nobody has, ?6 labels, ?7 type, ?8 above it,
-- ?9 words of its title in lower case, ?10 changed since.
SELECT id, stage, held, parent, data, since, needs, needed
FROM issues
WHERE (?1 = '[]' OR status IN (SELECT value FROM json_each(?1)))
  AND (?3 < 0 OR priority = ?3)
  AND (?4 = '' OR assignee = ?4) AND (?5 = 0 OR assignee = '')
  AND (?6 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?6) AS wanted WHERE wanted.value NOT IN
    (SELECT value FROM json_each(issues.data, '$.labels'))))
  AND (?7 = '' OR kind = ?7)
  AND (?8 = '' OR id IN (WITH RECURSIVE below (id) AS (SELECT i.id FROM issues AS i WHERE
    i.parent = ?8 UNION SELECT i.id FROM issues AS i JOIN below ON i.parent = below.id)
    SELECT id FROM below))
  AND (?9 = '' OR instr(lower(json_extract(data, '$.title')), ?9) > 0)
  AND updated >= ?10
ORDER BY priority, created, id LIMIT ?2

-- name: one
-- One task by its id.
SELECT id, stage, held, parent, data, since, needs, needed
FROM issues WHERE id = ?1

-- name: ids
-- The id of every task.
SELECT id FROM issues

-- name: needs
-- What a task depends on, as far as it is here.
SELECT k.target, k.kind, i.data FROM links k JOIN issues i ON i.id = k.target WHERE k.source = ?1
ORDER BY k.kind, i.priority, k.target

-- name: needed_by
-- What depends on a task.
SELECT k.source, k.kind, i.data FROM links k JOIN issues i ON i.id = k.source WHERE k.target = ?1
ORDER BY k.kind, i.priority, k.source

-- name: stages
-- How many tasks stand at each stage at ?1: what is ready only later counts as preflight.
SELECT CASE WHEN ready = 1 AND since > ?1 THEN 'preflight' ELSE stage END, COUNT(*) FROM issues
GROUP BY 1

-- name: children
-- The children of an epic: how many there are, and how many are done.
SELECT COUNT(*), COALESCE(SUM(status = 'closed'), 0) FROM issues WHERE parent = ?1
