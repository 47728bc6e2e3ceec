import type { ReactNode } from 'react';
import { formatCount } from '../../rules/money.ts';
import { moneyIn, type Performance } from '../charts/metrics.tsx';
import { TitledCard } from '../layout/card.tsx';
import { Money } from '../records/money.tsx';
import { DataTable } from './data-table.tsx';

type Group = Performance['groups'][number];
type TopListProps = {
  title: string;
  /** The title of the column with the names. */
  nameTitle: string;
  groups: Group[];
  currency: string;
  nameCell: (group: Group) => ReactNode;
};

/** The best partners or links of a period. */
export function TopList({ title, nameTitle, groups, currency, nameCell }: TopListProps) {
  return (
    <TitledCard title={title}>
      {groups.length === 0 ? (
        <p className="text-sm text-quiet">No activity in this period.</p>
      ) : (
        <div className="-mx-5 -mb-3">
          <DataTable
            label={`${title} by sales`}
            rows={groups}
            rowKey={({ id }) => id}
            columns={[
              { title: nameTitle, cell: nameCell },
              { title: 'Clicks', isRightAligned: true, cell: ({ clicks }) => formatCount(clicks) },
              { title: 'Sales', isRightAligned: true, cell: ({ sales }) => formatCount(sales) },
              {
                title: 'Revenue',
                isRightAligned: true,
                cell: (group) => <Money cents={moneyIn(group, currency).revenue_cents} currency={currency} />,
              },
            ]}
          />
        </div>
      )}
    </TitledCard>
  );
}
