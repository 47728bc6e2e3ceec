import { Link, useSearch } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import { type Row, urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { PAYOUT_STATUSES } from '../../rules/statuses.ts';
import { StatusBadge, statusOptions } from '../../ui/feedback/status-badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { AccountChanged } from '../../ui/records/account-changed.tsx';
import { Money } from '../../ui/records/money.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { Time } from '../../ui/records/time.tsx';
import { type PayoutAction, PayoutDialog } from './payout-dialogs.tsx';

type Payout = Row<'managePayouts'>;

export function PayoutList() {
  const programId = useProgramId();
  const { status, partner_id, cursor } = useSearch({ from: '/app/programs/$programId/payouts' });
  const [dialog, setDialog] = useState<{ payout: Payout; action: PayoutAction } | null>(null);
  const params = { program_id: programId };
  const filters = { status, partner_id };
  const payouts = useApiQuery('managePayouts', { params, query: { ...filters, cursor } });
  return (
    <>
      <List
        label="Payouts"
        query={payouts}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <FilterSelect name="status" label="All statuses" options={statusOptions(PAYOUT_STATUSES)} />
            <PartnerFilter programId={programId} />
            <span className="ml-auto">
              <CsvLink href={urlOf('manageExportPayouts', { params, query: filters })} />
            </span>
          </>
        }
        columns={[
          {
            title: 'Payout',
            cell: ({ id, partner_name: name, payout_details: details, account_changed_at: changedAt }) => (
              <>
                <Link
                  to="/app/programs/$programId/payouts/$payoutId"
                  params={{ programId, payoutId: String(id) }}
                  className="font-medium hover:underline"
                >
                  {name}
                </Link>
                <div className="max-w-64 truncate text-caption text-quiet">{details ?? `Payout ${id}`}</div>
                <AccountChanged at={changedAt} />
              </>
            ),
          },
          {
            title: 'Status',
            cell: (payout) => (
              <>
                <StatusBadge status={payout.status} />
                {payout.reference && <div className="mt-1 text-xs text-quiet">{payout.reference}</div>}
              </>
            ),
          },
          {
            title: 'Amount',
            isRightAligned: true,
            cell: (payout) => <Money cents={payout.amount_cents} currency={payout.currency} />,
          },
          {
            title: 'Created',
            isRightAligned: true,
            showFrom: 'medium',
            cell: ({ created_at: at }) => <Time at={at} />,
          },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (payout) =>
              payout.status === 'open' && (
                <RowActions partnerName={payout.partner_name} onSelect={(action) => setDialog({ payout, action })} />
              ),
          },
        ]}
        empty={
          <EmptyList icon={HandCoins} noun="payouts" isFiltered={Boolean(status || partner_id)}>
            Create your first payout in the Balances tab once a balance is payable.
          </EmptyList>
        }
      />
      {dialog && <PayoutDialog programId={programId} {...dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

type RowActionsProps = { partnerName: string; onSelect: (action: PayoutAction) => void };

function RowActions({ partnerName, onSelect }: RowActionsProps) {
  return (
    <div className="flex justify-end gap-1">
      <Button size="small" aria-label={`Mark as paid: ${partnerName}`} onClick={() => onSelect('mark-paid')}>
        Mark as paid
      </Button>
      <Button
        size="small"
        variant="ghost"
        aria-label={`Cancel payout: ${partnerName}`}
        onClick={() => onSelect('cancel')}
      >
        Cancel
      </Button>
    </div>
  );
}
