-- name: meta
-- One named value of a derived database.
SELECT value FROM meta WHERE name = ?

-- name: put_meta
-- Set a named value.
INSERT OR REPLACE INTO meta VALUES (?, ?)
