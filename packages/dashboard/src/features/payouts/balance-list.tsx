import { useSearch } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import type { Reply, Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import type { Column } from '../../ui/lists/column.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { List } from '../../ui/lists/list.tsx';
import { AccountChanged } from '../../ui/records/account-changed.tsx';
import { Money } from '../../ui/records/money.tsx';

type Balance = Row<'manageBalances'>;
type AmountName = 'pending_cents' | 'approved_cents' | 'carried_cents';

/** Balances by partner and currency, which can be turned into payouts. */
export function BalanceList() {
  const programId = useProgramId();
  const toast = useToast();
  const { cursor } = useSearch({ from: '/app/programs/$programId/payouts' });
  const [, setSearch] = useSearchParams();
  const balances = useApiQuery('manageBalances', { params: { program_id: programId }, query: { cursor } });
  const creation = useApiMutation('manageMakePayouts');
  const show = ({ data: payouts, meta: { more } }: Reply<'manageMakePayouts'>) => {
    const count = payouts.length === 1 ? '1 payout created' : `${payouts.length} payouts created`;
    toast(more ? `${count}. Create all payouts again for the remaining balances.` : count);
    // The balances that are left stay in sight.
    if (payouts.length > 0 && !more) setSearch({ tab: 'payouts', status: 'open' });
  };
  const create = (body: { partner_id?: number; currency?: string }) =>
    creation.mutate(
      { params: { program_id: programId }, body },
      { onSuccess: show, onError: (error) => toast(error.message, 'bad') },
    );
  const rows = balances.data?.data ?? [];
  return (
    <>
      {rows.some(({ carried_cents: cents }) => cents < 0) && (
        <Notice tone="warn">
          A negative amount is carried over when a sale is refunded after its commission was paid or added to a payout.
          It is deducted from the partner’s next payout.
        </Notice>
      )}
      <List
        label="Balances"
        query={balances}
        rowKey={({ partner_id: id, currency }) => `${id} ${currency}`}
        toolbar={
          <div className="flex w-full flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-quiet">One payout per partner and currency with a payable balance.</p>
            <Button
              variant="primary"
              disabled={!rows.some(({ payable_cents: cents }) => cents > 0)}
              isBusy={creation.isPending}
              onClick={() => create({})}
            >
              Create all payouts
            </Button>
          </div>
        }
        columns={[
          {
            title: 'Partner',
            cell: ({ partner_name: name, payout_details: details, account_changed_at: changedAt }) => (
              <>
                <span className="font-medium">{name}</span>
                <div className="max-w-64 truncate text-caption text-quiet" title={details ?? undefined}>
                  {details ?? 'No payout details yet'}
                </div>
                <AccountChanged at={changedAt} />
              </>
            ),
          },
          amountColumn('On hold', 'pending_cents'),
          amountColumn('Approved', 'approved_cents'),
          amountColumn('Carried over', 'carried_cents'),
          {
            title: 'Payable',
            isRightAligned: true,
            cell: ({ payable_cents: cents, currency }) => (
              <strong className="font-semibold">
                <Money cents={cents} currency={currency} />
              </strong>
            ),
          },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: ({ partner_id, partner_name: name, currency, payable_cents: cents }) => (
              <Button
                size="small"
                disabled={cents <= 0 || creation.isPending}
                aria-label={`Create payout for ${name} in ${currency}`}
                onClick={() => create({ partner_id, currency })}
              >
                Create payout
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState icon={Wallet} title="No balances due">
            Commissions become payable when their hold period ends, or earlier if you approve them.
          </EmptyState>
        }
      />
    </>
  );
}

function amountColumn(title: string, name: AmountName): Column<Balance> {
  return {
    title,
    isRightAligned: true,
    showFrom: 'medium',
    cell: (balance) => <Money cents={balance[name]} currency={balance.currency} />,
  };
}
