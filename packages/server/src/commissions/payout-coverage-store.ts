import { DbError, type Queryable, SERIALIZATION_FAILURE } from '../db/db.ts';
import { slicesOf } from '../db/slices.ts';
import { COMMISSION_STATUS, TRANSITIONS, transitionGuard } from './commission-state.ts';
import type { MovedCommission } from './commission-store.ts';

/** Whether partners know of the payout `o`. What is in a draft may still change, so they hear of it when it is approved. */
export const IS_TOLD = `(o.run_id is null or exists (select from payout_runs r where r.id = o.run_id and r.approved_at is not null))`;

/** Whether the payout `o` can be seen at all: those of a run that is being prepared cannot. */
export const IS_PREPARED = `((o.run_id in (select r.id from payout_runs r where r.prepared_at is null)) is not true)`;

export type DueCommission = { id: number; partnerId: number; currency: string; dueCents: number };

/** Locks what is due to partners, each in one currency, in their order. What a concurrent payout took is not among it. */
export function listDueForUpdate(
  db: Queryable,
  programId: number,
  balances: { partnerId: number; currency: string }[],
): Promise<DueCommission[]> {
  const rows = balances.map(({ partnerId, currency }) => ({ partner_id: partnerId, currency }));
  return db.query<DueCommission>(
    `with due as materialized (
       select m.id, m.partner_id, m.currency, m.due_cents from commissions m
       join json_populate_recordset(null::commissions, $2::json) i on i.partner_id = m.partner_id and i.currency = m.currency
       where m.program_id = $1 and m.due_cents <> 0
       order by m.id for update of m
     )
     select id, partner_id as "partnerId", currency, due_cents as "dueCents" from due order by 2, 3, 1`,
    [programId, JSON.stringify(rows)],
  );
}

/** What a run is made of: what was approved until the cutoff, and everything that partners owe. */
export type DueUntil = { cutoffAt: Date; currency: string | null; partnerIds: number[] | null };

// One currency is looked up. As a condition that also holds for all of them, it would be checked only after the commission was read.
const isDueUntil = (currency: string | null) => `m.program_id = $1 and m.due_cents <> 0
  and (m.due_cents < 0 or coalesce(m.approved_at, m.created_at) <= $2)
  and ${currency === null ? '$3::text is null' : 'm.currency = $3'}`;

// With `offset 0`, each partner is looked up. Otherwise every commission of the program may be compared with all of these partners.
// They are sorted before they are looked up, so that a limit ends the search. Otherwise, what is due to all of them is read and sorted first.
const dueToPartners = (currency: string | null) => `
  (select i.partner_id from unnest($4::bigint[]) as i (partner_id) order by 1) i cross join lateral (
    select m.id, m.partner_id, m.currency, m.due_cents from commissions m
    where ${isDueUntil(currency)} and m.partner_id = i.partner_id offset 0
  ) m`;

/** What is due to these partners. It is not locked: `takeDue` takes it as it was read, or not at all. */
export function listDueUntil(
  db: Queryable,
  programId: number,
  { cutoffAt, currency }: DueUntil,
  partnerIds: number[],
): Promise<DueCommission[]> {
  return db.query<DueCommission>(
    `select m.id, m.partner_id as "partnerId", m.currency, m.due_cents as "dueCents" from ${dueToPartners(currency)}
     order by 2, 3, 1`,
    [programId, cutoffAt, currency, partnerIds],
  );
}

/**
 * The next partners after this one to whom something is due, or who owe something, by their ids: as many as the size allows, but at
 * least one. Also says whether they are the last ones.
 */
export async function listDuePartners(
  db: Queryable,
  programId: number,
  until: DueUntil,
  afterPartnerId: number,
  size: { partners: number; commissions: number },
): Promise<{ partnerIds: number[]; isLast: boolean }> {
  const [sql, params] = dueByPartner(programId, until, afterPartnerId, size.commissions + 1);
  const rows = await db.query<{ partnerId: number; count: number }>(sql, params);
  const found = rows.map(({ partnerId }) => partnerId);
  const isCut = rows.reduce((sum, { count }) => sum + count, 0) > size.commissions;
  // Of the last one, only a part may have been read.
  const whole = isCut && found.length > 1 ? found.slice(0, -1) : found;
  const partnerIds = whole.slice(0, size.partners);
  return { partnerIds, isLast: !isCut && partnerIds.length === found.length };
}

/** Counting more would keep the caller waiting. */
const MAX_COUNTED = 200_000;

/** How many partners there are to whom something is due, or who owe something; null if there are too many commissions to count. */
export async function countDuePartners(db: Queryable, programId: number, until: DueUntil): Promise<number | null> {
  const [sql, params] = dueByPartner(programId, until, 0, MAX_COUNTED + 1);
  const [row] = await db.query<{ partners: number; commissions: number }>(
    `select count(*)::int as partners, coalesce(sum(count), 0)::int as commissions from (${sql}) each`,
    params,
  );
  return row && row.commissions <= MAX_COUNTED ? row.partners : null;
}

