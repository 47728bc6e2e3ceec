import type { PayoutSort } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { type Condition, selectList } from '../db/list-query.ts';
import {
  findTotals,
  type ListSource,
  listSorted,
  type PageOf,
  type Positioned,
  type Totals,
  textSort,
} from '../db/sorted-list.ts';

export type PayoutStatus = 'open' | 'paid' | 'cancelled';

export type Payout = {
  id: number;
  partnerId: number;
  partnerName: string;
  partnerEmail: string;
  payoutDetails: string | null;
  accountChangedAt: Date | null;
  currency: string;
  amountCents: number;
  status: PayoutStatus;
  reference: string | null;
  createdAt: Date;
  paidAt: Date | null;
  cancelledAt: Date | null;
};

export type PayoutFilter = {
  status?: PayoutStatus;
  partnerId: number | null;
  search?: string;
  /** When it was created. */
  from?: Date;
  to?: Date;
};

const SOURCE: ListSource<Payout, PayoutSort, 'amountCents'> = {
  table: 'payouts o',
  id: 'o.id',
  joins: 'left join partners p on p.id = o.partner_id left join users u on u.id = p.user_id',
  columns: {
    id: 'o.id',
    partnerId: 'o.partner_id',
    partnerName: 'p.name',
    partnerEmail: 'p.email',
    payoutDetails: 'u.payout_details',
    accountChangedAt: 'p.account_changed_at',
    currency: 'o.currency',
    amountCents: 'o.amount_cents',
    status: 'o.status',
    reference: 'o.reference',
    createdAt: 'o.created_at',
    paidAt: 'o.paid_at',
    cancelledAt: 'o.cancelled_at',
  },
  sorts: {
    created_at: { sql: 'o.created_at', type: 'time' },
    amount_cents: { sql: 'o.amount_cents', type: 'number' },
    partner_name: textSort('p.name'),
  },
  sums: { currency: 'o.currency', of: { amountCents: 'o.amount_cents' } },
};

export const PAYOUT_SORT_COLUMNS = SOURCE.sorts;

const SELECT_PAYOUT = `select ${selectList(SOURCE.columns)} from ${SOURCE.table} ${SOURCE.joins}`;

const conditions = (programId: number, filter: PayoutFilter): Condition[] => [
  ['o.program_id = ?', programId],
  ['o.partner_id = ?', filter.partnerId],
  ['o.status = ?', filter.status],
  ['(strpos(lower(p.name), lower(?)) > 0 or starts_with(lower(o.reference), lower(?)))', filter.search, filter.search],
  ['o.created_at >= ?', filter.from],
  ['o.created_at < ?', filter.to],
];

export function listPayouts(
  db: Queryable,
  programId: number,
  filter: PayoutFilter,
  page: PageOf<PayoutSort>,
): Promise<Positioned<Payout>[]> {
  return listSorted(db, SOURCE, conditions(programId, filter), page);
}

export function findPayoutTotals(
  db: Queryable,
  programId: number,
  filter: PayoutFilter,
): Promise<Totals<'amountCents'>> {
  return findTotals(db, SOURCE, conditions(programId, filter));
}

export function listPayoutsByIds(db: Queryable, programId: number, ids: number[]): Promise<Payout[]> {
  return db.query<Payout>(`${SELECT_PAYOUT} where o.program_id = $1 and o.id = any ($2::bigint[]) order by o.id`, [
    programId,
    ids,
  ]);
}

/** Finds a payout of the program; for a partner, only one of their own. */
export async function findPayout(
  db: Queryable,
  programId: number,
  payoutId: number,
  partnerId: number | null = null,
): Promise<Payout | null> {
  const [payout] = await db.query<Payout>(
    `${SELECT_PAYOUT} where o.program_id = $1 and o.id = $2 and ($3::bigint is null or o.partner_id = $3)`,
    [programId, payoutId, partnerId],
  );
  return payout ?? null;
}

export type NewPayout = { programId: number; partnerId: number; currency: string; amountCents: number };

/** What a payout pays for one commission; negative for a refund after an earlier payout. */
export type NewPayoutLine = { commissionId: number; amountCents: number };

export async function insertPayout(
  db: Queryable,
  payout: NewPayout,
  lines: NewPayoutLine[],
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
     values ($1, $2, $3, $4, $5) returning id`,
    [payout.programId, payout.partnerId, payout.currency, payout.amountCents, now],
  );
  const { id } = row as { id: number };
  const rows = lines.map((line) => ({ commission_id: line.commissionId, amount_cents: line.amountCents }));
  await db.query(
    `insert into payout_lines (payout_id, commission_id, amount_cents)
     select $1, commission_id, amount_cents from json_populate_recordset(null::payout_lines, $2::json)`,
    [id, JSON.stringify(rows)],
  );
  return id;
}

/** Marks those of the payouts that are open as paid, and returns their ids. */
export async function updatePaid(
  db: Queryable,
  programId: number,
  payoutIds: number[],
  reference: string | null,
  now: Date,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `with opened as materialized (
       select id from payouts where program_id = $1 and id = any ($2::bigint[]) and status = 'open' order by id for update
     )
     update payouts o set status = 'paid', paid_at = $3, reference = $4 from opened where o.id = opened.id returning o.id`,
    [programId, payoutIds, now, reference],
  );
  return rows.map(({ id }) => id);
}

/** Marks the payout as cancelled; false when it is not open. */
export async function updateCancelled(db: Queryable, programId: number, payoutId: number, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update payouts set status = 'cancelled', cancelled_at = $3
     where program_id = $1 and id = $2 and status = 'open' returning id`,
    [programId, payoutId, now],
  );
  return rows.length > 0;
}

/** Every line of these payouts. */
export function listAllLines(db: Queryable, payoutIds: number[]): Promise<NewPayoutLine[]> {
  return db.query<NewPayoutLine>(
    `select commission_id as "commissionId", amount_cents as "amountCents" from payout_lines
     where payout_id = any ($1::bigint[])`,
    [payoutIds],
  );
}

export type PayoutRecipient = { userId: string; payoutId: number; currency: string; amountCents: number };

/** The accounts that these payouts are for, with what each is about. Partners without an account are left out. */
export function listPayoutRecipients(
  db: Queryable,
  programId: number,
  payoutIds: number[],
): Promise<PayoutRecipient[]> {
  return db.query<PayoutRecipient>(
    `select p.user_id as "userId", o.id as "payoutId", o.currency, o.amount_cents as "amountCents"
     from payouts o join partners p on p.id = o.partner_id
     where o.program_id = $1 and o.id = any ($2::bigint[]) and p.user_id is not null order by o.id`,
    [programId, payoutIds],
  );
}

/** The statuses of these payouts of the program. */
export function listPayoutStatuses(
  db: Queryable,
  programId: number,
  payoutIds: number[],
): Promise<{ id: number; status: PayoutStatus }[]> {
  return db.query('select id, status from payouts where program_id = $1 and id = any ($2::bigint[])', [
    programId,
    payoutIds,
  ]);
}
