import { formatCount, formatShare } from '../../rules/money.ts';
import { TitledCard } from '../layout/card.tsx';
import type { Performance } from './numbers.tsx';

/** How many of those who clicked signed up, and how many of those bought. */
export function Funnel({ funnel }: { funnel: Performance['funnel'] }) {
  const { clicks, leads, first_sales: customers } = funnel;
  const steps = [
    ['Clicks', clicks, 'came through a link'],
    ['Signups', leads, `${formatShare(leads, clicks)} of clicks`],
    ['Customers', customers, `${formatShare(customers, leads)} of signups`],
  ] as const;
  const most = Math.max(clicks, leads, customers, 1);
  return (
    <TitledCard title="From click to customer" words={`${formatShare(customers, clicks)} of clicks became customers.`}>
      <ol className="space-y-4">
        {steps.map(([title, count, words]) => (
          <li key={title}>
            <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
              <span className="font-medium">{title}</span>
              <span className="text-quiet">
                {words} <strong className="ml-1.5 font-semibold text-ink tabular-nums">{formatCount(count)}</strong>
              </span>
            </div>
            <div className="h-2.5 rounded-full bg-sunken">
              <div className="h-full min-w-1 rounded-full bg-accent" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}
