import { Check } from 'lucide-react';
import type { Run } from '../../../api/payout-runs.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DateOnly } from '../../../ui/records/time.tsx';

const STEPS = [
  ['draft', 'Draft', 'created_at'],
  ['approved', 'Approved', 'approved_at'],
  ['sent', 'Sent', 'sent_at'],
  ['settled', 'Settled', 'settled_at'],
] as const;

/** How far the run has come, and when. */
export function RunProgress({ run }: { run: Run }) {
  const reached = STEPS.findIndex(([status]) => status === run.status);
  return (
    <Card>
      <ol aria-label="Progress" className="grid grid-cols-4 gap-2 p-4 sm:p-5">
        {STEPS.map(([status, title, time], index) => {
          const at = run[time];
          const isDone = index < reached || run.status === 'settled';
          const isCurrent = index === reached;
          const bar = isDone ? 'bg-good' : isCurrent ? 'bg-accent' : 'bg-line';
          return (
            <li key={status} aria-current={isCurrent ? 'step' : undefined} className="min-w-0">
              <div aria-hidden className={`mb-2 h-1 rounded-full ${bar}`} />
              <p
                className={`flex items-center gap-1 text-sm ${isCurrent ? 'font-semibold' : 'font-medium text-quiet'}`}
              >
                {title}
                {isDone && <Check size={14} aria-hidden className="shrink-0 text-good max-sm:hidden" />}
              </p>
              {at && index <= reached && (
                <p className="text-caption text-quiet">
                  <DateOnly at={at} />
                  {status === 'approved' && run.approved_by && (
                    <span className="block truncate">by {run.approved_by.name}</span>
                  )}
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
