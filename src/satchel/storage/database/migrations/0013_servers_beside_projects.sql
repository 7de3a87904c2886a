-- usable from: 12
-- Servers keep what they know of a project (suggestions, what agents were shown, sessions) beside it,
-- under its name and a suffix: that is none of the projects either.
CREATE OR REPLACE VIEW projects AS
SELECT h.project, h.name, h.status, h.documents AS memories,
  round(10 * COALESCE(r.recent::numeric / NULLIF(MAX(r.recent) OVER (), 0), 0), 1) AS heat,
  to_timestamp(r.newest) AS last_activity
FROM project_heads h LEFT JOIN LATERAL (
  SELECT COUNT(*) FILTER (WHERE d.ts > EXTRACT(epoch FROM now()) - 30 * 86400) AS recent,
    MAX(d.ts) AS newest FROM documents d WHERE d.project = h.project) r ON true
WHERE h.project <> '' AND h.project NOT LIKE '%/servers';
