import type { Row } from '../../api/client.ts';
import { countOf, formatCount } from '../../rules/money.ts';
import type { Column } from '../lists/column.ts';
import { Money } from './money.tsx';

type Numbers = Row<'manageLinks'>['numbers'];
type Amount = 'revenue_cents' | 'commission_cents' | 'payable_cents';

/** What partners and links have brought in, as columns. `totals` are those of all rows that match the filters. */
export function numberColumns<Numbered extends { numbers: Numbers }>(
  totals: Numbers | undefined,
  commissionTitle: string,
): Column<Numbered>[] {
  const count = (title: string, name: 'clicks' | 'leads' | 'sales', showFrom: 'medium' | 'wide') => ({
    title,
    isRightAligned: true,
    showFrom,
    sortBy: name,
    isSortedDownFirst: true,
    cell: ({ numbers }: Numbered) => formatCount(numbers[name]),
    ...(totals && { total: formatCount(totals[name]) }),
  });
  return [
    count('Clicks', 'clicks', 'medium'),
    count('Signups', 'leads', 'wide'),
    count('Sales', 'sales', 'medium'),
    amountColumn('Revenue', 'revenue_cents', totals),
    { ...amountColumn(commissionTitle, 'commission_cents', totals), showFrom: 'medium' },
  ];
}

/** A column of amounts, one line for each currency. */
export function amountColumn<Numbered extends { numbers: Numbers }>(
  title: string,
  name: Amount,
  totals: Numbers | undefined,
): Column<Numbered> {
  return {
    title,
    isRightAligned: true,
    showFrom: 'wide',
    sortBy: name,
    isSortedDownFirst: true,
    cell: ({ numbers }) => <Amounts numbers={numbers} name={name} />,
    ...(totals && { total: <Amounts numbers={totals} name={name} /> }),
  };
}

/** The most important numbers on one line, for tables that are too narrow for columns of numbers. */
export function NumbersLine({ numbers, commissionTitle }: { numbers: Numbers; commissionTitle: string }) {
  const earned = numbers.money.filter(({ commission_cents: cents }) => cents !== 0);
  return (
    <div className="text-caption text-quiet @min-[640px]:hidden">
      {countOf(numbers.clicks, 'click')}, {countOf(numbers.sales, 'sale')}
      {earned.map(({ currency, commission_cents: cents }) => (
        <span key={currency}>
          , <Money cents={cents} currency={currency} /> {commissionTitle.toLowerCase()}
        </span>
      ))}
    </div>
  );
}

function Amounts({ numbers, name }: { numbers: Numbers; name: Amount }) {
  const amounts = numbers.money.filter((sums) => sums[name] !== 0);
  if (amounts.length === 0) return <span className="text-quiet">–</span>;
  return amounts.map(({ currency, [name]: cents }) => (
    <div key={currency}>
      <Money cents={cents} currency={currency} />
    </div>
  ));
}
