import { Link } from '@tanstack/react-router';
import type { Row } from '../../api/client.ts';
import { formatCount } from '../../rules/money.ts';
import { sumByCurrency } from '../../rules/sum-by-currency.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import type { Column } from '../../ui/lists/column.ts';
import { MoneyTotals } from '../../ui/records/money-totals.tsx';

type Program = Row<'manageWorkspaceOverview'>;

const STATUSES = { active: null, paused: 'Paused', archived: 'Archived' } as const;

/** One row for each program, and what all of them come to. Amounts in different currencies are not added. */
export function programColumns(programs: Program[]): Column<Program>[] {
  const total = (count: (program: Program) => number) =>
    formatCount(programs.reduce((sum, each) => sum + count(each), 0));
  const balances = programs.flatMap((program) => program.balances);
  const money = programs.flatMap(({ last_30_days: { money: sums } }) => sums);
  const number = (title: string, count: (program: Program) => number): Column<Program> => ({
    title,
    isRightAligned: true,
    showFrom: 'wide',
    cell: (program) => formatCount(count(program)),
    total: total(count),
  });
  return [
    { title: 'Program', cell: (program) => <ProgramCell program={program} /> },
    {
      title: 'Applications',
      isRightAligned: true,
      total: total(({ applications }) => applications),
      cell: ({ id, applications }) =>
        applications === 0 ? (
          '0'
        ) : (
          <Link
            to="/app/programs/$programId/partners"
            params={{ programId: id }}
            search={{ status: 'applied' }}
            className="font-medium text-accent underline"
          >
            {formatCount(applications)}{' '}
            <span className="sr-only">{applications === 1 ? 'application' : 'applications'} to review</span>
          </Link>
        ),
    },
    {
      title: 'Alerts',
      isRightAligned: true,
      showFrom: 'small',
      total: total(({ open_alerts: alerts }) => alerts),
      cell: ({ id, open_alerts: alerts }) =>
        alerts === 0 ? (
          '0'
        ) : (
          <Link
            to="/app/programs/$programId/overview"
            params={{ programId: id }}
            className="font-medium text-bad underline"
          >
            {formatCount(alerts)} <span className="sr-only">{alerts === 1 ? 'alert' : 'alerts'}</span>
          </Link>
        ),
    },
    {
      title: 'Payable',
      isRightAligned: true,
      showFrom: 'medium',
      isStacked: true,
      isTitledBelow: true,
      total: <MoneyTotals totals={sumByCurrency(balances, 'payable_cents')} amountOf={({ cents }) => cents} />,
      cell: ({ id, balances: own }) => {
        const sums = sumByCurrency(own, 'payable_cents');
        if (sums.length === 0) return '–';
        return (
          <Link to="/app/programs/$programId/payouts" params={{ programId: id }} className="hover:underline">
            <MoneyTotals totals={sums} amountOf={({ cents }) => cents} />
          </Link>
        );
      },
    },
    {
      title: 'On hold',
      isRightAligned: true,
      showFrom: 'widest',
      total: <MoneyTotals totals={sumByCurrency(balances, 'pending_cents')} amountOf={({ cents }) => cents} />,
      cell: ({ balances: own }) => (
        <MoneyTotals totals={sumByCurrency(own, 'pending_cents')} amountOf={({ cents }) => cents} />
      ),
    },
    number('Partners', ({ partners }) => partners),
    number('Clicks', ({ last_30_days: { clicks } }) => clicks),
    number('Sales', ({ last_30_days: { sales } }) => sales),
    {
      title: 'Revenue',
      isRightAligned: true,
      showFrom: 'medium',
      total: <MoneyTotals totals={sumByCurrency(money, 'revenue_cents')} amountOf={({ cents }) => cents} />,
      cell: ({ last_30_days: { money: own } }) => (
        <MoneyTotals totals={sumByCurrency(own, 'revenue_cents')} amountOf={({ cents }) => cents} />
      ),
    },
  ];
}

function ProgramCell({ program: { id, name, domain, status } }: { program: Program }) {
  const label = STATUSES[status];
  return (
    <div className="min-w-0">
      <Link
        to="/app/programs/$programId/overview"
        params={{ programId: id }}
        className="font-medium break-words whitespace-normal hover:underline"
      >
        {name}
      </Link>
      <div className="flex items-center gap-2 text-caption text-quiet">
        {domain} {label && <Badge tone="neutral">{label}</Badge>}
      </div>
    </div>
  );
}
