import { openNewDb, useDb } from '@svc/testkit/service/stores/open-db.ts';
import { expect, it } from 'vitest';

const store = useDb(openNewDb);

it('numbers rows with eight bytes, and so does everything that refers to them', async () => {
  const narrow = await store.current.query(
    `select c.relname || '.' || a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and a.atttypid in ('int2'::regtype, 'int4'::regtype)
       and (a.attidentity <> '' or a.attname ~ '(^|_)id$' or exists (
         select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey)
       ) or exists (
         select 1 from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
         where d.refobjid = c.oid and d.refobjsubid = a.attnum
       ))
     order by 1`,
    [],
  );
  // Versions are numbered for each program, and the other table has one row.
  expect(narrow).toEqual([{ column: 'agreement_acceptances.version' }, { column: 'update_checks.id' }]);
  const sequences = await store.current.query(
    `select sequencename from pg_sequences where data_type <> 'bigint'::regtype or cycle or max_value < 2::numeric ^ 53`,
    [],
  );
  expect(sequences).toEqual([]);
});

/** Rows come and go, are changed again and again, or are added for years. */
const HOT = [
  'count_deltas',
  'outbox',
  'counts',
  'click_hours',
  'customers',
  'transactions',
  'sales',
  'commissions',
  'decisions',
];

it('vacuums tables long before a fifth of them has changed', async () => {
  const rows = await store.current.query<{ name: string; share: number }>(
    `select c.relname as name, (o).option_value::float8 as share
     from pg_class c cross join lateral pg_options_to_table(c.reloptions) o
     where c.relname = any ($1) and (o).option_name = 'autovacuum_vacuum_scale_factor'`,
    [HOT],
  );
  expect(
    rows
      .filter(({ share }) => share <= 0.02)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...HOT].sort());
});
