import { BREAKDOWNS } from '@svc/contract';
import type { ReactNode } from 'react';
import { type Data, urlOf } from '../../api/client.ts';
import { formatCount, formatMoney, formatPercent } from '../../rules/money.ts';
import type { Column } from '../../ui/lists/column.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';

export type Breakdown = Data<'manageBreakdown'>;
type BreakdownRow = Breakdown['rows'][number];
type Counts = Breakdown['totals'];

const NO_MONEY = { revenue_cents: 0, commission_cents: 0, earnings_per_click_cents: null };
const moneyIn = ({ money }: Counts, currency: string) => money.find((sums) => sums.currency === currency) ?? NO_MONEY;

/** How each column is computed, for rows and for the totals. */
type Figure = {
  title: string;
  sortBy?: string;
  showFrom?: 'medium' | 'wide' | 'widest';
  write: (counts: Counts, currency: string) => string;
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
    write: (counts, currency) => formatMoney(moneyIn(counts, currency).revenue_cents, currency),
  },
  {
    title: commissionTitle,
    sortBy: 'commission',
    showFrom: 'wide',
    write: (counts, currency) => formatMoney(moneyIn(counts, currency).commission_cents, currency),
  },
  {
    title: 'Per click',
    showFrom: 'widest',
    write: (counts, currency) => {
      const cents = moneyIn(counts, currency).earnings_per_click_cents;
      return cents === null ? '–' : formatMoney(cents, currency);
    },
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
  const columns: Column<BreakdownRow>[] = [
    { title: BREAKDOWNS[by].title, cell: nameCell },
    ...figures(commissionTitle).map(({ write, ...column }) => ({
      ...column,
      isRightAligned: true,
      isSortedDownFirst: true,
      cell: (row: BreakdownRow) => write(row, currency),
      total: write(totals, currency),
    })),
  ];
  return (
    <DataTable
      label={BREAKDOWNS[by].plural}
      rows={rows}
      rowKey={({ kind, value, name }) => `${kind} ${value ?? name}`}
      columns={columns}
      sort={`-${sort}`}
      onSort={(chosen) => onSort(chosen?.replace(/^-/, ''))}
    />
  );
}

type BreakdownCsvProps = { programId: number; query: Parameters<typeof urlOf<'manageExportBreakdown'>>[1]['query'] };

export function BreakdownCsv({ programId, query }: BreakdownCsvProps) {
  return (
    <CsvLink label="Export table" href={urlOf('manageExportBreakdown', { params: { program_id: programId }, query })} />
  );
}
