-- name: marks
-- What is known of every file: path, stamp, hash, warning.
SELECT path, stamp, hash, warning FROM files

-- name: marks_of
-- The same of some files. ?1 a JSON list of paths.
SELECT path, stamp, hash, warning FROM files WHERE path IN (SELECT value FROM json_each(?1))

-- name: number_of
-- Number of a file.
SELECT number FROM files WHERE path = ?

-- name: put_file
-- Add a file.
INSERT INTO files (path, role, language, size, lines, stamp, hash, warning)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_stamp
-- A file has another status, but the bytes that are known.
UPDATE files SET stamp = ?2 WHERE path = ?1

-- name: put_symbol
-- Add a definition.
INSERT INTO symbols (file, name, kind, line, end_line, signature, documentation, parent)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_use
-- Add a name that a file uses.
INSERT OR REPLACE INTO uses VALUES (?, ?, ?, ?, ?)

-- name: put_import
-- Add something that a file imports.
INSERT OR REPLACE INTO imports VALUES (?, ?)

-- name: put_symbol_words
-- Index a definition: ?1 its number, ?2 words of its name, ?3 of its documentation.
INSERT INTO symbol_words (rowid, name, about) VALUES (?, ?, ?)

-- name: drop_symbol_words
-- Take the definitions of a file out of their index.
DELETE FROM symbol_words WHERE rowid IN (SELECT number FROM symbols WHERE file = ?)

-- name: files
-- Every file.
SELECT number, path, role, language, size, lines, stamp, hash, warning FROM files ORDER BY path

-- name: files_at
-- Files whose path ends so: ?1 the path, ?2 a pattern of LIKE for paths that end in it.
SELECT number, path FROM files WHERE path = ?1 OR path LIKE ?2 ESCAPE '\' LIMIT 50

-- name: count_files
-- How many files there are of each role and language, with their lines and bytes.
SELECT role, language, COUNT(*), SUM(lines), SUM(size) FROM files GROUP BY 1, 2 ORDER BY 3 DESC

-- name: count_symbols
-- How many symbols there are of each kind.
SELECT kind, COUNT(*) FROM symbols GROUP BY 1 ORDER BY 2 DESC

-- name: count_uses
-- How many names are used, and how many commits are known.
SELECT (SELECT COUNT(*) FROM uses), (SELECT COUNT(*) FROM commits), (SELECT COUNT(*) FROM files)

-- name: warnings
-- What was wrong with files, and with how many.
SELECT warning, COUNT(*) FROM files WHERE warning <> '' GROUP BY 1 ORDER BY 2 DESC

-- name: symbols_of
-- Definitions of one file in the order of its text.
SELECT s.name, s.kind, s.line, s.end_line, s.signature, s.documentation, s.parent
FROM symbols s JOIN files f ON f.number = s.file WHERE f.path = ? ORDER BY s.line, s.end_line DESC

-- name: symbols_in
-- Definitions of some files. ?1 a JSON list of numbers of files.
SELECT s.file, s.name, s.kind, s.line, s.end_line, s.signature, s.documentation, s.parent, s.number
FROM symbols s WHERE s.file IN (SELECT value FROM json_each(?1)) ORDER BY s.file, s.line

-- name: symbols_named
-- Definitions of some names. ?1 a JSON list of names.
SELECT s.file, s.name, s.kind, s.line, s.end_line, s.signature, s.documentation, s.parent, s.number
FROM symbols s WHERE s.name IN (SELECT value FROM json_each(?1)) LIMIT 2000

-- name: symbols_numbered
-- Some definitions. ?1 a JSON list of their numbers.
SELECT s.file, s.name, s.kind, s.line, s.end_line, s.signature, s.documentation, s.parent, s.number
FROM symbols s WHERE s.number IN (SELECT value FROM json_each(?1))

-- name: match_path_words
-- Files by the words of their paths, best first. ?1 query, ?2 how many.
SELECT rowid, -rank FROM path_words WHERE path_words MATCH ?1 ORDER BY rank LIMIT ?2

-- name: match_name_words
-- Files by the names that they define.
SELECT rowid, -rank FROM name_words WHERE name_words MATCH ?1 ORDER BY rank LIMIT ?2

-- name: match_text_words
-- Files by their text.
SELECT rowid, -rank FROM text_words WHERE text_words MATCH ?1 ORDER BY rank LIMIT ?2

