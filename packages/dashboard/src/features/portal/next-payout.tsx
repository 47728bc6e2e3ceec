import type { Data, Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { formatDay } from '../../rules/time.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';

type Upcoming = Row<'manageUpcoming'>;
type Membership = Data<'manageMe'>['partner_of'][number];

export function useUpcoming() {
  return useApiQuery('manageUpcoming', { params: { program_id: useProgramId() } });
}

/** What the partner gets next, and from when on, by currency. */
export function NextPayout({ membership }: { membership: Membership | undefined }) {
  const upcoming = useUpcoming();
  return (
    <TitledCard title="Next payout" description={membership && howPaid(membership)}>
      <QueryState query={upcoming} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-quiet">Your first commission will appear here.</p>
          ) : (
            <div className="grid gap-6 sm:grid-cols-2">
              {data.map((each) => (
                <CurrencyPart key={each.currency} upcoming={each} />
              ))}
            </div>
          )
        }
      </QueryState>
    </TitledCard>
  );
}

function howPaid({ name, hold_days: days }: Membership): string {
  const hold =
    days === 0
      ? 'Commissions are approved at once.'
      : `Commissions are approved ${days} ${days === 1 ? 'day' : 'days'} after the sale, unless it is refunded.`;
  return `${hold} ${name} then decides when to pay.`;
}

function CurrencyPart({ upcoming }: { upcoming: Upcoming }) {
  const { currency, payable_cents: payable, carried_cents: carried } = upcoming;
  const money = (cents: number) => formatMoney(cents, currency);
  return (
    <div>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{money(payable)}</p>
      <p className="text-sm text-quiet">
        {payable > 0 ? 'approved, for the next payout' : 'approved so far'}
        {carried < 0 && `, after ${money(-carried)} for refunds`}
      </p>
      <ul aria-label={`Coming up in ${currency}`} className="mt-3 space-y-1 text-sm">
        {upcoming.in_payouts_cents > 0 && (
          <li>{money(upcoming.in_payouts_cents)} is in a payout that has not been marked as paid</li>
        )}
        {upcoming.approvals.map(({ on, amount_cents: cents }) => (
          <li key={on}>
            <span className="tabular-nums">{money(cents)}</span> will be approved on{' '}
            <time dateTime={on}>{formatDay(on)}</time>
          </li>
        ))}
        {upcoming.later_cents > 0 && <li>{money(upcoming.later_cents)} will be approved later</li>}
        {upcoming.in_review_cents > 0 && (
          <li>{money(upcoming.in_review_cents)} is waiting for the brand to review it</li>
        )}
      </ul>
    </div>
  );
}
