import { BREAKDOWNS } from '@svc/contract';
import type { ReactNode } from 'react';
import { type Data, urlOf } from '../../api/client.ts';
import { formatCount, formatPercent } from '../../rules/money.ts';
import type { Column } from '../../ui/lists/column.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { AmountsByCurrency } from '../../ui/records/money-totals.tsx';
import { MapOfCountries, shareOf, WithShare } from './countries.tsx';

export type Breakdown = Data<'manageBreakdown'>;
type BreakdownRow = Breakdown['rows'][number];
type Counts = Breakdown['totals'];

/** How each column is computed, for rows and for the totals. */
type Figure = {
  title: string;
  sortBy?: string;
  showFrom?: 'medium' | 'wide' | 'widest';
  write: (counts: Counts, currency: string) => ReactNode;
};

const figures = (commissionTitle: string): Figure[] => [
  { title: 'Clicks', sortBy: 'clicks', write: ({ clicks }) => formatCount(clicks) },
  { title: 'Signups', sortBy: 'leads', showFrom: 'medium', write: ({ leads }) => formatCount(leads) },
  { title: 'Sales', sortBy: 'sales', showFrom: 'medium', write: ({ sales }) => formatCount(sales) },
  {
    title: 'Conversion',
    showFrom: 'wide',
    write: ({ first_sales: customers, clicks }) => formatPercent(customers, clicks),
  },
  {
    title: 'Revenue',
    sortBy: 'revenue',
    write: ({ money }, currency) => (
      <AmountsByCurrency {...{ money, currency }} amountOf={(sums) => sums.revenue_cents} />
    ),
  },
  {
    title: commissionTitle,
    sortBy: 'commission',
    showFrom: 'wide',
    write: ({ money }, currency) => (
      <AmountsByCurrency {...{ money, currency }} amountOf={(sums) => sums.commission_cents} />
    ),
  },
  {
    title: 'Per click',
    showFrom: 'widest',
    write: ({ clicks, money }, currency) =>
      clicks === 0 ? (
        '–'
      ) : (
        <AmountsByCurrency {...{ money, currency }} amountOf={(sums) => sums.earnings_per_click_cents ?? 0} />
      ),
  },
];

type BreakdownTableProps = {
  breakdown: Breakdown;
  currency: string;
  commissionTitle: string;
  sort: string;
  onSort: (sort: string | undefined) => void;
  nameCell: (row: BreakdownRow) => ReactNode;
};

/** The rows of a breakdown with their totals, the ones with the most first. */
export function BreakdownTable(props: BreakdownTableProps) {
  const { breakdown, currency, commissionTitle, sort, onSort, nameCell } = props;
  const { by, rows, totals } = breakdown;
  if (rows.length === 0) return <p className="px-5 pb-5 text-sm text-quiet">No activity in this period.</p>;
  const columns: Column<BreakdownRow>[] = [
    {
      title: BREAKDOWNS[by].title,
      cell: (row) =>
        by === 'country' ? (
          <WithShare share={shareOf(row, totals, { sort, currency })}>{nameCell(row)}</WithShare>
        ) : (
          nameCell(row)
        ),
    },
    ...figures(commissionTitle).map(({ write, ...column }) => ({
      ...column,
      isRightAligned: true,
      isSortedDownFirst: true,
      cell: (row: BreakdownRow) => write(row, currency),
      total: write(totals, currency),
    })),
  ];
  return (
    <>
      {by === 'country' && <MapOfCountries {...{ rows, sort, currency, commissionTitle }} />}
      <DataTable
        label={BREAKDOWNS[by].plural}
        rows={rows}
        rowKey={({ kind, value, name }) => `${kind} ${value ?? name}`}
        columns={columns}
        sort={`-${sort}`}
        onSort={(chosen) => onSort(chosen?.replace(/^-/, ''))}
      />
    </>
  );
}

type BreakdownCsvProps = { programId: number; query: Parameters<typeof urlOf<'manageExportBreakdown'>>[1]['query'] };

export function BreakdownCsv({ programId, query }: BreakdownCsvProps) {
  return (
    <CsvLink label="Export table" href={urlOf('manageExportBreakdown', { params: { program_id: programId }, query })} />
  );
}
