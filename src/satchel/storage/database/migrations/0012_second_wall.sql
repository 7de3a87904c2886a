-- A second wall behind the application's checks: a transaction says for which project it acts, and as
-- reader or writer, and sees and writes nothing else. See docs/decisions/0047-second-wall.md.

-- The project, or none. The sign in front tells a transaction that said nothing from the servers' own
-- name, which is empty.
CREATE FUNCTION satchel.acting_for() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN substr(NULLIF(current_setting('satchel.project', true), ''), 2);

-- Two roles for this database alone: whoever may enter another database of the server must not be
-- able to take on the roles of this one. Tables' owner is not bound by policies, so nothing is done
-- as the owner but what docs/postgresql.md names. A partition, asked by its own name, has no policy.
DO $$
DECLARE
  reader text := ('satchel_reader_' || current_database())::name;
  writer text := ('satchel_writer_' || current_database())::name;
  one text;
  part record;
BEGIN
  FOREACH one IN ARRAY ARRAY[reader, writer] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = one) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', one);
      END IF;
      IF NOT pg_has_role(one, 'USAGE') THEN
        EXECUTE format('GRANT %I TO CURRENT_USER', one);
      END IF;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL; -- made for a database of the same name
      WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING MESSAGE = format('an administrator has to say first: '
          'CREATE ROLE %1$I NOLOGIN; CREATE ROLE %2$I NOLOGIN; GRANT %1$I, %2$I TO %3$I',
          reader, writer, current_user);
    END;
    EXECUTE format('GRANT USAGE ON SCHEMA satchel TO %I', one);
    EXECUTE format('GRANT SELECT ON satchel.migrations TO %I', one);
    -- Who reads notes the model that they ask with; it says nothing of a project.
    EXECUTE format('GRANT SELECT, INSERT ON satchel.models TO %I', one);
  END LOOP;
  FOR part IN SELECT c.relname, c.relispartition FROM pg_class c
    WHERE c.relnamespace = 'satchel'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname NOT IN ('migrations', 'models') LOOP
    EXECUTE format('ALTER TABLE satchel.%I ENABLE ROW LEVEL SECURITY', part.relname);
    IF current_setting('server_version_num')::int >= 170000 THEN
      EXECUTE format('GRANT MAINTAIN ON satchel.%I TO %I', part.relname, writer);
    END IF;
    CONTINUE WHEN part.relispartition;
    EXECUTE format('CREATE POLICY second_wall ON satchel.%I USING (project = satchel.acting_for())',
      part.relname);
    EXECUTE format('GRANT SELECT ON satchel.%I TO %I, %I', part.relname, reader, writer);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON satchel.%I TO %I', part.relname, writer);
  END LOOP;
  EXECUTE format($act$
    CREATE FUNCTION satchel.act(project text, writes boolean) RETURNS void LANGUAGE plpgsql AS $body$
    BEGIN
      PERFORM set_config('satchel.project', '=' || project, true),
        set_config('role', CASE WHEN writes THEN %L ELSE %L END, true);
    END $body$ $act$, writer, reader);
  -- Behind a policy no index of words is read, since its operator could tell of hidden rows; behind
  -- the condition of this view it is. It is the owner's, and so its condition is the whole wall.
  CREATE VIEW searched AS SELECT * FROM documents WHERE project = satchel.acting_for();
  EXECUTE format('GRANT SELECT ON searched TO %I, %I', reader, writer);
END $$;
