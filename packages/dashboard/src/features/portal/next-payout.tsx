import type { ReactNode } from 'react';
import type { Data, Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { formatDay } from '../../rules/time.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';

type UpcomingSums = Row<'manageUpcoming'>;
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
            <div className={`grid gap-6 ${data.length > 1 ? 'sm:grid-cols-2' : ''}`}>
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

/** How many days are listed one by one. */
const SHOWN = 4;

function CurrencyPart({ upcoming }: { upcoming: UpcomingSums }) {
  const { currency, payable_cents: payable, carried_cents: carried } = upcoming;
  const rest = upcoming.approvals.slice(SHOWN);
  const later = rest.reduce((sum, { amount_cents: cents }) => sum + cents, upcoming.later_cents);
  const money = (cents: number) => formatMoney(cents, currency);
  return (
    <div>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{money(payable)}</p>
      <p className="text-sm text-quiet">
        {payable > 0 ? 'approved, for the next payout' : 'approved so far'}
        {carried < 0 && `, after ${money(-carried)} for refunds`}
      </p>
      <ul aria-label={`Coming up in ${currency}`} className="mt-3 divide-y divide-line border-t border-line text-sm">
        {upcoming.in_payouts_cents > 0 && (
          <Upcoming amount={money(upcoming.in_payouts_cents)}>In a payout, not marked as paid yet</Upcoming>
        )}
        {upcoming.approvals.slice(0, SHOWN).map(({ on, amount_cents: cents }) => (
          <Upcoming key={on} amount={money(cents)}>
            Approval on <time dateTime={on}>{formatDay(on)}</time>
          </Upcoming>
        ))}
        {later > 0 && <Upcoming amount={money(later)}>Approval later</Upcoming>}
        {upcoming.in_review_cents > 0 && (
          <Upcoming amount={money(upcoming.in_review_cents)}>Waiting for the brand to review it</Upcoming>
        )}
      </ul>
    </div>
  );
}

function Upcoming({ amount, children }: { amount: string; children: ReactNode }) {
  return (
    <li className="flex justify-between gap-4 py-1.5">
      <span className="text-quiet">{children}</span>
      <span className="tabular-nums">{amount}</span>
    </li>
  );
}
