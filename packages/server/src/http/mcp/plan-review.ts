import { type CommissionRow, manageReviewCommissions, type ReviewAction } from '@svc/contract';
import { type CallRoute, Refusal } from './call-route.ts';
import type { Args, Planned } from './tool.ts';

const DONE: Record<ReviewAction, string> = { approve: 'approved', reject: 'rejected', restore: 'restored' };

/** What a review would change: the commissions, what they add up to in each currency, and which are skipped and why. */
export async function planReview(call: CallRoute, { program_id, ...body }: Args): Promise<Planned> {
  const params = { program_id };
  const { data } = await call(manageReviewCommissions, { params, body: { ...body, dry_run: true } });
  const { commissions = [] } = data;
  const skipped = data.skipped.map(({ reason, ids }) => ({ reason, ids }));
  const done = DONE[body.action as ReviewAction];
  if (commissions.length === 0) {
    const reasons = skipped.map(({ reason, ids }) => `${ids?.join(', ')}: ${reason}`).join('; ');
    throw new Refusal(409, `None of these commissions can be ${done}. ${reasons}`);
  }
  const totals = totalsOf(commissions);
  const sums = totals.map(({ currency, cents }) => `${cents} cents ${currency}`).join(', ');
  const left = skipped.flatMap(({ ids }) => ids ?? []).length;
  const rest = left > 0 ? ` ${left} of those named cannot be ${done} and are skipped.` : '';
  return {
    summary: `In program ${program_id}, ${body.action} ${commissions.length} commissions: ${sums}.${rest}`,
    ...{ totals, commissions: commissions.map(shown), skipped },
  };
}

const shown = (row: CommissionRow) => ({
  ...{ id: row.id, partner_id: row.partner_id, partner_name: row.partner_name, customer_key: row.customer_key },
  ...{ transaction_id: row.transaction_id, status: row.status, created_at: row.created_at },
  ...{ commission_cents: row.commission_cents, deducted_cents: row.deducted_cents, currency: row.currency },
});

/** What is left of the commissions, by currency. Currencies are never added. */
function totalsOf(commissions: CommissionRow[]) {
  const sums = new Map<string, { count: number; cents: number }>();
  for (const { currency, commission_cents, deducted_cents } of commissions) {
    const { count, cents } = sums.get(currency) ?? { count: 0, cents: 0 };
    sums.set(currency, { count: count + 1, cents: cents + commission_cents - deducted_cents });
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum })).sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
