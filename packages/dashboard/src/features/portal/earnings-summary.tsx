import type { Row } from '../../api/client.ts';
import { formatMoney } from '../../rules/money.ts';
import { MetricCard } from '../../ui/charts/metric-card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

type Earnings = Row<'manageEarnings'>;

const STAGES = [
  ['Pending', 'pending_cents', 'On hold, then approved'],
  ['Approved', 'approved_cents', 'For your next payout'],
  ['Processing', 'in_payouts_cents', 'In a payout, not paid yet'],
  ['Paid', 'paid_cents', 'Paid by the brand'],
  ['Reversed', 'reversed_cents', 'Deducted for refunds'],
] as const;

/** Earnings by stage, for each currency. */
export function EarningsSummary({ earnings }: { earnings: Earnings[] }) {
  return (
    <div className="space-y-4">
      {earnings.map((sum) => (
        <div key={sum.currency}>
          <dl
            aria-label={`Earnings in ${sum.currency}`}
            className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5"
          >
            {STAGES.map(([title, name, note]) => (
              <MetricCard key={name} title={title} value={formatMoney(sum[name], sum.currency)} note={note} />
            ))}
          </dl>
          {sum.carried_cents < 0 && (
            <div className="mt-3">
              <Notice tone="warn">
                {formatMoney(-sum.carried_cents, sum.currency)} is carried over because sales were refunded after their
                commissions were paid or added to a payout. It will be deducted from your next payout. You don’t need to
                send anything back.
              </Notice>
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