/** Partners after this one, with how many of the next commissions are theirs. */
function dueByPartner(
  programId: number,
  { cutoffAt, currency, partnerIds }: DueUntil,
  afterPartnerId: number,
  commissions: number,
): [sql: string, params: unknown[]] {
  const asked = partnerIds && [...new Set(partnerIds)].filter((id) => id > afterPartnerId);
  return [
    `select partner_id as "partnerId", count(*)::int as count from (
       select ${asked ? `i.partner_id from ${dueToPartners(currency)}` : `m.partner_id from commissions m where ${isDueUntil(currency)} and m.partner_id > $4`}
       order by 1 limit $5
     ) due group by 1 order by 1`,
    [programId, cutoffAt, currency, asked ?? afterPartnerId, commissions],
  ];
}

/** Takes what is due into payouts, locked in the order of ids as everywhere. If any of it is not what it was when it was read, the transaction fails, and can be retried. */
export async function takeDue(tx: Queryable, due: DueCommission[]): Promise<void> {
  const inOrder = [...due].sort((one, other) => one.id - other.id);
  for (const slice of slicesOf(inOrder)) {
    const [taken] = await tx.query<{ count: number }>(
      `with locked as materialized (
         select m.id, i.cents from unnest($1::bigint[], $2::bigint[]) as i (id, cents) join commissions m on m.id = i.id
         order by m.id for update of m
       ), taken as (
         update commissions c set settled_cents = c.settled_cents + l.cents
         from locked l where c.id = l.id and c.due_cents = l.cents returning 1
       ) select count(*)::int from taken`,
      [slice.map(({ id }) => id), slice.map(({ dueCents }) => dueCents)],
    );
    if (taken?.count !== slice.length) throw new DbError('What was due has changed meanwhile', SERIALIZATION_FAILURE);
  }
}

/** What these partners owe in the program, by currency. */
export function listOwed(
  db: Queryable,
  programId: number,
  partnerIds: number[],
): Promise<{ partnerId: number; currency: string; owedCents: string }[]> {
  return db.query(
    `select partner_id as "partnerId", currency, sum(due_cents)::text as "owedCents" from commissions
     where program_id = $1 and due_cents < 0 and partner_id = any ($2::bigint[]) group by 1, 2`,
    [programId, partnerIds],
  );
}

/** Locks these commissions, in the order of their ids. */
export async function lockCommissions(db: Queryable, commissionIds: number[]): Promise<void> {
  for (const ids of slicesOf([...new Set(commissionIds)].sort((one, other) => one - other))) {
    await db.query('select m.id from commissions m where m.id = any ($1::bigint[]) order by m.id for update', [ids]);
  }
}

/** Adds amounts to what commissions have in payouts (`settled_cents`); negative amounts take it out again. */
export async function updateInPayouts(db: Queryable, amounts: { id: number; cents: number }[]): Promise<void> {
  const sums = new Map<number, number>();
  for (const { id, cents } of amounts) sums.set(id, (sums.get(id) ?? 0) + cents);
  for (const slice of slicesOf([...sums])) {
    await db.query(
      `update commissions c set settled_cents = c.settled_cents + i.cents
       from unnest($1::bigint[], $2::bigint[]) as i (id, cents) where c.id = i.id`,
      [slice.map(([id]) => id), slice.map(([, cents]) => cents)],
    );
  }
}

/**
 * Takes amounts out of payouts again. Commissions that are no longer covered are no longer paid. Returns those that other
 * payouts turn out to have paid.
 */
export async function updateUncovered(
  db: Queryable,
  amounts: { id: number; cents: number }[],
): Promise<MovedCommission[]> {
  await updateInPayouts(
    db,
    amounts.map(({ id, cents }) => ({ id, cents: -cents })),
  );
  const ids = amounts.map(({ id }) => id);
  for (const slice of slicesOf(ids)) {
    await db.query(
      `update commissions m set stage = '${TRANSITIONS.payment_failed.to}'
       where m.id = any ($1::bigint[]) and ${transitionGuard('payment_failed')}`,
      [slice],
    );
  }
  return updateCoveredToPaid(db, ids);
}

const COVERED_TO_PAID = `
  with before as materialized (
    select m.id, m.stage, ${COMMISSION_STATUS} as status from commissions m
    where m.id = any ($1::bigint[]) and ${transitionGuard('pay')}
      and not exists (
        select 1 from payout_lines l
        where l.commission_id = m.id
          and (select o.status in ('open', 'sent') from payouts o where o.id = l.payout_id) offset 0)
    order by m.id for update
  )
  update commissions c set stage = '${TRANSITIONS.pay.to}' from before where c.id = before.id returning before.*`;

/** Marks commissions as paid if payouts cover them in full and none of those payouts is still on its way. Returns those as they were. */
export async function updateCoveredToPaid(db: Queryable, commissionIds: number[]): Promise<MovedCommission[]> {
  const moved: MovedCommission[] = [];
  for (const ids of slicesOf(commissionIds)) moved.push(...(await db.query<MovedCommission>(COVERED_TO_PAID, [ids])));
  return moved;
}