-- name: match_symbol_words
-- Definitions by their names and documentation.
SELECT rowid, -rank FROM symbol_words WHERE symbol_words MATCH ?1 ORDER BY rank LIMIT ?2

-- name: match_commit_words
-- Past commits by their messages.
SELECT rowid, -rank FROM commit_words WHERE commit_words MATCH ?1 ORDER BY rank LIMIT ?2

-- name: put_code
-- Add the code of a file.
INSERT OR REPLACE INTO codes VALUES (?, ?)

-- name: codes
-- Every code.
SELECT file, code FROM codes

-- name: forget_bytes
-- Let every file be read again: what is made of them has changed.
UPDATE files SET stamp = '', hash = ''

-- name: definers
-- In how many files names are defined. ?1 a JSON list of names.
SELECT name, COUNT(DISTINCT file) FROM symbols WHERE name IN (SELECT value FROM json_each(?1))
GROUP BY name

-- name: uses_of
-- Names that some files use and others define. ?1 a JSON list of numbers of files.
SELECT u.file, s.file, u.name, u.kind, u.count FROM uses u
JOIN symbols s ON s.name = u.name AND s.kind <> 'route'
WHERE u.file IN (SELECT value FROM json_each(?1)) AND s.file <> u.file
GROUP BY u.file, s.file, u.name

-- name: users_of
-- Files that use names which some files define. ?1 a JSON list of numbers of files, ?2 of names.
SELECT u.file, s.file, u.name, u.kind, u.count FROM symbols s
JOIN uses u ON u.name = s.name
WHERE s.file IN (SELECT value FROM json_each(?1)) AND s.name IN (SELECT value FROM json_each(?2))
  AND s.file <> u.file AND s.kind <> 'route'
GROUP BY u.file, s.file, u.name

-- name: names_in
-- Names that some files define, each with the number of files that use it. ?1 a JSON list.
SELECT s.name, (SELECT COUNT(*) FROM uses u WHERE u.name = s.name) FROM symbols s
WHERE s.file IN (SELECT value FROM json_each(?1)) GROUP BY s.name

-- name: users_named
-- Files that use a name.
SELECT f.path, u.kind, u.count, u.line FROM uses u JOIN files f ON f.number = u.file
WHERE u.name = ?1 ORDER BY u.count DESC, f.path LIMIT ?2

-- name: every_link
-- Every pair of files where one uses what the other defines.
SELECT u.file, s.file, u.name, u.kind, u.count FROM uses u JOIN symbols s ON s.name = u.name
WHERE s.file <> u.file AND s.kind <> 'route' GROUP BY u.file, s.file, u.name

-- name: imports
-- Everything that is imported, by number of the file.
SELECT file, target FROM imports

-- name: names_used
-- Names that a file uses.
SELECT name FROM uses WHERE file = ?

-- name: with_hash
-- Files that have these bytes.
SELECT path FROM files WHERE hash = ? ORDER BY path

-- name: commit_rows
-- Known commits.
SELECT number, sha, time, place, width FROM commits ORDER BY place

-- name: put_commit
-- Add a commit.
INSERT INTO commits (sha, time, place, width) VALUES (?, ?, ?, ?)

-- name: put_place
-- A commit stands elsewhere in the order of ancestors.
UPDATE commits SET place = ?2 WHERE sha = ?1

-- name: put_touched
-- A commit touched a file.
INSERT OR IGNORE INTO touched VALUES (?, ?)

-- name: put_rename
-- A commit gave a file another path.
INSERT OR IGNORE INTO renames VALUES (?, ?, ?)

-- name: put_commit_words
-- Index what a commit says.
INSERT INTO commit_words (rowid, words) VALUES (?, ?)

-- name: renames
-- Every renaming, oldest first.
SELECT r.old, r.new FROM renames r JOIN commits c ON c.number = r.commit_number
ORDER BY c.place DESC

-- name: touched_by
-- Files that some commits touched. ?1 a JSON list of numbers of commits.
SELECT commit_number, path FROM touched
WHERE commit_number IN (SELECT value FROM json_each(?1))

-- name: changes
-- Every change to a file by a commit that is not too wide. ?1 the widest.
SELECT t.path, c.place, c.width, c.number FROM touched t JOIN commits c ON c.number = t.commit_number
WHERE c.width <= ?1
