import type { FeedEventType, FeedSubject } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { selectList } from '../db/lists/list-query.ts';
import type { ListSource } from '../db/lists/sorted-list.ts';

/** Something that has become true about a row. */
export type Announcement = {
  type: FeedEventType;
  programId: number;
  /** The id of the row. */
  id: number;
  /** The row itself, where the transaction has deleted it. */
  row?: object;
  /** The fields that changed, as they were. */
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
};

export type AnnouncedRows = { rows: FeedRows; events: Announcement[] };

/** Stores events with their rows as they are now, all in one statement, in the given order. */
export async function insertIntoOutbox(db: Queryable, announced: AnnouncedRows[], at: Date): Promise<void> {
  const events = announced.flatMap(({ rows: { subject }, events }) =>
    events.map(({ type, programId, id, row, previous, more, decisionId }) => ({
      type,
      program_id: programId,
      subject,
      id,
      gone: row,
      more: previous || more ? { ...more, previous } : undefined,
      decision_id: decisionId,
    })),
  );
  if (events.length === 0) return;
  const present = new Set(events.map(({ subject }) => subject));
  const sources = new Map(announced.map(({ rows }) => [rows.subject, rows]));
  const read = [...sources.values()].filter(({ subject }) => present.has(subject));
  await db.query(insertStatement(read), [JSON.stringify(events), at]);
}

// The same few combinations come again and again, so each is prepared once.
const insertStatement = (read: FeedRows[]) => `
  with i as (
    select * from rows from (json_to_recordset($1::json)
      as (type text, program_id bigint, subject text, id bigint, gone jsonb, more jsonb, decision_id bigint)) with ordinality
  )
  insert into outbox (program_id, type, subject, facts, gone, more, decision_id, created_at)
  select program_id, type, subject, facts, gone, more, decision_id, $2 from (
    ${read.map(selectRows).join(' union all ')}
    union all select i.*, null from i where i.gone is not null
  ) found order by ordinality`;

function selectRows({ subject, source, key }: FeedRows): string {
  const { table, as, joins = '', pageJoins = '', columns } = source;
  return `
    select i.*, r.facts from i join lateral (
      select to_jsonb(row) as facts from (
        select ${selectList(columns)} from ${table} ${as} ${joins} ${pageJoins} where ${key}
      ) row
    ) r on true where i.subject = '${subject}' and i.gone is null`;
}

/** An event that has been committed and has no number yet. */
export type WaitingEvent = {
  eventId: string;
  programId: number;
  type: FeedEventType;
  subject: FeedSubject;
  /** What was read of the row; null where it was deleted. */
  facts: Record<string, unknown> | null;
  /** The row itself, where it was deleted. */
  gone: object | null;
  more: Record<string, unknown> | null;
  decisionId: number | null;
  createdAt: Date;
};

/** Takes committed events out, in the order in which they were written. */
export async function takeFromOutbox(db: Queryable, limit: number): Promise<WaitingEvent[]> {
  const taken = await db.query<WaitingEvent & { id: number }>(
    `delete from outbox where id in (select id from outbox order by id limit $1)
     returning id, event_id as "eventId", program_id as "programId", type, subject, facts, gone, more,
       decision_id as "decisionId", created_at as "createdAt"`,
    [limit],
  );
  return taken.sort((one, other) => one.id - other.id);
}

export async function isOutboxEmpty(db: Queryable): Promise<boolean> {
  const rows = await db.query('select 1 from outbox limit 1');
  return rows.length === 0;
}
