-- name: hashes
-- Every text with the hash of what was drawn from it. ?1 and ?2 bound the ids.
SELECT id, hash FROM passages WHERE id >= ?1 AND id < ?2

-- name: put_passage
-- Add a text.
INSERT INTO passages (id, hash, origin, title, content, source, agent, ts, valid_from, valid_to,
  seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_words
-- Index the words of one text.
INSERT INTO words (rowid, title, content) SELECT number, title, content FROM passages
WHERE number = ?

-- name: drop_words
-- Take a text out of the word index. It must still stand in `passages`.
INSERT INTO words (words, rowid, title, content)
SELECT 'delete', number, title, content FROM passages WHERE number = ?

-- name: put_mention
-- Note that a text names an entity.
INSERT OR REPLACE INTO mentions VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_statement
-- Note that a text states a relation.
INSERT OR REPLACE INTO statements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: passage_number
-- Number of a text.
SELECT number FROM passages WHERE id = ?

-- name: keys_in
-- Entities that a text names or relates.
SELECT key FROM mentions WHERE passage = ?1
UNION SELECT source FROM statements WHERE passage = ?1
UNION SELECT target FROM statements WHERE passage = ?1

-- name: put_operation
-- Keep an operation; a later version takes the place of an earlier one.
INSERT INTO operations VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (id) DO UPDATE SET ts = ?2, rev = ?3, name = ?4, data = ?5 WHERE ?3 >= rev

-- name: operations
-- Every operation that changes what is drawn.
SELECT id, ts, rev, name, data FROM operations ORDER BY ts, id, rev

-- name: mentions_of
-- Who names the entities {keys}, oldest first.
SELECT m.key, m.name, m.type, m.description, m.aliases, m.attributes, m.plain, p.ts, p.id,
  p.origin
FROM mentions m JOIN passages p ON p.number = m.passage {keys} ORDER BY p.ts, p.id, m.key

-- name: statements_of
-- Who states relations of the entities {keys}, oldest first.
SELECT s.source, s.type, s.target, s.weight, s.description, s.valid_from, s.valid_to, s.seen, p.id,
  s.listed
FROM statements s JOIN passages p ON p.number = s.passage {keys}
ORDER BY s.seen, p.id, s.source, s.type, s.target

-- name: put_entity
-- Put an entity as it stands now.
INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_relation
-- Put a relation as it stands now.
INSERT OR REPLACE INTO relations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: entity_columns
-- Columns of an entity, as `_entity` reads them.
e.key, e.name, e.type, e.description, e.aliases, e.attributes, e.mentions, e.first_seen,
e.last_seen, e.listed, e.hidden, e.seal, COALESCE(s.importance, 0.0), COALESCE(s.community, -1)

-- name: entity
-- One visible entity.
SELECT {columns} FROM entities e LEFT JOIN standing s USING (key) WHERE e.key = ? AND hidden = 0

-- name: names_among
-- Names of the visible entities {keys}.
SELECT key, name FROM entities WHERE hidden = 0 AND key IN ({keys})

-- name: aliased
-- Visible entities whose aliases hold a text.
SELECT {columns} FROM entities e LEFT JOIN standing s USING (key)
WHERE e.hidden = 0 AND instr(lower(e.aliases), lower(?)) > 0 ORDER BY e.key

-- name: entities
-- Visible entities, most important first. ?1 type or '', ?2 part of a name, ?3 limit, ?4 part of
-- a description or an alias, or ''.
SELECT {columns} FROM entities e LEFT JOIN standing s USING (key)
WHERE e.hidden = 0 AND (?1 = '' OR e.type = ?1) AND (?2 = '' OR instr(e.key, ?2) > 0
  OR (?4 <> '' AND instr(lower(e.description || ' ' || e.aliases), ?4) > 0))
ORDER BY (?2 <> '' AND e.key = ?2) DESC, COALESCE(s.importance, 0.0) DESC, e.mentions DESC, e.key LIMIT ?3

-- name: relation_columns
-- Columns of a relation, as `_relation` reads them.
r.source, r.type, r.target, r.weight, r.description, r.valid_from, r.valid_to, r.first_seen,
r.last_seen, r.reinforcements, r.listed, r.hidden, r.seal, a.name, b.name

-- name: relations_of
-- Visible relations that touch one entity, strongest first. ?1 key, ?2 limit.
SELECT {columns} FROM relations r JOIN entities a ON a.key = r.source
JOIN entities b ON b.key = r.target
WHERE (r.source = ?1 OR r.target = ?1) AND r.hidden = 0 AND a.hidden = 0 AND b.hidden = 0
ORDER BY r.weight DESC, r.last_seen DESC, r.source, r.type, r.target LIMIT ?2

-- name: relations
-- Every visible relation. ?1 limit.
SELECT {columns} FROM relations r JOIN entities a ON a.key = r.source
JOIN entities b ON b.key = r.target
WHERE r.hidden = 0 AND a.hidden = 0 AND b.hidden = 0
ORDER BY r.source, r.type, r.target LIMIT ?1

-- name: relations_like
-- Visible relations with an end whose name holds ?1, strongest first. ?2 limit.
SELECT {columns} FROM relations r JOIN entities a ON a.key = r.source
JOIN entities b ON b.key = r.target
WHERE (instr(a.key, ?1) > 0 OR instr(b.key, ?1) > 0)
  AND r.hidden = 0 AND a.hidden = 0 AND b.hidden = 0
ORDER BY r.weight DESC, r.last_seen DESC, r.source, r.type, r.target LIMIT ?2

-- name: passages_like
-- Texts that hold a string, newest first. ?1 limit, ?2 string in lower case, ?3 now.
SELECT {columns} FROM passages p
WHERE instr(lower(p.title || ' ' || p.content), ?2) > 0
  AND (p.valid_to IS NULL OR p.valid_to > ?3) ORDER BY p.ts DESC, p.id LIMIT ?1

-- name: pruned
-- How many relations and entities are hidden.
SELECT (SELECT COUNT(*) FROM relations WHERE hidden = 1), (SELECT COUNT(*) FROM entities
  WHERE hidden = 1)

-- name: counts
-- How many texts, entities, relations, communities there are.
SELECT (SELECT COUNT(*) FROM passages), (SELECT COUNT(*) FROM entities WHERE hidden = 0),
  (SELECT COUNT(*) FROM relations WHERE hidden = 0), (SELECT COUNT(*) FROM clusters)

-- name: counts_by
-- How many visible entities and relations there are of each type.
SELECT 'entity', type, COUNT(*) FROM entities WHERE hidden = 0 GROUP BY type
UNION ALL SELECT 'relation', type, COUNT(*) FROM relations WHERE hidden = 0 GROUP BY type
ORDER BY 1, 3 DESC, 2

-- name: passage_columns
-- Columns of a text, as `_memory` reads them.
p.id, p.content, p.origin, p.title, p.source, p.agent, p.ts, p.valid_from, p.valid_to, p.seal,
p.number

-- name: passages_with
-- Texts that name an entity, newest first. ?1 limit.
SELECT DISTINCT {columns} FROM passages p JOIN mentions m ON m.passage = p.number {keys}
ORDER BY p.ts DESC, p.id LIMIT ?1

-- name: passage
-- One text.
SELECT {columns} FROM passages p WHERE p.id = ?

-- name: titled
-- Title and content of texts. ?1 and ?2 bound the ids.
SELECT id, title, content FROM passages WHERE id >= ?1 AND id < ?2

-- name: named_by
-- Entities that a text names, as the text spells them.
SELECT name FROM mentions WHERE passage = ? ORDER BY key

-- name: match
-- Texts that hold the words, best first. ?1 query, ?2 limit, ?3 now.
SELECT {columns}, f.score FROM
  (SELECT rowid AS number, rank AS score FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT ?2) f
JOIN passages p USING (number)
WHERE p.valid_to IS NULL OR p.valid_to > ?3 ORDER BY f.score, p.ts DESC, p.id

-- name: mention_count
-- How many mentions there are.
SELECT COUNT(*) FROM mentions

-- name: all_named
-- Which text names what.
SELECT p.id, m.key FROM mentions m JOIN passages p ON p.number = m.passage ORDER BY p.id, m.key

-- name: named_near
-- Which of the texts {ids} names what.
SELECT p.id, m.key FROM mentions m JOIN passages p ON p.number = m.passage
WHERE p.id IN ({ids}) ORDER BY p.id, m.key

-- name: texts_near
-- Texts that name any of the entities {ids}.
SELECT DISTINCT p.id FROM mentions m JOIN passages p ON p.number = m.passage
WHERE m.key IN ({ids}) ORDER BY p.ts DESC, p.id LIMIT ?1

-- name: all_stated
-- Which text relates what.
SELECT p.id, s.source, s.type, s.target FROM statements s
JOIN passages p ON p.number = s.passage ORDER BY p.id, s.source, s.type, s.target

-- name: stated_near
-- What the texts {ids} relate.
SELECT p.id, s.source, s.type, s.target FROM statements s
JOIN passages p ON p.number = s.passage WHERE p.id IN ({ids})
ORDER BY p.id, s.source, s.type, s.target

-- name: together
-- Pairs of entities without a relation that the same texts name, at least ?1 times, where one
-- text does not name more than ?2.
WITH small AS (SELECT passage FROM mentions GROUP BY passage HAVING COUNT(*) <= ?2)
SELECT a.key, b.key, COUNT(*) AS times FROM mentions a JOIN mentions b
  ON b.passage = a.passage AND b.key > a.key
WHERE a.passage IN (SELECT passage FROM small) GROUP BY a.key, b.key HAVING times >= ?1

-- name: put_standing
-- Importance and community of an entity.
INSERT OR REPLACE INTO standing VALUES (?, ?, ?)

-- name: put_cluster
-- A community with its report.
INSERT INTO clusters VALUES (?, ?, ?, ?, ?, ?)

-- name: clusters
-- Every community.
SELECT number, level, parent, title, report, members FROM clusters ORDER BY number
