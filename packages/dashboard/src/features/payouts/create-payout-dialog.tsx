import { PAYOUT_KIND_NAMES } from '@svc/contract';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { formatMoney } from '../../rules/money.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { type DetailRow, Details } from '../../ui/layout/details.tsx';
import { Money } from '../../ui/records/money.tsx';

type Balance = Row<'manageBalances'>;
type CreatePayoutDialogProps = {
  programId: number;
  payee: Pick<Balance, 'partner_id' | 'partner_name' | 'currency'>;
  onClose: () => void;
};

/** Shows what a payout to one partner would contain, then creates it. Money that was sent already can be recorded with it. */
export function CreatePayoutDialog({ programId, payee, onClose }: CreatePayoutDialogProps) {
  const toast = useToast();
  const { partner_id, partner_name: name, currency } = payee;
  const params = { program_id: programId };
  const balances = useApiQuery('manageBalances', {
    params,
    query: { partner_id, payable: 'true', include_inactive: 'true' },
  });
  const [isSent, setSent] = useState(false);
  const [reference, setReference] = useState('');
  const creation = useApiMutation('manageMakePayouts');
  const marking = useApiMutation('manageMarkPaid');
  const markPaid = (payoutId: number, amount: string) =>
    marking.mutate(
      { params: { ...params, payout_id: payoutId }, body: { reference } },
      {
        onSuccess: () => toast(`Payout of ${amount} to ${name} created and marked as paid`),
        onError: ({ message }) => toast(`The payout was created, but not marked as paid. ${message}`, 'bad'),
        onSettled: onClose,
      },
    );
  const create = ({ payable_cents }: Balance) => {
    const amount = formatMoney(payable_cents, currency);
    creation.mutate(
      {
        params,
        body: { partner_id, currency, include_inactive: true, count: 1, totals: [{ currency, payable_cents }] },
      },
      {
        onSuccess: ({ data: [payout] }) => {
          if (isSent && payout) return markPaid(payout.id, amount);
          toast(`Payout of ${amount} to ${name} created`);
          onClose();
        },
        // The balance may have changed while the dialog was open.
        onError: () => void balances.refetch(),
      },
    );
  };
  return (
    <Dialog
      title={`Pay ${name} by hand`}
      description="Creates a payout without an approval and without a file. You send the money yourself, then mark it as paid."
      isOpen
      onClose={onClose}
    >
      <QueryState query={balances} lines={4}>
        {({ data }) => {
          const balance = data.find((each) => each.currency === currency);
          return (
            <Form error={creation.error} onSubmit={() => balance && create(balance)}>
              {balance ? <Preview balance={balance} /> : <p className="text-sm">There is nothing to pay.</p>}
              {balance && <SentAlready {...{ isSent, reference }} onSent={setSent} onReference={setReference} />}
              <DialogActions>
                <Button onClick={onClose}>Cancel</Button>
                <Button
                  type="submit"
                  variant="primary"
                  isBusy={creation.isPending || marking.isPending}
                  disabled={!balance || balances.isFetching}
                >
                  {isSent ? 'Create and mark as paid' : 'Create payout'}
                </Button>
              </DialogActions>
            </Form>
          );
        }}
      </QueryState>
    </Dialog>
  );
}

type SentAlreadyProps = {
  isSent: boolean;
  reference: string;
  onSent: (isSent: boolean) => void;
  onReference: (reference: string) => void;
};

/** For money that has been sent before: nothing else has to be done about the payout later. */
function SentAlready({ isSent, reference, onSent, onReference }: SentAlreadyProps) {
  return (
    <div className="space-y-3">
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={isSent}
          onChange={(event) => onSent(event.target.checked)}
        />
        <span>I have sent the money: mark it as paid</span>
      </label>
      {isSent && (
        <TextField
          label="Reference"
          maxLength={255}
          value={reference}
          onChange={(event) => onReference(event.target.value)}
          hint="Optional. The transfer ID from your bank or PayPal, visible to the partner."
        />
      )}
    </div>
  );
}

function Preview({ balance }: { balance: Balance }) {
  const { partner_name: name, partner_status: status, currency, carried_cents: carried } = balance;
  const { due_commissions: count, payout_method_kind: kind, payout_method: masked } = balance;
  const money = (cents: number) => <Money cents={cents} currency={currency} />;
  const rows: (DetailRow | null)[] = [
    ['Partner', name],
    status !== null && status !== 'active' ? ['Status', <StatusBadge key="status" status={status} />] : null,
    ['Contains', countOf(count, 'commissions')],
    carried < 0 ? ['Approved', money(balance.approved_cents)] : null,
    carried < 0 ? ['Carried over', money(carried)] : null,
    ['Total', <strong key="total">{money(balance.payable_cents)}</strong>],
    kind ? ['Pay to', `${PAYOUT_KIND_NAMES[kind]} ${masked}`] : null,
  ];
  return (
    <>
      <Details rows={rows.filter((row) => row !== null)} />
      {!kind && <Notice tone="warn">{name} hasn’t added a payout method yet.</Notice>}
    </>
  );
}
