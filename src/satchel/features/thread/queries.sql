-- name: meta
-- One named value.
SELECT value FROM meta WHERE name = ?

-- name: put_meta
-- Set a named value.
INSERT OR REPLACE INTO meta VALUES (?, ?)

-- name: stamps
-- Which files of the archive were read, and how they stood.
SELECT source, stamp FROM sessions

-- name: number_of
-- The number of a file's session.
SELECT number FROM sessions WHERE source = ?

-- name: put_session
-- Add a session.
INSERT INTO sessions (source, stamp, session, client, parent, branch, model, began, ended)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_prompt
-- Add a turn in which a person asked for something.
INSERT INTO prompts VALUES (?, ?, ?, ?)

-- name: put_edit
-- Add what one call wrote.
INSERT INTO edits (session, place, turn, at, path, name, whole) VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: put_line
-- Add a line of an edit.
INSERT OR IGNORE INTO lines VALUES (?, ?)

-- name: put_made
-- Add a commit that git told a session of.
INSERT INTO made VALUES (?, ?, ?, ?, ?, ?)

-- name: drop_lines
-- Forget the lines of a session.
DELETE FROM lines WHERE edit IN (SELECT number FROM edits WHERE session = ?)

-- name: wrote
-- Which calls wrote lines. ?1 a JSON list of marks, ?2 the time until which.
SELECT l.mark, e.number, e.path, e.whole, s.session, s.client, e.turn, e.place, e.at, s.parent
FROM lines l JOIN edits e ON e.number = l.edit JOIN sessions s ON s.number = e.session
WHERE l.mark IN (SELECT value FROM json_each(?1)) AND e.at <= ?2
ORDER BY e.at, e.number

-- name: made_as
-- Sessions that git told of a commit by one of these ids. ?1 a JSON list.
SELECT m.ident, m.subject, s.session, s.client, m.turn, m.place, m.at, s.parent
FROM made m JOIN sessions s ON s.number = m.session
WHERE m.ident IN (SELECT value FROM json_each(?1)) ORDER BY m.at

-- name: made_with
-- Commits of a subject that sessions made within a time.
SELECT m.ident, m.subject, s.session, s.client, m.turn, m.place, m.at, s.parent
FROM made m JOIN sessions s ON s.number = m.session
WHERE m.subject = ? AND m.at BETWEEN ? AND ? ORDER BY m.at

-- name: made_by
-- Commits that one session made.
SELECT m.ident, m.subject, s.session, s.client, m.turn, m.place, m.at, s.parent
FROM made m JOIN sessions s ON s.number = m.session
WHERE ?1 IN (s.session, s.parent) ORDER BY m.at

-- name: touched
-- Who wrote files of these names within a time. ?1 a JSON list of names.
SELECT e.path, s.session, s.client, e.turn, e.place, e.at, s.parent
FROM edits e JOIN sessions s ON s.number = e.session
WHERE e.name IN (SELECT value FROM json_each(?1)) AND e.at BETWEEN ?2 AND ?3 ORDER BY e.at

-- name: files_of
-- What one session wrote: paths, with the first and the last time.
SELECT e.path, MIN(e.at), MAX(e.at)
FROM edits e JOIN sessions s ON s.number = e.session
WHERE ?1 IN (s.session, s.parent) GROUP BY e.path

-- name: spans
-- When sessions were, those that ended after a time and began before another.
SELECT session, client, branch, began, ended FROM sessions
WHERE ended >= ? AND began <= ? AND parent = ''

-- name: session_like
-- Sessions by id, or the beginning of it.
SELECT session, client, parent, branch, model, began, ended FROM sessions
WHERE session = ?1 OR session LIKE ?2 ESCAPE '\' ORDER BY session = ?1 DESC, began LIMIT 20

-- name: children
-- Subagents of a session.
SELECT session FROM sessions WHERE parent = ?

-- name: prompt_before
-- The last prompt of a session before a time.
SELECT MAX(p.place) FROM prompts p JOIN sessions s ON s.number = p.session
WHERE s.session = ? AND p.at <= ?

-- name: counts
-- How much is known.
SELECT (SELECT COUNT(*) FROM sessions), (SELECT COUNT(*) FROM edits), (SELECT COUNT(*) FROM lines),
  (SELECT COUNT(*) FROM made)

-- name: made_same
-- Commits of the same change that sessions made.
SELECT m.ident, m.subject, s.session, s.client, m.turn, m.place, m.at, s.parent
FROM changes c JOIN made m ON m.ident = c.ident JOIN sessions s ON s.number = m.session
WHERE c.change = ? ORDER BY m.at

-- name: idents
-- Every commit that a session made, with its change as far as it was looked up.
SELECT DISTINCT m.ident, c.change FROM made m LEFT JOIN changes c ON c.ident = m.ident

-- name: put_change
-- Say what a commit changes.
INSERT OR REPLACE INTO changes VALUES (?, ?)

-- name: drop_changes
-- Forget the changes of commits that no session made.
DELETE FROM changes WHERE ident NOT IN (SELECT ident FROM made)
