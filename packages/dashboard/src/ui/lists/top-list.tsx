import type { ReactNode } from 'react';
import { formatCount } from '../../rules/money.ts';
import type { Performance } from '../charts/numbers.tsx';
import { moneyIn } from '../charts/numbers.tsx';
import { TitledCard } from '../layout/card.tsx';
import { Money } from '../records/money.tsx';
import { Table } from './table.tsx';

type Group = Performance['groups'][number];
type TopListProps = {
  title: string;
  what: string;
  groups: Group[];
  currency: string;
  nameOf: (group: Group) => ReactNode;
};

/** The best partners or links of a period. */
export function TopList({ title, what, groups, currency, nameOf }: TopListProps) {
  return (
    <TitledCard title={title}>
      {groups.length === 0 ? (
        <p className="text-sm text-quiet">Nothing in this period.</p>
      ) : (
        <div className="-mx-5 -mb-3">
          <Table
            label={`${title} in numbers`}
            rows={groups}
            keyOf={({ id }) => id}
            columns={[
              { title: what, show: nameOf },
              { title: 'Clicks', isNumber: true, show: ({ clicks }) => formatCount(clicks) },
              { title: 'Sales', isNumber: true, show: ({ sales }) => formatCount(sales) },
              {
                title: 'Revenue',
                isNumber: true,
                show: (group) => <Money cents={moneyIn(group, currency).revenue_cents} currency={currency} />,
              },
            ]}
          />
        </div>
      )}
    </TitledCard>
  );
}
