import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Data, Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { formatDay } from '../../rules/time.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { DateOnly, Time } from '../../ui/records/time.tsx';

type UpcomingSums = Row<'manageUpcoming'>;
type Membership = Data<'manageMe'>['partner_of'][number];

export function useUpcoming() {
  return useApiQuery('manageUpcoming', { params: { program_id: useProgramId() } });
}

type NextPayoutProps = {
  membership: Membership | undefined;
  /** Whether it asks for a payout method; not where the page does. */
  saysMethod?: boolean;
};

/** What the partner gets next, and from when on, by currency. */
export function NextPayout({ membership, saysMethod = true }: NextPayoutProps) {
  const upcoming = useUpcoming();
  return (
    // What is below must not move: a line for how it is paid is kept free, and while it loads as much as most partners see.
    <TitledCard title="Next payout" description={membership ? howPaid(membership) : '\u00a0'}>
      <div className={upcoming.data ? '' : 'min-h-40'}>
        <QueryState query={upcoming} lines={2}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-sm text-quiet">Your first commission will appear here.</p>
            ) : (
              <div className={`grid gap-6 ${data.length > 1 ? 'sm:grid-cols-2' : ''}`}>
                {data.map((each) => (
                  <CurrencyPart key={each.currency} upcoming={each} saysMethod={saysMethod} />
                ))}
              </div>
            )
          }
        </QueryState>
      </div>
    </TitledCard>
  );
}

function howPaid({ name, hold_days: days }: Membership): string {
  const hold =
    days === 0
      ? 'Commissions are approved at once.'
      : `Commissions are approved ${days} ${days === 1 ? 'day' : 'days'} after the sale, unless it is refunded.`;
  return `${hold} ${name} then pays them.`;
}

/** How many days are listed one by one. */
const SHOWN = 4;

type CurrencyPartProps = { upcoming: UpcomingSums; saysMethod: boolean };

function CurrencyPart({ upcoming, saysMethod }: CurrencyPartProps) {
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
      <Outlook upcoming={upcoming} saysMethod={saysMethod} />
      <ul
        aria-label={`Coming up in ${currency}`}
        className="mt-3 divide-y divide-line border-t border-line text-sm empty:hidden"
      >
        {upcoming.in_payouts_cents > 0 && (
          <Upcoming amount={money(upcoming.in_payouts_cents)}>In a payout, not settled yet</Upcoming>
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

/** When the next payout is prepared, and what stands in its way. */
function Outlook({ upcoming, saysMethod }: CurrencyPartProps) {
  const { next_payout_at: at, minimum_cents: minimum, obstacle, currency } = upcoming;
  const facts = [
    at && (
      <span key="date">
        The brand prepares the next payouts on <DateOnly at={at} />.
      </span>
    ),
    minimum > 0 && <span key="minimum"> The smallest payout is {formatMoney(minimum, currency)}.</span>,
  ];
  const isInTheWay = obstacle?.reason === 'no_method' ? saysMethod : upcoming.payable_cents > 0;
  return (
    <>
      {facts.some(Boolean) && <p className="mt-2 text-caption text-quiet">{facts}</p>}
      {obstacle && isInTheWay && (
        <div className="mt-3">
          <Notice tone="warn">
            <InTheWay obstacle={obstacle} currency={currency} />
          </Notice>
        </div>
      )}
    </>
  );
}

type InTheWayProps = { obstacle: NonNullable<UpcomingSums['obstacle']>; currency: string };

function InTheWay({ obstacle: { reason, until, missing_cents: missing }, currency }: InTheWayProps) {
  switch (reason) {
    case 'no_method':
      return (
        <>
          You can’t be paid yet. <MethodLink>Add a payout method</MethodLink>
        </>
      );
    case 'method_held':
      return (
        <>
          You changed your payout method. To protect you, it is used{' '}
          {until ? (
            <>
              from <Time at={until} /> on
            </>
          ) : (
            'after 72 hours'
          )}
          .
        </>
      );
    case 'currency_not_payable':
      return (
        <>
          Your payout method can’t receive {currency}. <MethodLink>Choose another payout method</MethodLink>
        </>
      );
    case 'country_not_payable':
      return (
        <>
          Your payout method can’t be paid in your country. <MethodLink>Choose another payout method</MethodLink>
        </>
      );
    case 'below_minimum':
      return `${formatMoney(missing ?? 0, currency)} below the minimum. It stays on your balance until it is enough.`;
    case 'not_active':
      return 'You are not active in this program. Ask the brand about your balance.';
  }
}

function MethodLink({ children }: { children: ReactNode }) {
  return (
    <Link to="/app/account/payout-method" className="font-medium underline">
      {children}
    </Link>
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
