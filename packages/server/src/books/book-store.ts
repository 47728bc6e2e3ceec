import type { BookDifference } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Sum } from '../db/lists/sum.ts';
import { toSum } from '../db/lists/sum.ts';
import { type BookedKind, PENDING_CENTS } from './book-entry-store.ts';

/** The columns of an entry: what it adds to each account. */
export const BOOKED_COLUMNS = [
  'pending_cents',
  'payable_cents',
  'in_payouts_cents',
  'paid_cents',
  'credits_cents',
] as const;
export type BookedColumn = (typeof BOOKED_COLUMNS)[number];

const sums = (of = '') => BOOKED_COLUMNS.map((column) => `sum(${of}${column}) as ${column}`).join(', ');

// One statement, so that both sides are seen at the same moment, while others write both or neither.
const DIFFERENCES = `
  with compared as (
    select m.partner_id, m.currency, sum(${PENDING_CENTS}) as pending_cents, sum(m.due_cents) as payable_cents,
      0 as in_payouts_cents, 0 as paid_cents, 0 as credits_cents
    from commissions m where m.program_id = $1 group by 1, 2
    union all
    select partner_id, currency, 0, 0, coalesce(sum(amount_cents) filter (where status in ('open', 'sent')), 0),
      coalesce(sum(amount_cents) filter (where status = 'paid'), 0), 0
    from payouts where program_id = $1 group by 1, 2
    union all
    select null, currency, 0, 0, 0, 0, sum(amount_cents - reversed_cents)
    from customer_credits where program_id = $1 group by 2
    union all
    select partner_id, currency, ${BOOKED_COLUMNS.map((column) => `-sum(${column})`).join(', ')}
    from book_entries where program_id = $1 group by 1, 2
  ), differences as (
    select partner_id, currency, ${sums()} from compared group by 1, 2
    having ${BOOKED_COLUMNS.map((column) => `sum(${column}) <> 0`).join(' or ')}
  )`;

const MAX_DIFFERENCES = 100;

type Stored<Row> = Omit<Row, BookedColumn> & Record<BookedColumn, string>;

const withSums = <Row extends Record<BookedColumn, string>>(row: Row) => {
  const exact = BOOKED_COLUMNS.map((column) => [column, toSum(row[column])]);
  return { ...row, ...(Object.fromEntries(exact) as Record<BookedColumn, Sum>) };
};

/** What the books lack, by partner and currency, compared with what commissions, payouts and credits say. */
export async function listDifferences(db: Queryable, programId: number): Promise<BookDifference[]> {
  const rows = await db.query<Stored<BookDifference>>(
    `${DIFFERENCES} select partner_id, currency, ${BOOKED_COLUMNS.map((column) => `${column}::text`).join(', ')}
     from differences order by 1 nulls first, 2 limit ${MAX_DIFFERENCES}`,
    [programId],
  );
  return rows.map(withSums);
}

/** Enters what happened before there were books, so that they agree from now on. */
export async function insertOpeningBalances(db: Queryable, programId: number, now: Date): Promise<void> {
  await db.query(
    `${DIFFERENCES}
     insert into book_entries (program_id, partner_id, currency, kind, at, expense_cents, ${BOOKED_COLUMNS.join(', ')})
     select $1, partner_id, currency, 'opening_balance', $2, ${BOOKED_COLUMNS.join(' + ')}, ${BOOKED_COLUMNS.join(', ')}
     from differences`,
    [programId, now],
  );
}

/** Programs whose books can be compared and were not since a time, those that have waited longest first. */
export async function listUnproven(db: Queryable, before: Date, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select p.id from programs p left join books b on b.program_id = p.id
     where p.deleted_at is null and (b.proved_at is null or b.proved_at < $1)
       and (b.opened_at is null and b.opens_at > $2) is not true
     order by b.proved_at nulls first, p.id limit $3`,
    [before, now, limit],
  );
  return rows.map(({ id }) => id);
}

export type Books = {
  openedAt: Date | null;
  /** When what came before the books may be entered. */
  opensAt: Date;
  provedAt: Date | null;
  differences: BookDifference[] | null;
};

export async function findBooks(db: Queryable, programId: number): Promise<Books | null> {
  type Row = Omit<Books, 'differences'> & { differences: Stored<BookDifference>[] | null };
  const [books] = await db.query<Row>(
    `select opened_at as "openedAt", opens_at as "opensAt", proved_at as "provedAt", differences
     from books where program_id = $1`,
    [programId],
  );
  return books ? { ...books, differences: books.differences?.map(withSums) ?? null } : null;
}

/** Stores that the books are complete from now on, or since the program was created with them. */
export async function upsertOpened(db: Queryable, programId: number, now: Date): Promise<void> {
  await db.query(
    `insert into books (program_id, opened_at, opens_at) select id, created_at, created_at from programs where id = $1
     on conflict (program_id) do update set opened_at = $2 where books.opened_at is null`,
    [programId, now],
  );
}

export async function updateProved(
  db: Queryable,
  programId: number,
  differences: BookDifference[],
  now: Date,
): Promise<void> {
  const stored = differences.map((row) => ({ ...row, ...textOf(row) }));
  await db.query('update books set proved_at = $2, differences = $3 where program_id = $1', [
    programId,
    now,
    JSON.stringify(stored),
  ]);
}

/** Sums can be larger than a number of JSON. */
const textOf = (row: BookDifference) =>
  Object.fromEntries(BOOKED_COLUMNS.map((column) => [column, BigInt(row[column]).toString()]));

export type BookTotals = { currency: string } & Record<BookedColumn, string>;

/** What the entries add up to, by currency; those of one partner or of all. */
export function listBookTotals(db: Queryable, programId: number, partnerId: number | null): Promise<BookTotals[]> {
  return db.query<BookTotals>(
    `select currency, ${BOOKED_COLUMNS.map((column) => `sum(${column})::text as ${column}`).join(', ')}
     from book_entries where program_id = $1 and ($2::bigint is null or partner_id = $2) group by 1 order by 1`,
    [programId, partnerId],
  );
}

export type BookEntry = {
  id: number;
  partnerId: number | null;
  currency: string;
  kind: BookedKind;
  commissionId: number | null;
  payoutId: number | null;
  creditId: number | null;
  at: Date;
} & Record<BookedColumn, string>;

/** Entries in the order in which they were written. */
export function listBookEntries(
  db: Queryable,
  programId: number,
  afterId: number,
  limit: number,
): Promise<BookEntry[]> {
  return db.query<BookEntry>(
    `select id, partner_id as "partnerId", currency, kind, commission_id as "commissionId", payout_id as "payoutId",
       credit_id as "creditId", at, ${BOOKED_COLUMNS.map((column) => `${column}::text`).join(', ')}
     from book_entries where program_id = $1 and id > $2 order by id limit $3`,
    [programId, afterId, limit],
  );
}
