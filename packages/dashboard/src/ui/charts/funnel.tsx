import { formatCount, formatPercent } from '../../rules/money.ts';
import { TitledCard } from '../layout/card.tsx';
import type { Performance } from './metrics.tsx';

/** How many clicks led to signups, and how many signups to first purchases. */
export function Funnel({ funnel }: { funnel: Performance['funnel'] }) {
  const { clicks, leads, first_sales: customers } = funnel;
  const steps = [
    ['Clicks', clicks, ''],
    ['Signups', leads, clicks > 0 ? `${formatPercent(leads, clicks)} of clicks` : ''],
    ['New customers', customers, leads > 0 ? `${formatPercent(customers, leads)} of signups` : ''],
  ] as const;
  const largest = Math.max(clicks, leads, customers, 1);
  return (
    <TitledCard
      title="Conversion funnel"
      description={
        clicks > 0
          ? `${formatPercent(customers, clicks)} of clicks led to a new customer.`
          : 'There were no clicks in this period.'
      }
    >
      <ol className="space-y-4">
        {steps.map(([title, count, note]) => (
          <li key={title}>
            <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
              <span className="font-medium">{title}</span>
              <span className="text-quiet">
                {note} <strong className="ml-1.5 font-semibold text-ink tabular-nums">{formatCount(count)}</strong>
              </span>
            </div>
            <div className="h-2.5 rounded-full bg-sunken forced-colors:border">
              <div
                data-filled
                className={`h-full rounded-full bg-accent ${count > 0 ? 'min-w-1' : ''}`}
                style={{ width: `${(count / largest) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}
