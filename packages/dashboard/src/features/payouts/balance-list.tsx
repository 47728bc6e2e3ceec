import { Wallet } from 'lucide-react';
import type { Row } from '../../api/client.ts';
import { useAction, useRead } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Money } from '../../ui/records/money.tsx';

type Balance = Row<'manageBalances'>;

/** Balances by partner and currency, and the button that turns them into payouts. */
export function BalanceList() {
  const programId = useProgramId();
  const say = useToast();
  const [{ cursor }, change] = useFilters();
  const balances = useRead('manageBalances', { params: { program_id: programId }, query: { cursor } });
  const making = useAction('manageMakePayouts', (made) => {
    say(made.length === 1 ? 'One payout made' : `${made.length} payouts made`);
    if (made.length > 0) change({ tab: 'payouts', status: 'open' });
  });
  const make = (body: { partner_id?: number; currency?: string }) =>
    making.mutate({ params: { program_id: programId }, body }, { onError: (error) => say(error.message, 'bad') });
  const rows = balances.data?.data ?? [];
  const isCarried = rows.some(({ carried_cents: cents }) => cents < 0);
  const amount = (cents: number, { currency }: Balance) => <Money cents={cents} currency={currency} />;
  return (
    <>
      {isCarried && (
        <Notice tone="warn">
          A balance is carried over when a sale was refunded after its commission had been paid or put into a payout. It
          is taken off the partner’s next payout; nobody has to send money back.
        </Notice>
      )}
      <List
        label="Balances"
        read={balances}
        keyOf={({ partner_id: id, currency }) => `${id} ${currency}`}
        tools={
          <div className="flex w-full flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-quiet">One payout for each partner and currency with something payable.</p>
            <Button
              look="primary"
              disabled={!rows.some(({ payable_cents: cents }) => cents > 0)}
              isBusy={making.isPending}
              onClick={() => make({})}
            >
              Make all payouts
            </Button>
          </div>
        }
        columns={[
          {
            title: 'Partner',
            show: ({ partner_name: name, payout_details: details }) => (
              <>
                <span className="font-medium">{name}</span>
                <div className="max-w-64 truncate text-[0.8125rem] text-quiet" title={details ?? undefined}>
                  {details ?? 'no payout details yet'}
                </div>
              </>
            ),
          },
          { title: 'On hold', isNumber: true, isExtra: true, show: (row) => amount(row.pending_cents, row) },
          { title: 'Approved', isNumber: true, isExtra: true, show: (row) => amount(row.approved_cents, row) },
          { title: 'Carried over', isNumber: true, isExtra: true, show: (row) => amount(row.carried_cents, row) },
          {
            title: 'Payable',
            isNumber: true,
            show: (row) => <strong className="font-semibold">{amount(row.payable_cents, row)}</strong>,
          },
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            show: (row) => (
              <Button
                size="small"
                disabled={row.payable_cents <= 0 || making.isPending}
                aria-label={`Make payout for ${row.partner_name} in ${row.currency}`}
                onClick={() => make({ partner_id: row.partner_id, currency: row.currency })}
              >
                Make payout
              </Button>
            ),
          },
        ]}
        empty={
          <Empty icon={Wallet} title="Nobody has anything coming">
            Commissions become payable when their hold has passed, or when you approve them earlier.
          </Empty>
        }
      />
    </>
  );
}
