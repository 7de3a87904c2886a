-- What clients publish of the things they own, and views under the names of The Foundation's tables.

-- `subject` is task, entity, relationship, conversation or message; `body` is as it was sent.
CREATE TABLE published (
  project text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  body jsonb NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (project, subject, id)
) PARTITION BY HASH (project);

DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF published FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
      'published_p' || part, part);
  END LOOP;
END $$;

-- Memories that hold now.
CREATE VIEW live_documents AS
SELECT * FROM documents WHERE NOT superseded AND NOT deleted
  AND (expires_at IS NULL OR expires_at > EXTRACT(epoch FROM now()));

CREATE VIEW preferences AS
SELECT d.project, d.id, COALESCE(d.fields ->> 'agent', '') AS agent, d.fields ->> 'key' AS key,
  d.content AS value, (SELECT COUNT(*) FROM documents v
    WHERE v.project = d.project AND v.identity = d.identity) AS version,
  to_timestamp(d.ts) AS updated_at
FROM live_documents d WHERE d.kind = 'preference';

-- Facts that were closed are here too: `valid_to` says until when they held.
CREATE VIEW facts AS
SELECT d.project, d.id, d.fields -> 'data' ->> 'subject' AS subject,
  d.fields -> 'data' ->> 'predicate' AS predicate, d.fields -> 'data' ->> 'object' AS object,
  d.content, (d.fields ->> 'confidence')::double precision AS confidence,
  to_timestamp((d.fields ->> 'valid_from')::bigint) AS valid_from,
  to_timestamp((d.fields ->> 'valid_to')::bigint) AS valid_to,
  d.fields ->> 'source' AS source, to_timestamp(d.ts) AS created_at
FROM documents d WHERE d.kind = 'fact' AND NOT d.superseded AND NOT d.deleted;

CREATE VIEW insights AS
SELECT d.project, d.id, d.fields ->> 'agent' AS agent, d.title, d.content,
  to_timestamp(d.expires_at) AS expires_at, to_timestamp(d.ts) AS created_at
FROM live_documents d WHERE d.kind = 'insight';

CREATE VIEW activities AS
SELECT d.project, d.id, d.fields ->> 'category' AS type, d.fields ->> 'agent' AS agent, d.title,
  d.content, d.fields -> 'data' AS data, to_timestamp(d.ts) AS created_at
FROM live_documents d WHERE d.kind = 'activity';

CREATE VIEW routing_decisions AS
SELECT d.project, d.id, d.fields ->> 'agent' AS agent, d.task, d.content,
  d.fields -> 'data' AS data, to_timestamp(d.ts) AS created_at
FROM live_documents d WHERE d.kind = 'routing_decision';

-- Heat: how much of the last 30 days' activity of the whole store is in a project, 0 to 10.
CREATE VIEW projects AS
SELECT h.project, h.name, h.status, h.documents AS memories,
  round(10 * COALESCE(r.recent::numeric / NULLIF(MAX(r.recent) OVER (), 0), 0), 1) AS heat,
  to_timestamp(r.newest) AS last_activity
FROM project_heads h LEFT JOIN LATERAL (
  SELECT COUNT(*) FILTER (WHERE d.ts > EXTRACT(epoch FROM now()) - 30 * 86400) AS recent,
    MAX(d.ts) AS newest FROM documents d WHERE d.project = h.project) r ON true;

CREATE VIEW tasks AS
SELECT p.project, p.id, p.body ->> 'title' AS title, p.body ->> 'status' AS status,
  p.body ->> 'parent' AS parent, p.body AS metadata, to_timestamp(p.updated_at) AS updated_at
FROM published p WHERE p.subject = 'task';

CREATE VIEW entities AS
SELECT p.project, p.id, p.body ->> 'name' AS name, p.body ->> 'type' AS entity_type,
  p.body ->> 'description' AS description, p.body -> 'attributes' AS attributes,
  to_timestamp(p.updated_at) AS updated_at
FROM published p WHERE p.subject = 'entity';

CREATE VIEW relationships AS
SELECT p.project, p.id, p.body ->> 'source' AS from_entity, p.body ->> 'target' AS to_entity,
  p.body ->> 'type' AS type, (p.body ->> 'weight')::double precision AS weight,
  p.body ->> 'description' AS description, to_timestamp(p.updated_at) AS updated_at
FROM published p WHERE p.subject = 'relationship';

-- Sessions that were published, and the episodes that were told of them.
CREATE VIEW conversations AS
SELECT p.project, p.id, p.body ->> 'agent' AS agent, p.body ->> 'title' AS title,
  p.body ->> 'summary' AS summary, to_timestamp(p.updated_at) AS updated_at
FROM published p WHERE p.subject = 'conversation'
UNION ALL
SELECT d.project, COALESCE(NULLIF(d.fields ->> 'session', ''), d.id), d.fields ->> 'agent', d.title,
  d.content, to_timestamp(d.ts)
FROM live_documents d WHERE d.kind = 'episode';

CREATE VIEW messages AS
SELECT p.project, p.id, p.body ->> 'conversation' AS conversation_id, p.body ->> 'role' AS role,
  p.body ->> 'content' AS content, p.body -> 'tool_calls' AS tool_calls,
  to_timestamp(p.updated_at) AS created_at
FROM published p WHERE p.subject = 'message';
