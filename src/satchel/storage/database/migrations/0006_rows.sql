-- Rows of tables, newest versions, as people declared them. `fields` holds their values by name:
-- amounts, decimals and days are texts, so that nothing is rounded.
CREATE VIEW table_rows AS
SELECT d.project, d.fields #>> '{data,table}' AS table_name, d.id, d.rev + 1 AS version,
  d.fields #> '{data,values}' AS fields, d.fields ->> 'agent' AS agent,
  to_timestamp(d.ts) AS updated_at
FROM live_documents d WHERE d.kind = 'row';

-- The Foundation's business tables by their names. `projects` is a view of the store already.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['leads', 'deals', 'outreach_log', 'campaigns', 'suppliers', 'products',
    'revenue', 'trading_positions', 'competitors', 'competitor_changes', 'scan_history', 'workflows',
    'handoffs'] LOOP
    EXECUTE format('CREATE VIEW %I AS SELECT project, id, version, fields, agent, updated_at '
      'FROM table_rows WHERE table_name = %L', name, name);
  END LOOP;
END $$;
