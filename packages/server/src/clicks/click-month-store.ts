import type { Queryable } from '../db/db.ts';

/** The columns of clicks, and how files of the archive hold them. */
export const CLICK_COLUMNS = [
  { name: 'id', type: 'INT64' },
  { name: 'program_id', type: 'INT64' },
  { name: 'link_id', type: 'INT64' },
  { name: 'partner_id', type: 'INT64' },
  { name: 'customer_id', type: 'INT64' },
  { name: 'clicked_at', type: 'TIMESTAMP' },
  { name: 'is_test', type: 'BOOLEAN' },
  { name: 'affiliate_url', type: 'STRING' },
  { name: 'page_url', type: 'STRING' },
  { name: 'page_title', type: 'STRING' },
  { name: 'referrer_url', type: 'STRING' },
  { name: 'session_id', type: 'STRING' },
  { name: 'user_agent', type: 'STRING' },
  { name: 'screen_resolution', type: 'STRING' },
  { name: 'viewport_size', type: 'STRING' },
  { name: 'language', type: 'STRING' },
  { name: 'timezone', type: 'STRING' },
  { name: 'country', type: 'STRING' },
  { name: 'sub', type: 'STRING' },
  { name: 'is_relayed', type: 'BOOLEAN' },
] as const satisfies { name: string; type: 'INT64' | 'BOOLEAN' | 'TIMESTAMP' | 'STRING' }[];

type Held = { INT64: number; BOOLEAN: boolean; TIMESTAMP: Date; STRING: string };
type ColumnOf<Name> = Extract<(typeof CLICK_COLUMNS)[number], { name: Name }>;

/** A click as it is stored. */
export type StoredClick = {
  [Name in (typeof CLICK_COLUMNS)[number]['name']]:
    | Held[ColumnOf<Name>['type']]
    | (Name extends 'id' | 'program_id' | 'customer_id' | 'clicked_at' | 'is_test' ? never : null);
};

export const partitionOf = (month: string) => `clicks_${month.replace('-', '_')}`;

const COLUMNS = CLICK_COLUMNS.map(({ name }) => name).join(', ');

/** The next clicks of a month, in the order of their customers. */
export function listClicksOfMonth(
  db: Queryable,
  month: string,
  after: { customerId: number; id: number },
  limit: number,
): Promise<StoredClick[]> {
  return db.query<StoredClick>(
    `select ${COLUMNS} from ${partitionOf(month)} where (customer_id, id) > ($1, $2) order by customer_id, id limit $3`,
    [after.customerId, after.id, limit],
  );
}

/** How many clicks a month has, and the sum of their ids. */
export async function sumClicksOfMonth(db: Queryable, month: string): Promise<{ rows: number; ids: string }> {
  const [sums] = await db.query<{ rows: number; ids: string }>(
    `select count(*) as rows, coalesce(sum(id), 0)::text as ids from ${partitionOf(month)}`,
  );
  return sums as { rows: number; ids: string };
}
