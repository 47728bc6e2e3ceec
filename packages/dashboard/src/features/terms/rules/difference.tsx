import type { ReactNode } from 'react';
import type { Data } from '../../../api/client.ts';
import { capitalize } from '../../../rules/label.ts';
import { countOf, formatMoney } from '../../../rules/money.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import type { Column } from '../../../ui/lists/column.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { Money } from '../../../ui/records/money.tsx';
import { CustomerLink, PartnerLink, TransactionLink } from '../../../ui/records/record-links.tsx';
import { TermsWarnings } from '../rule-list.tsx';

type Result = Data<'manageSimulateTerms'>;
type Compared = { currency: string; actual_cents: number; simulated_cents: number };

const SHOWN_PARTNERS = 20;

type DifferenceProps = { result: Result; period: string; action: ReactNode };

/** What the new rules would have paid in the period, beside what was paid. */
export function Difference({ result, period, action }: DifferenceProps) {
  const { totals, largest, matches_actual: matches } = result;
  const partners = result.partners.filter((row) => row.actual_cents !== row.simulated_cents);
  const hasChanges = largest.length > 0;
  return (
    <TitledCard title={`Difference: ${period.toLowerCase()}`} description={introOf(result)} action={action}>
      <div className="space-y-5">
        <TermsWarnings warnings={result.warnings} />
        {!matches && (
          <Notice tone="warn">
            Some commissions of this period can’t be reproduced from the rules they were paid by, so this comparison is
            an estimate.
          </Notice>
        )}
        {totals.map((total) => (
          <p key={total.currency} className="text-sm">
            <Change compared={total} className="text-base font-semibold" />{' '}
            <span className="text-quiet">
              {formatMoney(total.simulated_cents, total.currency)} instead of{' '}
              {formatMoney(total.actual_cents, total.currency)}
            </span>
          </p>
        ))}
        {hasChanges ? (
          <>
            {partners.length > 0 && (
              <PartnerTable partners={partners.slice(0, SHOWN_PARTNERS)} count={partners.length} />
            )}
            <LargestTable largest={largest} />
          </>
        ) : (
          <p className="text-sm text-quiet">Nothing would have been paid differently.</p>
        )}
      </div>
    </TitledCard>
  );
}

function introOf({ sales, leads }: Result): string {
  return `${countOf(sales, 'sale')} and ${countOf(leads, 'signup')}, with partners in the groups they are in today. Amounts are before refunds.`;
}

function PartnerTable({ partners, count }: { partners: Result['partners']; count: number }) {
  const programId = useProgramId();
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">
        {count > partners.length
          ? `The ${partners.length} partners with the largest changes, of ${count}`
          : 'By partner'}
      </h3>
      <div className="-mx-5">
        <DataTable
          label="Difference by partner"
          rows={partners}
          rowKey={({ partner_id: id, currency }) => `${id} ${currency}`}
          columns={[
            {
              title: 'Partner',
              cell: ({ partner_id: id, partner_name: name }) => (
                <PartnerLink programId={programId} partnerId={id}>
                  {name}
                </PartnerLink>
              ),
            },
            ...amountColumns<Result['partners'][number]>(),
          ]}
        />
      </div>
    </div>
  );
}

function LargestTable({ largest }: { largest: Result['largest'] }) {
  const programId = useProgramId();
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">Largest changes</h3>
      <div className="-mx-5">
        <DataTable
          label="Largest changes"
          rows={largest}
          rowKey={({ sale_id: saleId, customer_id: customerId, partner_id: partnerId, currency }) =>
            `${saleId} ${customerId} ${partnerId} ${currency}`
          }
          columns={[
            {
              title: 'Order',
              cell: ({ transaction_id: id, customer_id: customerId }) =>
                id ? (
                  <TransactionLink programId={programId} transactionId={id} />
                ) : (
                  <CustomerLink programId={programId} customerId={customerId ?? 0} label="Signup" />
                ),
            },
            { title: 'Partner', showFrom: 'wide', isStacked: true, cell: ({ partner_name: name }) => name },
            {
              title: 'Rule',
              showFrom: 'medium',
              isStacked: true,
              cell: ({ actual_rule: actual, simulated_rule: simulated }) => (
                <span className="text-caption">
                  <span className="block text-quiet">{actual ? capitalize(actual) : 'Nothing was paid'}</span>
                  <span className="block">{simulated ? `Now ${simulated}` : 'Now nothing'}</span>
                </span>
              ),
            },
            ...amountColumns<Result['largest'][number]>(),
          ]}
        />
      </div>
    </div>
  );
}

function amountColumns<Row extends Compared>(): Column<Row>[] {
  return [
    {
      title: 'Paid',
      isRightAligned: true,
      showFrom: 'medium',
      cell: ({ actual_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
    },
    {
      title: 'New rules',
      isRightAligned: true,
      showFrom: 'medium',
      cell: ({ simulated_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
    },
    { title: 'Change', isRightAligned: true, cell: (row) => <Change compared={row} /> },
  ];
}

/** The difference with its sign. More for partners is a cost, but neither good nor bad. */
function Change({ compared, className = '' }: { compared: Compared; className?: string }) {
  const cents = compared.simulated_cents - compared.actual_cents;
  const sign = cents > 0 ? '+' : '';
  return (
    <span className={`whitespace-nowrap tabular-nums ${className}`}>
      {cents === 0 ? 'No change' : `${sign}${formatMoney(cents, compared.currency)}`}
    </span>
  );
}
