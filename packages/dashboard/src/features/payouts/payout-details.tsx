import { PAYOUT_KIND_NAMES } from '@svc/contract';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Data, urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { BackLink } from '../../ui/layout/back-link.tsx';
import { Card, TitledCard } from '../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../ui/layout/details.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { FileLink } from '../../ui/lists/file-link.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { commissionName } from '../../ui/records/commission-columns.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Money } from '../../ui/records/money.tsx';
import { RecordNotFound } from '../../ui/records/record-not-found.tsx';
import { DateOnly } from '../../ui/records/time.tsx';
import { type PayoutLine, PayoutLineFacts } from './payout-line-facts.tsx';

export type PayoutWithLines = Data<'managePayout'>;

function paidTo({ payout_method_kind: by, payout_method: masked }: PayoutWithLines): string {
  return by ? `${PAYOUT_KIND_NAMES[by]} ${masked ?? ''}` : 'No payout method';
}

function accountChangedRow(at: string | null): DetailRow[] {
  return at ? [['Account changed', <DateOnly key="account-changed" at={at} />]] : [];
}

function failedRows({ failed_at, returned_at, failure_reason, failure_code }: PayoutWithLines): DetailRow[] {
  const at = failed_at ?? returned_at;
  if (at === null) return [];
  return [
    [failed_at ? 'Failed' : 'Returned', <DateOnly key="failed" at={at} />],
    ['Reason', failure_reason],
    ...(failure_code ? [['Code', failure_code] satisfies DetailRow] : []),
    ['What now', 'The amount is due again and will be in a later payout.'],
  ];
}

/** What a payout of a run has besides. */
function runRows({ run_id, sent_at, not_in_file }: PayoutWithLines): DetailRow[] {
  if (run_id === null) return [];
  return [
    ['Sent', sent_at ? <DateOnly key="sent" at={sent_at} /> : 'Not yet'],
    ...(not_in_file ? [['Not in a file', not_in_file] satisfies DetailRow] : []),
  ];
}

type PayoutDetailsProps = {
  /** Where the other payouts are. */
  list: '/app/programs/$programId/payouts' | '/app/portal/$programId/payouts';
  actions?: (payout: PayoutWithLines) => ReactNode;
  /** How the brand’s page shows the transaction and the customer of a commission. */
  transactionCell?: (line: PayoutLine) => ReactNode;
  customerCell?: (line: PayoutLine) => ReactNode;
};

const idCell = (line: PayoutLine) =>
  line.transaction_id === null ? commissionName(line) : <Identifier>{line.transaction_id}</Identifier>;
const keyCell = ({ customer_key: key }: PayoutLine) => key ?? '–';

/** A payout and its statement: its commissions, and where the amount of each comes from. The brand’s page adds actions. */
export function PayoutDetails(props: PayoutDetailsProps) {
  const { payoutId = '' } = useParams({ strict: false });
  // The key keeps what belongs to another payout from being shown while this one loads.
  return <Payout key={payoutId} payoutId={payoutId} {...props} />;
}

function Payout(props: PayoutDetailsProps & { payoutId: string }) {
  const { payoutId, list, actions, transactionCell = idCell, customerCell = keyCell } = props;
  const programId = useProgramId();
  const [{ cursor }] = useSearchParams();
  const payout = useApiQuery('managePayout', {
    params: { program_id: programId, payout_id: payoutId },
    query: { cursor },
  });
  return (
    <QueryState query={payout} lines={8} notFound={<RecordNotFound noun="payout" id={payoutId} list={list} />}>
      {({ data, meta }) => (
        <>
          <BackLink>
            <Link to={list} params={{ programId }} search={{ tab: 'payouts' }}>
              Payouts
            </Link>
          </BackLink>
          <PageHeader title={`${formatMoney(data.amount_cents, data.currency)} to ${data.partner_name}`}>
            <FileLink
              href={urlOf('managePayoutStatement', { params: { program_id: programId, payout_id: payoutId } })}
              label="Download statement"
            />
            {actions?.(data)}
          </PageHeader>
          <div className="grid items-start gap-6 lg:grid-cols-[5fr_3fr]">
            <Card>
              <DataTable
                label="Commissions in this payout"
                rows={data.lines}
                rowKey={({ commission_id: id }) => id}
                columns={[
                  {
                    title: 'Transaction',
                    cell: (line) => (
                      <>
                        {transactionCell(line)}
                        <PayoutLineFacts line={line} currency={data.currency} />
                      </>
                    ),
                  },
                  { title: 'Customer', showFrom: 'medium', isStacked: true, cell: customerCell },
                  { title: 'Earned', cell: ({ created_at: at }) => <DateOnly at={at} /> },
                  {
                    title: 'Amount',
                    isRightAligned: true,
                    cell: ({ amount_cents: cents }) => <Money cents={cents} currency={data.currency} />,
                  },
                ]}
              />
              <Pager nextCursor={meta.next_cursor} isLoading={payout.isPlaceholderData} />
            </Card>
            {/* On a phone, what became of it comes before all its lines. */}
            <div className="max-lg:order-first">
              <TitledCard title={`Payout ${data.id}`}>
                <Details
                  rows={[
                    ['Status', <StatusBadge key="status" status={data.status} />],
                    ['Paid to', paidTo(data)],
                    ...accountChangedRow(data.account_changed_at),
                    ['Email', data.partner_email],
                    ['Created', <DateOnly key="created" at={data.created_at} />],
                    ...runRows(data),
                    ['Paid', data.paid_at ? <DateOnly key="paid" at={data.paid_at} /> : 'Not yet'],
                    ['Reference', data.reference ?? 'None'],
                    ...failedRows(data),
                  ]}
                />
              </TitledCard>
            </div>
          </div>
        </>
      )}
    </QueryState>
  );
}
