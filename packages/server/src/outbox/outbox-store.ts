import type { FeedEventType, FeedSubject } from '@svc/contract';
import type { Queryable, Transaction } from '../db/db.ts';
import { selectList } from '../db/lists/list-query.ts';
import type { ListSource } from '../db/lists/sorted-list.ts';
import { arrayText } from '../db/row-columns.ts';
import { slicesOf } from '../db/slices.ts';

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

/** Stores events with their rows as they are now, all in one statement with the commit, in the given order. */
export function sendToOutbox(tx: Transaction, announced: AnnouncedRows[], at: Date): void {
  const present = announced.filter(({ events }) => events.length > 0);
  if (present.length > 0) tx.send(...insertionOf(present, at));
}

/** Stores any number of events with their rows as they are now, in the given order. */
export async function insertIntoOutbox(tx: Queryable, announced: AnnouncedRows[], at: Date): Promise<void> {
  for (const { rows, events } of announced) {
    for (const slice of slicesOf(events)) await tx.query(...insertionOf([{ rows, events: slice }], at));
  }
}

function insertionOf(present: AnnouncedRows[], at: Date): [sql: string, params: unknown[]] {
  const sources = new Map(present.map(({ rows }) => [rows.subject, rows]));
  const events = present.flatMap(({ rows: { subject }, events }) => events.map((event) => ({ subject, event })));
  // Arrays cost the database less than one JSON text, and this is done for every sale.
  return [
    insertStatement([...sources.values()]),
    [
      arrayText(
        events.map(({ event }) => event.type),
        true,
      ),
      arrayText(
        events.map(({ event }) => event.programId),
        false,
      ),
      arrayText(
        events.map(({ subject }) => subject),
        true,
      ),
      arrayText(
        events.map(({ event }) => event.id),
        false,
      ),
      arrayText(
        events.map(({ event: { row } }) => row && JSON.stringify(row)),
        true,
      ),
      arrayText(
        events.map(({ event }) => moreOf(event)),
        true,
      ),
      arrayText(
        events.map(({ event }) => event.decisionId),
        false,
      ),
      at,
    ],
  ];
}

function moreOf({ more, before, previous }: Announcement): string | null {
  return more || before || previous ? JSON.stringify({ ...more, before, previous }) : null;
}

/** Rows as they are before a change, by id. */
export type RowsBefore = Map<number, Facts>;

export async function readRows(
  db: Queryable,
  rows: FeedRows,
  ids: { programId: number; id: number }[],
): Promise<RowsBefore> {
  const before: RowsBefore = new Map();
  for (const slice of slicesOf(ids)) {
    const found = await db.query<{ id: number; facts: Facts }>(
      `with i as (select id, "programId" as program_id from json_to_recordset($1::json) as (id bigint, "programId" bigint))
       select i.id, r.facts from i join lateral (select row_to_json(row) as facts from (${selectRow(rows)}) row) r on true`,
      [JSON.stringify(slice)],
    );
    for (const { id, facts } of found) before.set(id, facts);
  }
  return before;
}

function selectRow({ source, key }: FeedRows): string {
  const { table, as, joins = '', pageJoins = '', columns } = source;
  return `select ${selectList(columns)} from ${table} ${as} ${joins} ${pageJoins} where ${key}`;
}

// The same few combinations come again and again, so each is prepared once.
const insertStatement = (read: FeedRows[]) => `
  with i as (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::json[], $6::json[], $7::bigint[])
      with ordinality as i (type, program_id, subject, id, gone, more, decision_id, ordinality)
  )
  insert into outbox (program_id, type, subject, facts, gone, more, decision_id, customer_id, partner_id, created_at)
  select program_id, type, subject, facts, gone, more, decision_id, customer_id, partner_id, $8 from (
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
export const TAKE_WAITING = `
  delete from outbox where id <= (select max(id) from (select id from outbox order by id limit $1) oldest) returning *`;

export async function isOutboxEmpty(db: Queryable): Promise<boolean> {
  const rows = await db.query('select 1 from outbox limit 1');
  return rows.length === 0;
}
