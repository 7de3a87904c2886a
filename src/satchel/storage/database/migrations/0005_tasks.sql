-- Tasks as The Foundation's table has them: found by `metadata ->> 'bead_id'`, one row for each.

-- Columns of the version before keep their places; The Foundation's names follow.
CREATE OR REPLACE VIEW tasks AS
SELECT p.project, p.id, p.body ->> 'title' AS title, p.body ->> 'status' AS status,
  p.body ->> 'parent' AS parent, p.body || jsonb_build_object('bead_id', p.id) AS metadata,
  to_timestamp(p.updated_at) AS updated_at, COALESCE(p.body ->> 'assignee', '') AS agent_id,
  p.body ->> 'title' AS name, p.body ->> 'description' AS description,
  p.body ->> 'lifecycle' AS lifecycle, CASE WHEN jsonb_typeof(p.body -> 'priority') = 'number'
    THEN (p.body ->> 'priority')::numeric END AS priority,
  p.body ->> 'created_at' AS created_at, p.body ->> 'started_at' AS started_at,
  p.body ->> 'closed_at' AS completed_at,
  CASE WHEN COALESCE(p.body ->> 'summary', '') <> ''
    THEN jsonb_build_object('summary', p.body ->> 'summary') END AS result,
  p.body ->> 'acceptance' AS acceptance_criteria
FROM published p WHERE p.subject = 'task';
