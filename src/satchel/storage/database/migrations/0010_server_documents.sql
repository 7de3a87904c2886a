-- What servers keep for a while: answers by idempotency key, browser sessions, links that sign in.
-- `id` is a hash. `holder` is who does the request, and `touched_at` when it last gave a sign of life;
-- an answer without `body` is still being made. Times are this database's own.

CREATE TABLE server_documents (
  project text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  holder text NOT NULL DEFAULT '',
  mark text NOT NULL DEFAULT '',
  body bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project, subject, id)
) PARTITION BY HASH (project);

DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF server_documents FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
      'server_documents_p' || part, part);
  END LOOP;
END $$;

CREATE INDEX server_documents_by_end ON server_documents (project, expires_at);

-- The servers' own lines lie under a name that no project has: it is none of the projects.
CREATE OR REPLACE VIEW projects AS
SELECT h.project, h.name, h.status, h.documents AS memories,
  round(10 * COALESCE(r.recent::numeric / NULLIF(MAX(r.recent) OVER (), 0), 0), 1) AS heat,
  to_timestamp(r.newest) AS last_activity
FROM project_heads h LEFT JOIN LATERAL (
  SELECT COUNT(*) FILTER (WHERE d.ts > EXTRACT(epoch FROM now()) - 30 * 86400) AS recent,
    MAX(d.ts) AS newest FROM documents d WHERE d.project = h.project) r ON true
WHERE h.project <> '';
