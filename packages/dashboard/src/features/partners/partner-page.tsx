import { Link, useParams } from '@tanstack/react-router';
import type { Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, MetricRow } from '../../ui/charts/metrics.tsx';
import { Trend } from '../../ui/charts/trend.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PeriodPicker, usePeriod } from '../../ui/lists/period-picker.tsx';
import { Money } from '../../ui/records/money.tsx';
import { PartnerStatus } from '../../ui/records/partner-status.tsx';
import { RecordNotFound } from '../../ui/records/record-not-found.tsx';

const LISTS = [
  ['/app/programs/$programId/links', 'Links'],
  ['/app/programs/$programId/customers', 'Customers'],
  ['/app/programs/$programId/sales', 'Sales'],
  ['/app/programs/$programId/commissions', 'Commissions'],
] as const;

/** Who a partner is, what they brought in, and their balance. */
export function Page() {
  const { programId, partnerId } = useParams({ from: '/app/programs/$programId/partners/$partnerId' });
  const params = { program_id: programId, partner_id: partnerId };
  const partner = useApiQuery('managePartner', { params }, { keepPrevious: false });
  return (
    <QueryState
      query={partner}
      lines={10}
      notFound={<RecordNotFound noun="partner" id={partnerId} list="/app/programs/$programId/partners" />}
    >
      {({ data: { id, name, email, status, has_account: hasAccount } }) => (
        <>
          <PageHeader
            title={name}
            description={
              <span className="flex flex-wrap items-center gap-2">
                {email} <PartnerStatus status={status} hasAccount={hasAccount} />
              </span>
            }
          >
            <PeriodPicker />
          </PageHeader>
          {/* The key keeps the numbers of another partner from being shown while these load. */}
          <PartnerReport key={id} programId={programId} partnerId={id} />
        </>
      )}
    </QueryState>
  );
}

function PartnerReport({ programId, partnerId }: { programId: number; partnerId: number }) {
  const { from, to } = usePeriod();
  const params = { program_id: programId };
  const report = useApiQuery('managePerformance', {
    params,
    query: { from, to, partner_id: partnerId, group_by: 'partner', limit: 1 },
  });
  const balances = useApiQuery('manageBalances', { params, query: { partner_id: partnerId } });
  return (
    <>
      <nav aria-label="Partner" className="mb-6 flex flex-wrap gap-2">
        {LISTS.map(([list, title]) => (
          <Link
            key={list}
            to={list}
            params={{ programId }}
            search={{ partner_id: String(partnerId) }}
            className={buttonClass({ size: 'small' })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <QueryState query={report} lines={8}>
        {({ data }) => (
          <div className="space-y-6">
            <MetricRow report={data} currency={currencyOf(data)} commissionTitle="Commissions" />
            <Trend report={data} currency={currencyOf(data)} commissionTitle="Commissions" />
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <Funnel funnel={data.funnel} />
              <TitledCard title="Balance">
                <QueryState query={balances}>{({ data: rows }) => <Balances rows={rows} />}</QueryState>
              </TitledCard>
            </div>
          </div>
        )}
      </QueryState>
    </>
  );
}

function Balances({ rows }: { rows: Row<'manageBalances'>[] }) {
  if (rows.length === 0) return <p className="text-sm text-quiet">No balance yet.</p>;
  return (
    <div className="space-y-5">
      {rows.map(({ currency, pending_cents, approved_cents, carried_cents, payable_cents }) => (
        <Details
          key={currency}
          rows={[
            ['On hold', <Money key="on-hold" cents={pending_cents} currency={currency} />],
            ['Approved', <Money key="approved" cents={approved_cents} currency={currency} />],
            ['Carried over', <Money key="carried-over" cents={carried_cents} currency={currency} />],
            [
              'Payable',
              <strong key="payable">
                <Money cents={payable_cents} currency={currency} />
              </strong>,
            ],
          ]}
        />
      ))}
    </div>
  );
}
