import type { Row } from '../../api/client.ts';
import { formatMoney } from '../../rules/money.ts';
import { Stat } from '../../ui/charts/stat.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

type Earnings = Row<'manageEarnings'>;

const PARTS = [
  ['Pending', 'pending_cents', 'on hold until the refund period has passed'],
  ['Approved', 'approved_cents', 'yours, in the next payout'],
  ['Being paid', 'in_payouts_cents', 'in a payout that is on its way'],
  ['Paid', 'paid_cents', 'you have it'],
  ['Reversed', 'reversed_cents', 'taken back because of refunds'],
] as const;

/** The states that money can be in, each with its meaning, by currency. */
export function EarningsSummary({ earnings }: { earnings: Earnings[] }) {
  return (
    <div className="space-y-4">
      {earnings.map((sum) => (
        <div key={sum.currency}>
          <dl
            aria-label={`Earnings in ${sum.currency}`}
            className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5"
          >
            {PARTS.map(([title, part, words]) => (
              <Stat key={part} title={title} value={formatMoney(sum[part], sum.currency)} words={words} />
            ))}
          </dl>
          {sum.carried_cents < 0 && (
            <div className="mt-3">
              <Notice tone="warn">
                {formatMoney(-sum.carried_cents, sum.currency)} is carried over: sales were refunded after you had been
                paid for them. Your next payout is smaller by that; you do not have to send anything back.
              </Notice>
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
