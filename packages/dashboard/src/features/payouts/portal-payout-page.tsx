import { PayoutDetails } from './payout-details.tsx';

/** A payout as its partner sees it. */
export function Page() {
  return <PayoutDetails list="/app/portal/$programId/payouts" />;
}
