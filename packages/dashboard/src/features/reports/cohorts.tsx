import { type Data, urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatMonth, fromFirstCustomers, keptCents } from '../../rules/cohorts.ts';
import { formatCount, formatMoney, mainCurrency } from '../../rules/money.ts';
import { shadeOf } from '../../rules/shade.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';

type Report = Data<'manageCohorts'>;
type Paid = Report['totals'];

const SHADES = ['', 'bg-accent/10', 'bg-accent/20', 'bg-accent/30', 'bg-accent/40'] as const;

type CohortsProps = { programId: number; preferredCurrency: string | undefined };

/** Customers by the month of their first purchase, and what they have paid in each month since. */
export function Cohorts({ programId, preferredCurrency }: CohortsProps) {
  const [{ partner_id: partnerId }] = useSearchParams();
  const query = partnerId ? { partner_id: Number(partnerId) } : {};
  const cohorts = useApiQuery('manageCohorts', { params: { program_id: programId }, query });
  return (
    <TitledCard
      title="Customers by month"
      action={
        <CsvLink
          label="Export months"
          href={urlOf('manageExportCohorts', { params: { program_id: programId }, query })}
        />
      }
      description="The last twelve months of new customers, and what they have paid in each month since, less refunds. It always covers the last twelve months, whatever the period above is."
    >
      <QueryState query={cohorts} lines={6}>
        {({ data }) => {
          const currency = mainCurrency(data.totals.money, (sum) => sum.revenue_cents, preferredCurrency);
          return data.totals.sales === 0 ? (
            <p className="text-sm text-quiet">No sales in the last twelve months.</p>
          ) : (
            <>
              <CohortTable report={data} currency={currency} />
              <Rest report={data} currency={currency} />
            </>
          );
        }}
      </QueryState>
    </TitledCard>
  );
}

function CohortTable({ report, currency }: { report: Report; currency: string }) {
  const shown = fromFirstCustomers(report.cohorts);
  if (shown.length === 0) return null;
  const largest = Math.max(...shown.flatMap(({ months }) => months.map((paid) => keptCents(paid, currency))), 0);
  const money = (cents: number) => formatMoney(cents, currency);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section tabIndex={0} aria-label="Customers by month, scrollable" className="-mx-5 overflow-x-auto px-5">
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="text-caption text-quiet">
            <th scope="col" className="py-2 pr-3 text-left font-medium">
              First bought
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              Customers
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              Paid since
            </th>
            {shown.map(({ month }, index) => (
              <th key={month} scope="col" className="px-3 py-2 text-right font-medium whitespace-nowrap">
                {index === 0 ? 'Same month' : `+${index}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ month, customers, months }) => (
            <tr key={month} className="border-t border-line">
              <th scope="row" className="py-2 pr-3 text-left font-medium whitespace-nowrap">
                {formatMonth(month)}
              </th>
              <td className="px-3 py-2 text-right">{formatCount(customers)}</td>
              <td className="px-3 py-2 text-right font-medium whitespace-nowrap">
                {money(months.reduce((sum, paid) => sum + keptCents(paid, currency), 0))}
              </td>
              {months.map((paid) => {
                const cents = keptCents(paid, currency);
                return (
                  <td
                    key={paid.month}
                    className={`px-3 py-2 text-right whitespace-nowrap ${SHADES[shadeOf(cents, largest)]}`}
                  >
                    {cents === 0 ? <span className="text-quiet">–</span> : money(cents)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the table does not show: customers from before, what is still being counted, and other currencies. */
function Rest({ report, currency }: { report: Report; currency: string }) {
  const parts = [
    ['Customers from before paid', report.earlier],
    ['Still being counted:', report.pending],
  ] as [string, Paid][];
  const others = report.totals.money.filter((sum) => sum.currency !== currency);
  return (
    <div className="mt-3 space-y-1 text-sm text-quiet empty:hidden">
      {parts.map(([title, paid]) => {
        const cents = keptCents(paid, currency);
        return cents === 0 ? null : (
          <p key={title}>
            {title} {formatMoney(cents, currency)} in these months.
          </p>
        );
      })}
      {others.length > 0 && (
        <p>
          In other currencies, not included above:{' '}
          {others.map((sum) => formatMoney(sum.revenue_cents - sum.refunded_cents, sum.currency)).join(', ')}.
        </p>
      )}
    </div>
  );
}
