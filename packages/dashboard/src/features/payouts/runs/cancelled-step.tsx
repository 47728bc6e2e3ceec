import type { Run } from '../../../api/payout-runs.ts';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { NewRunLink } from './new-run-link.tsx';

/** A run that was canceled pays nobody. */
export function CancelledStep({ run }: { run: Run }) {
  return (
    <TitledCard
      title="This run is canceled"
      description={
        <>
          {run.cancelled_at && (
            <>
              On <Time at={run.cancelled_at} />.{' '}
            </>
          )}
          Its payouts are canceled too, and what they covered is due again.
        </>
      }
    >
      <NewRunLink />
    </TitledCard>
  );
}
