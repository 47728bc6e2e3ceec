import type { Row } from '../../api/client.ts';
import { StateBadge } from '../feedback/badge.tsx';
import { Money } from './money.tsx';
import { Time } from './time.tsx';

type Commission = Row<'manageCommissions'>;
type Sale = Row<'manageSales'>;

/** The state of a commission and, while it is on hold, when that ends. */
export function CommissionState({ commission }: { commission: Commission }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateBadge state={commission.status} />
      {commission.stage === 'pending' && commission.status !== 'reversed' && (
        <span className="text-xs whitespace-nowrap text-quiet max-md:hidden">
          approved <Time at={commission.approve_after} isRelative />
        </span>
      )}
    </span>
  );
}

/** What is left of a commission, and of how much. */
export function CommissionLeft({ commission }: { commission: Commission }) {
  const { commission_cents: cents, deducted_cents: deducted, currency } = commission;
  return (
    <>
      <Money cents={cents - deducted} currency={currency} />
      {deducted > 0 && (
        <div className="text-[0.8125rem] text-quiet">
          of <Money cents={cents} currency={currency} />
        </div>
      )}
    </>
  );
}

/** What was paid in a sale, and below it what was given back. */
export function SaleAmount({ sale }: { sale: Sale }) {
  const { amount_cents: cents, refunded_cents: refunded, currency } = sale;
  return (
    <>
      <Money cents={cents} currency={currency} />
      {refunded > 0 && (
        <div className="text-[0.8125rem]">
          <Money cents={-refunded} currency={currency} />
        </div>
      )}
    </>
  );
}
