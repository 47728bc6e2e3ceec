import type { Reply } from '../../api/client.ts';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import type { Column } from '../../ui/lists/column.ts';
import { Money } from '../../ui/records/money.tsx';
import { MoneyTotals } from '../../ui/records/money-totals.tsx';
import { PartnerName } from '../../ui/records/partner-name.tsx';
import { CustomerLink, PartnerLink, TransactionLink } from '../../ui/records/record-links.tsx';
import { type Sale, saleColumns } from '../../ui/records/sale-columns.tsx';

type SaleTotals = NonNullable<Reply<'manageSales'>['meta']['totals']>;

const commissionColumn: Column<Sale> = {
  title: 'Commission',
  isRightAligned: true,
  showFrom: 'widest',
  cell: (sale) => <SaleCommission sale={sale} />,
};

/** The columns of the brand’s list, with what everything that matches the filters adds up to. */
export function brandSaleColumns(programId: number, totals: SaleTotals | undefined): Column<Sale>[] {
  return [
    {
      title: 'Transaction',
      cell: ({ transaction_id: id }) => <TransactionLink programId={programId} transactionId={id} />,
    },
    {
      title: 'Customer',
      showFrom: 'wide',
      isStacked: true,
      cell: ({ customer_id: id, customer_key: key }) =>
        id ? <CustomerLink programId={programId} customerId={id} label={key ?? `Customer ${id}`} /> : key,
    },
    {
      title: 'Partner',
      sortBy: 'partner_name',
      showFrom: 'medium',
      isStacked: true,
      cell: (sale) => <SalePartner programId={programId} sale={sale} />,
    },
    ...saleColumns.flatMap((column): Column<Sale>[] =>
      column.title === 'Amount' ? [{ ...column, total: totals && netOf(totals) }, commissionColumn] : [column],
    ),
  ];
}

function SalePartner({ programId, sale }: { programId: number; sale: Sale }) {
  const { partner_id: id, partner_name: name } = sale;
  if (id === null || name === null) return <PartnerName name={name} />;
  return (
    <PartnerLink programId={programId} partnerId={id}>
      <PartnerName name={name} />
    </PartnerLink>
  );
}

/** What the partner earned on the sale, and what became of it. */
function SaleCommission({ sale }: { sale: Sale }) {
  const { commission_cents: cents, commission_deducted_cents: deducted, commission_currency: currency } = sale;
  if (cents === null || currency === null) return <span className="text-quiet">None</span>;
  return (
    // The amount is read first, and is below the others of its column.
    <span className="inline-flex flex-row-reverse flex-wrap items-center gap-x-2 gap-y-1">
      <Money cents={cents - (deducted ?? 0)} currency={currency} />
      {sale.commission_status && <StatusBadge status={sale.commission_status} />}
    </span>
  );
}

function netOf(totals: SaleTotals) {
  return (
    <>
      <MoneyTotals totals={totals} amountOf={({ amount_cents: cents }) => cents} />
      {totals
        .filter(({ refunded_cents: refunded }) => refunded > 0)
        .map(({ currency, refunded_cents: refunded }) => (
          <div key={currency} className="text-caption font-normal">
            <Money cents={-refunded} currency={currency} /> refunded
          </div>
        ))}
    </>
  );
}
