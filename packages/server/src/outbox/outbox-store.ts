import type { FeedEventType, FeedSubject } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { selectList } from '../db/lists/list-query.ts';
import type { ListSource } from '../db/lists/sorted-list.ts';

/** What was read of a row, as the database makes JSON of it. */
type Facts = Record<string, unknown>;

/** Something that has become true about a row. */
export type Announcement = {
  type: FeedEventType;
  programId: number;
  /** The id of the row. */
  id: number;
  /** The row itself, where the transaction has deleted it. */
  row?: object;
  /** The row as it was before, from `readRows`: what differs from it has changed. */
  before?: Facts | undefined;
  /** Fields that changed, as they were, where the row was not read before. */
  previous?: Record<string, unknown> | undefined;
  /** What the type has besides its row. */
  more?: Record<string, unknown>;
  decisionId?: number | undefined;
};

/** The rows that events can be about, and the SQL that finds the one with the id `i.id` of the program `i.program_id`. */
export type FeedRows = {
  subject: FeedSubject;
  source: Pick<ListSource<unknown, string, string>, 'table' | 'as' | 'joins' | 'pageJoins' | 'columns' | 'rowOfJson'>;
  key: string;
  /** The fields of the row that say whom it is about. */
  about: { customer?: string; partner?: string };
};

export type AnnouncedRows = { rows: FeedRows; events: Announcement[] };

/** Stores events with their rows as they are now, all in one statement, in the given order. */
export async function insertIntoOutbox(db: Queryable, announced: AnnouncedRows[], at: Date): Promise<void> {
  const events = announced.flatMap(({ rows: { subject }, events }) =>
    events.map(({ type, programId, id, row, before, previous, more, decisionId }) => ({
      type,
      program_id: programId,
      subject,
      id,
      gone: row,
      more: before || previous || more ? { ...more, before, previous } : undefined,
      decision_id: decisionId,
    })),
  );
  if (events.length === 0) return;
  const present = new Set(events.map(({ subject }) => subject));
  const sources = new Map(announced.map(({ rows }) => [rows.subject, rows]));
  const read = [...sources.values()].filter(({ subject }) => present.has(subject));
  await db.query(insertStatement(read), [JSON.stringify(events), at]);
}

/** Rows as they are before a change, by id. */
export type RowsBefore = Map<number, Facts>;

export async function readRows(
  db: Queryable,
  rows: FeedRows,
  ids: { programId: number; id: number }[],
): Promise<RowsBefore> {
  if (ids.length === 0) return new Map();
  const found = await db.query<{ id: number; facts: Facts }>(
    `with i as (select id, "programId" as program_id from json_to_recordset($1::json) as (id bigint, "programId" bigint))
     select i.id, r.facts from i join lateral (select row_to_json(row) as facts from (${selectRow(rows)}) row) r on true`,
    [JSON.stringify(ids)],
  );
  return new Map(found.map(({ id, facts }) => [id, facts]));
}

function selectRow({ source, key }: FeedRows): string {
  const { table, as, joins = '', pageJoins = '', columns } = source;
  return `select ${selectList(columns)} from ${table} ${as} ${joins} ${pageJoins} where ${key}`;
}

// The same few combinations come again and again, so each is prepared once.
const insertStatement = (read: FeedRows[]) => `
  with i as (
    select * from rows from (json_to_recordset($1::json)
      as (type text, program_id bigint, subject text, id bigint, gone json, more json, decision_id bigint)) with ordinality
  )
  insert into outbox (program_id, type, subject, facts, gone, more, decision_id, customer_id, partner_id, created_at)
  select program_id, type, subject, facts, gone, more, decision_id, customer_id, partner_id, $2 from (
    ${read.map(selectRows).join(' union all ')}
    union all
    select i.*, null, (i.gone ->> 'customer_id')::bigint, (i.gone ->> 'partner_id')::bigint from i where i.gone is not null
  ) found order by ordinality`;

function selectRows(rows: FeedRows): string {
  const { subject, about } = rows;
  const fieldOf = (name: string | undefined) => (name ? `row.${name}` : 'null::bigint');
  return `
    select i.*, r.* from i join lateral (
      select row_to_json(row) as facts, ${fieldOf(about.customer)} as customer_id, ${fieldOf(about.partner)} as partner_id
      from (${selectRow(rows)}) row
    ) r on true where i.subject = '${subject}' and i.gone is null`;
}

/** Takes the oldest committed events out, at most `$1`. Part of the statement that numbers them. */
export const TAKE_WAITING = 'delete from outbox where id in (select id from outbox order by id limit $1) returning *';

export async function isOutboxEmpty(db: Queryable): Promise<boolean> {
  const rows = await db.query('select 1 from outbox limit 1');
  return rows.length === 0;
}
