-- Documents that took the place of others are few; recall asks for them each time.
CREATE INDEX documents_replacing ON documents (project, ts, id, rev)
WHERE jsonb_exists(fields, 'supersedes');
