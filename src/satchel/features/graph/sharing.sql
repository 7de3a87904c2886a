-- name: passages
-- Every text that the graph is drawn from.
SELECT number, id FROM passages

-- name: mentions
-- What some texts name. ?1 a JSON list of their numbers.
SELECT m.name, m.type, m.description, m.attributes FROM json_each(?1) j
JOIN mentions m ON m.passage = j.value ORDER BY m.key, m.passage

-- name: statements
-- What some texts state. ?1 a JSON list of their numbers.
SELECT s.source, s.type, s.target, s.weight, s.description FROM json_each(?1) j
JOIN statements s ON s.passage = j.value ORDER BY s.source, s.type, s.target, s.passage
