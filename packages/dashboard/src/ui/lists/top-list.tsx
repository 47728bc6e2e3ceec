import type { ReactNode } from 'react';
import { formatCount } from '../../rules/money.ts';
import { TitledCard } from '../layout/card.tsx';
import { AmountsByCurrency } from '../records/money-totals.tsx';
import { DataTable } from './data-table.tsx';

/** A partner or a link with what it brought in. */
export type TopRow = {
  id: number | null;
  name: string;
  clicks: number;
  sales: number;
  money: { currency: string; revenue_cents: number; refunded_cents: number; commission_cents: number }[];
};
type TopListProps = {
  title: string;
  /** The title of the column with the names. */
  nameTitle: string;
  groups: TopRow[];
  currency: string;
  nameCell: (group: TopRow) => ReactNode;
  /** A link to the whole list. */
  seeAll?: ReactNode;
};

/** The best partners or links of a period. */
export function TopList({ title, nameTitle, groups, currency, nameCell, seeAll }: TopListProps) {
  return (
    <TitledCard title={title} action={groups.length > 0 && seeAll}>
      {groups.length === 0 ? (
        <p className="text-sm text-quiet">No activity in this period.</p>
      ) : (
        <div className="-mx-5 -mb-3">
          <DataTable
            label={`${title} by revenue`}
            rows={groups}
            rowKey={({ id, name }) => id ?? name}
            columns={[
              { title: nameTitle, cell: nameCell },
              { title: 'Clicks', isRightAligned: true, showFrom: 'small', cell: ({ clicks }) => formatCount(clicks) },
              { title: 'Sales', isRightAligned: true, showFrom: 'small', cell: ({ sales }) => formatCount(sales) },
              {
                title: 'Revenue',
                isRightAligned: true,
                cell: ({ money }) => (
                  <AmountsByCurrency {...{ money, currency }} amountOf={({ revenue_cents: cents }) => cents} />
                ),
              },
            ]}
          />
        </div>
      )}
    </TitledCard>
  );
}
