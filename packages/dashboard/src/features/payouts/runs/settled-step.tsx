import type { Run } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { sumsOf } from '../../../rules/payout-run.ts';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../../ui/layout/details.tsx';
import { moneyText } from '../../../ui/records/money-totals.tsx';

const OUTCOMES = [
  ['paid', 'Paid'],
  ['failed', 'Failed'],
  ['returned', 'Returned'],
] as const;

/** What became of the run. */
export function SettledStep({ run }: { run: Run }) {
  const isComplete = run.payouts.every(({ status }) => status === 'paid');
  const rows = OUTCOMES.map(([status, title]): DetailRow => {
    const payouts = run.payouts.filter((payout) => payout.status === status);
    return [
      title,
      payouts.length === 0 ? 'None' : `${countOf(payouts.length, 'payouts')}, ${moneyText(sumsOf(payouts))}`,
    ];
  });
  return (
    <TitledCard
      title={isComplete ? 'Everything is paid' : 'This run is settled'}
      description={
        isComplete
          ? 'There is nothing left to do. If a payment comes back later, open its payout and mark it as failed.'
          : 'What failed or came back is due again. It is in the next run, once the partner has a payout method that works.'
      }
    >
      <Details rows={rows} />
    </TitledCard>
  );
}
