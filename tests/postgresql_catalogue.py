"""What the catalogue of a database says of Satchel's tables, as lines that can be compared."""

from typing import NamedTuple

from satchel.storage.database.postgresql import PostgresDatabase

_COLUMNS = """
SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
  || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
  || COALESCE(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
  || CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || l.collname ELSE '' END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation l ON l.oid = a.attcollation
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE n.nspname = 'satchel' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
"""
_INDEXES = """
SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'satchel' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
"""
_CONSTRAINTS = """
SELECT c.relname || ': ' || pg_get_constraintdef(o.oid) FROM pg_constraint o
JOIN pg_class c ON c.oid = o.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'satchel' AND NOT c.relispartition AND o.conparentid = 0 AND o.contype <> 'n'
"""
_PARTITIONS = """
SELECT p.relname || ' OF ' || c.relname || ' ' || pg_get_expr(p.relpartbound, p.oid)
FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid JOIN pg_class c ON c.oid = h.inhparent
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'satchel' AND c.relkind = 'p'
"""
_VIEWS = """
SELECT 'VIEW ' || viewname || ': ' || regexp_replace(definition, '\\s+', ' ', 'g')
FROM pg_views WHERE schemaname = 'satchel'
"""
_SEARCH = """
SELECT 'STEMS ' || m.maptokentype || ' ' || d.dictname || ' ' || d.dictinitoption
FROM pg_ts_config_map m JOIN pg_ts_dict d ON d.oid = m.mapdict
JOIN pg_ts_config c ON c.oid = m.mapcfg WHERE c.cfgname = 'stems'
"""
#: The roles are named after the database, so their names are cut.
_WALL = """
SELECT 'WALL ' || c.relname || ' ' || p.polcmd::text || ' ' || pg_get_expr(p.polqual, c.oid)
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
UNION ALL
SELECT 'GRANT ' || split_part(grantee, '_', 2) || ' ' || table_name || ': '
  || string_agg(privilege_type, ', ' ORDER BY privilege_type)
FROM information_schema.role_table_grants
WHERE table_schema = 'satchel' AND grantee LIKE 'satchel\\_%' GROUP BY grantee, table_name
UNION ALL
SELECT 'FUNCTION ' || proname || ': ' || regexp_replace(regexp_replace(
  pg_get_functiondef(oid), '(satchel_(reader|writer))_\\w+', '\\1', 'g'), '\\s+', ' ', 'g')
FROM pg_proc WHERE pronamespace = to_regnamespace('satchel') AND proname IN ('act', 'acting_for')
"""
#: Tables with a project, and what is wrong with the wall before each.
_WALLS = """
SELECT c.relname, concat_ws(', ',
  CASE WHEN NOT c.relrowsecurity THEN 'no row security' END,
  CASE WHEN (SELECT COUNT(*) FROM pg_policy p WHERE p.polrelid = c.oid
    AND p.polpermissive AND p.polcmd = '*') <> 1 THEN 'not one policy' END,
  (SELECT string_agg(h.inhrelid::regclass::text, ', ') FROM pg_inherits h
    JOIN pg_class x ON x.oid = h.inhrelid WHERE h.inhparent = c.oid
    AND (NOT x.relrowsecurity OR EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = x.oid))))
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project'
WHERE c.relnamespace = 'satchel'::regnamespace AND c.relkind IN ('r', 'p')
  AND NOT c.relispartition
ORDER BY 1
"""
_DISTRIBUTED = """
SELECT c.relname, CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) ELSE '' END,
  (SELECT COUNT(*) FROM pg_inherits h WHERE h.inhparent = c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'satchel' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
"""
#: Columns of every primary key, unique index and foreign key, in order.
_KEYS = """
SELECT c.relname, 'index ' || x.relname, ARRAY(SELECT pg_get_indexdef(i.indexrelid, k, true)
  FROM generate_series(1, i.indnkeyatts) k)
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'satchel' AND i.indisunique AND NOT c.relispartition
UNION ALL
SELECT c.relname, 'foreign key ' || o.conname, ARRAY(SELECT a.attname::text
  FROM unnest(o.conkey) WITH ORDINALITY k (num, place)
  JOIN pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = k.num ORDER BY k.place)
FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'satchel' AND o.contype = 'f' AND NOT c.relispartition
"""


class Key(NamedTuple):
    """A key of a table: what it is, and its columns in order."""

    table: str
    what: str
    columns: list[str]


def catalogue(database: PostgresDatabase) -> list[str]:
    """Every column, index, constraint, partition, view and stem, sorted."""
    parts = (_COLUMNS, _INDEXES, _CONSTRAINTS, _PARTITIONS, _VIEWS, _SEARCH, _WALL)
    return sorted(str(row[0]) for sql in parts for row in database.read(sql))


def partition_keys(database: PostgresDatabase) -> dict[str, tuple[str, int]]:
    """Each table with its partition key, "" for none, and how many partitions it has."""
    rows = database.read(_DISTRIBUTED)
    return {str(name): (str(key), int(parts or 0)) for name, key, parts in rows}


def walls(database: PostgresDatabase) -> dict[str, str]:
    """Each table with a project, and what is wrong with its second wall."""
    return {str(name): str(wrong) for name, wrong in database.read(_WALLS)}


def keys(database: PostgresDatabase) -> list[Key]:
    """Every primary key, unique index and foreign key."""
    return [Key(str(t), str(w), list(c)) for t, w, c in database.read(_KEYS)]  # type: ignore[arg-type]
