import type { Queryable } from '../../db/db.ts';
import type { CapCount } from '../cap-book.ts';
import type { Terms } from '../terms.ts';
import { TERMS_COLUMNS } from '../terms-store.ts';

export type Period = { from: Date; to: Date };

export function listAllTerms(db: Queryable, programId: number): Promise<Terms[]> {
  return db.query<Terms>(`select ${TERMS_COLUMNS} from terms_versions v where v.program_id = $1 order by v.version`, [
    programId,
  ]);
}

/** What partners had earned before the period, from each customer and in its first month: what caps count from. */
export async function listEarnedBefore(db: Queryable, programId: number, from: Date): Promise<CapCount[]> {
  const rows = await db.query<Omit<CapCount, 'cents' | 'programId'> & { cents: string }>(
    `with earned as (
       select m.partner_id, coalesce(s.customer_id, m.customer_id) as customer_id, m.currency, m.commission_cents as cents,
         coalesce(s.created_at, m.created_at) as at
       from commissions m left join sales s on s.id = m.sale_id
       where m.program_id = $1 and m.kind in ('sale', 'lead', 'override') and coalesce(s.created_at, m.created_at) < $2)
     select partner_id as "partnerId", 'customer' as scope, customer_id as "scopeId", currency, sum(cents)::text as cents
     from earned group by 1, 3, 4
     union all
     select partner_id, 'month', to_char($2 at time zone 'UTC', 'YYYYMM')::bigint, currency, sum(cents)::text
     from earned where at >= date_trunc('month', $2 at time zone 'UTC') at time zone 'UTC' group by 1, 4`,
    [programId, from],
  );
  return rows.map((row) => ({ ...row, programId, cents: BigInt(row.cents) }));
}

/** The groups of partners who are not in the default one. */
export async function listCurrentGroups(db: Queryable, programId: number): Promise<Map<number, number>> {
  const rows = await db.query<{ partnerId: number; groupId: number }>(
    `select partner_id as "partnerId", group_id as "groupId" from memberships
     where program_id = $1 and group_id is not null`,
    [programId],
  );
  return new Map(rows.map(({ partnerId, groupId }) => [partnerId, groupId]));
}

/** How many payments each customer had made before the period. */
export async function listPaymentsBefore(db: Queryable, programId: number, from: Date): Promise<Map<number, number>> {
  const rows = await db.query<{ customerId: number; count: number }>(
    `select customer_id as "customerId", count(*) as count from sales
     where program_id = $1 and created_at < $2 and not is_test group by 1`,
    [programId, from],
  );
  return new Map(rows.map(({ customerId, count }) => [customerId, count]));
}

export type EventNames = { partners: Map<number, string>; transactions: Map<number, string> };

/** The names of partners and the transaction ids of sales. */
export async function findEventNames(
  db: Queryable,
  { partnerIds, saleIds }: { partnerIds: number[]; saleIds: number[] },
): Promise<EventNames> {
  const [partners, sales] = await Promise.all([
    db.query<{ id: number; name: string }>('select id, name from partners where id = any ($1::bigint[])', [partnerIds]),
    db.query<{ id: number; name: string }>(
      'select id, processor_event_id as name from sales where id = any ($1::bigint[])',
      [saleIds],
    ),
  ]);
  const byId = (rows: { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]));
  return { partners: byId(partners), transactions: byId(sales) };
}

/** How many of the customers were not erased. */
export async function countKnownCustomers(db: Queryable, customerIds: number[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from customers where id = any ($1::bigint[]) and erased_at is null',
    [customerIds],
  );
  return row!.count;
}
