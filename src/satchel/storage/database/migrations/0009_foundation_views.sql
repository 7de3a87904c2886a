-- The Foundation's columns: what an activity is, when a conversation began and a message was said.

CREATE OR REPLACE VIEW activities AS
SELECT d.project, d.id, COALESCE(NULLIF(d.fields ->> 'category', ''),
    NULLIF(d.fields -> 'data' ->> 'event', ''), NULLIF(d.fields -> 'data' ->> 'type', ''),
    'activity') AS type, d.fields ->> 'agent' AS agent, d.title,
  d.content, d.fields -> 'data' AS data, to_timestamp(d.ts) AS created_at
FROM live_documents d WHERE d.kind = 'activity';

CREATE OR REPLACE VIEW conversations AS
SELECT p.project, p.id, p.body ->> 'agent' AS agent, p.body ->> 'title' AS title,
  p.body ->> 'summary' AS summary, to_timestamp(p.updated_at) AS updated_at,
  p.body ->> 'status' AS status, to_timestamp((p.body ->> 'at')::double precision) AS created_at
FROM published p WHERE p.subject = 'conversation'
UNION ALL
SELECT d.project, COALESCE(NULLIF(d.fields ->> 'session', ''), d.id), d.fields ->> 'agent', d.title,
  d.content, to_timestamp(d.ts), 'episode', to_timestamp(d.ts)
FROM live_documents d WHERE d.kind = 'episode';

CREATE OR REPLACE VIEW messages AS
SELECT p.project, p.id, p.body ->> 'conversation' AS conversation_id, p.body ->> 'role' AS role,
  p.body ->> 'content' AS content, p.body -> 'tool_calls' AS tool_calls,
  to_timestamp(COALESCE((p.body ->> 'at')::double precision, p.updated_at)) AS created_at
FROM published p WHERE p.subject = 'message';
