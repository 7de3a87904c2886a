-- name: file_stats
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
INSERT INTO edits (session, place, turn, at, asked, path, name, whole)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_line
-- Add a line of an edit.
INSERT INTO lines VALUES (?, ?, ?)

-- name: put_made
-- Add a commit that git told a session of.
INSERT INTO made VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: drop_lines
-- Forget the lines of a session.
DELETE FROM lines WHERE edit IN (SELECT number FROM edits WHERE session = ?)

-- name: wrote
-- Which calls wrote or removed lines. ?1 a JSON list of marks, ?2 the time until which.
SELECT l.mark, e.number, e.path, e.whole, s.session, s.client, e.turn, e.place, e.at, l.count,
  s.parent, e.asked
FROM lines l JOIN edits e ON e.number = l.edit JOIN sessions s ON s.number = e.session
WHERE l.mark IN (SELECT value FROM json_each(?1)) AND e.at <= ?2
ORDER BY e.at, e.number

-- name: sessions_printing
-- Sessions that git told of a commit by one of these ids. ?1 a JSON list.
SELECT * FROM commits_made WHERE ident IN (SELECT value FROM json_each(?1)) ORDER BY at

-- name: sessions_with_subject
-- Commits of a subject that sessions made within a time.
SELECT * FROM commits_made WHERE subject = ? AND at BETWEEN ? AND ? ORDER BY at

-- name: touched
-- Who wrote files of these names within a time. ?1 a JSON list of names.
SELECT e.path, s.session, s.client, e.turn, e.place, e.at, s.parent, e.asked
FROM edits e JOIN sessions s ON s.number = e.session
WHERE e.name IN (SELECT value FROM json_each(?1)) AND e.at BETWEEN ?2 AND ?3 ORDER BY e.at

-- name: spans
-- When sessions were, those that ended after a time and began before another.
SELECT session, client, branch, began, ended FROM sessions
WHERE ended >= ? AND began <= ? AND parent = ''

-- name: session_like
-- Sessions by id, or the beginning of it.
SELECT session, client, parent, branch, model, began, ended FROM sessions
WHERE session = ?1 OR session LIKE ?2 ESCAPE '\' ORDER BY session = ?1 DESC, began LIMIT 20

-- name: heard_like
-- Sessions that only hooks know of, by id or the beginning of it.
SELECT session, MAX(client), '', MAX(branch), '', MIN(at), MAX(at) FROM heard
WHERE session = ?1 OR session LIKE ?2 ESCAPE '\' GROUP BY session
ORDER BY session = ?1 DESC, MIN(at) LIMIT 20

-- name: put_hook_commits
-- Add a commit that a hook saw.
INSERT INTO heard VALUES (?, ?, ?, ?, ?, ?)

-- name: drop_heard
-- Forget what hooks saw.
DELETE FROM heard

-- name: prompt_before
-- The last prompt of a session before a time.
SELECT MAX(p.place) FROM prompts p JOIN sessions s ON s.number = p.session
WHERE s.session = ? AND p.at <= ?

-- name: counts
-- How much is known.
SELECT (SELECT COUNT(*) FROM sessions), (SELECT COUNT(*) FROM edits), (SELECT COUNT(*) FROM lines WHERE count > 0),
  (SELECT COUNT(*) FROM commits_made)

-- name: sessions_with_change
-- Commits of the same change that sessions made, with git's own times.
SELECT m.ident, m.subject, m.session, m.client, m.turn, m.place, c.at, m.parent, m.asked
FROM changes c JOIN commits_made m ON m.ident = c.ident
WHERE c.change = ? ORDER BY c.at

-- name: idents
-- Every commit that a session made, with its change as far as it was looked up.
SELECT m.ident, c.change FROM (SELECT ident FROM made UNION SELECT ident FROM heard) m
LEFT JOIN changes c ON c.ident = m.ident

-- name: put_change
-- Say what a commit changes.
INSERT OR REPLACE INTO changes VALUES (?, ?, ?)

-- name: drop_changes
-- Forget the changes of commits that no session made.
DELETE FROM changes
WHERE ident NOT IN (SELECT ident FROM made) AND ident NOT IN (SELECT ident FROM heard)
