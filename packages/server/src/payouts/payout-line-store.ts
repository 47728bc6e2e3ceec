import type { PayoutLine } from '@svc/contract';
import { COMMISSIONS_IN_PAYOUTS } from '../commissions/commission-list-store.ts';
import type { Queryable } from '../db/db.ts';
import { findRows } from '../db/lists/sorted-list.ts';
import { splitLine } from './payout-lines.ts';

type LineRow = {
  commissionId: number;
  amountCents: number;
  earlierCents: number;
  saleAt: Date | null;
  refundedAt: Date | null;
};

/**
 * The lines of a payout, newest commissions first, as they were when it was created: refunds and payouts since then change none.
 */
export async function listPayoutLines(
  db: Queryable,
  { programId, payoutId }: { programId: number; payoutId: number },
  beforeId: number | null,
  limit: number,
): Promise<PayoutLine[]> {
  const lines = await db.query<LineRow>(
    `select l.commission_id as "commissionId", l.amount_cents as "amountCents", s.created_at as "saleAt",
       earlier.cents as "earlierCents", refunded.at as "refundedAt"
     from payouts o join payout_lines l on l.payout_id = o.id join commissions m on m.id = l.commission_id
       left join sales s on s.id = m.sale_id
       left join lateral (
         select coalesce(sum(e.amount_cents), 0)::bigint as cents
         from payout_lines e
         where e.commission_id = m.id and e.payout_id < o.id and (
           select coalesce(p.cancelled_at, p.failed_at, p.returned_at, 'infinity') > o.created_at
           from payouts p where p.id = e.payout_id)
       ) earlier on true
       left join lateral (
         select max(r.created_at) as at from refunds r
         where r.sale_id = m.sale_id and r.amount_cents > 0 and r.created_at <= o.created_at
       ) refunded on true
     where o.program_id = $1 and o.id = $2 and ($3::bigint is null or l.commission_id < $3)
     order by l.commission_id desc limit $4`,
    [programId, payoutId, beforeId, limit],
  );
  const scope = [
    ['m.program_id = ?', programId],
    ['m.id = any (?::bigint[])', lines.map(({ commissionId }) => commissionId)],
  ] as [string, number | number[]][];
  const commissions = new Map(
    (await findRows(db, COMMISSIONS_IN_PAYOUTS, { scope, filters: [] })).map((row) => [row.id, row]),
  );
  return lines.map(({ commissionId, amountCents, earlierCents, saleAt, refundedAt }) => {
    const commission = commissions.get(commissionId)!;
    const { commission_cents: commissionCents } = commission;
    const parts = splitLine({ commissionCents, amountCents, earlierCents });
    return {
      commission_id: commissionId,
      kind: commission.kind,
      reason: commission.reason,
      sale_id: commission.sale_id,
      transaction_id: commission.transaction_id,
      customer_id: commission.customer_id,
      customer_key: commission.customer_key,
      sale_cents: commission.sale_cents,
      sale_currency: commission.sale_currency,
      sale_at: saleAt?.toISOString() ?? null,
      base_cents: commission.base_cents,
      terms_version: commission.terms_version,
      rule: commission.rule,
      terms: commission.terms,
      commission_cents: commissionCents,
      deducted_cents: parts.deductedCents,
      earlier_cents: parts.earlierCents,
      refunded_at: parts.deductedCents > 0 ? (refundedAt?.toISOString() ?? null) : null,
      amount_cents: amountCents,
      created_at: commission.created_at,
    };
  });
}

/** What the lines of one kind add up to, those that pay something and those that take something back apart. */
export type LineSum = { kind: PayoutLine['kind']; isTakenBack: boolean; lines: number; cents: bigint };

/** What a payout consists of. The sums add up to its amount. */
export async function listLineSums(db: Queryable, payoutId: number): Promise<LineSum[]> {
  // Sums come as text, because they may be larger than the largest integer that is read as a number.
  const sums = await db.query<Omit<LineSum, 'cents'> & { cents: string }>(
    `select m.kind, l.amount_cents < 0 as "isTakenBack", count(*) as lines, sum(l.amount_cents)::text as cents
     from payout_lines l join commissions m on m.id = l.commission_id where l.payout_id = $1 group by 1, 2`,
    [payoutId],
  );
  return sums.map((sum) => ({ ...sum, cents: BigInt(sum.cents) }));
}
