import { useNavigate } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { formatMoney } from '../../rules/money.ts';
import { useAction } from '../../ui/feedback/action.ts';
import { useToast, useUndoToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../ui/forms/menu.tsx';
import type { Commission } from '../../ui/records/commission-columns.tsx';
import { commissionName } from '../../ui/records/commission-columns.tsx';
import { RejectDialog } from './reject-dialog.tsx';

/** Whether it can be approved or rejected. Paid and reversed commissions are final, and those in a payout are on their way. */
export const canReview = ({ stage, status, payout_id: payoutId }: Commission) =>
  (stage === 'pending' || (stage === 'approved' && payoutId === null)) && status !== 'reversed';

export const canRestore = ({ stage }: Commission) => stage === 'rejected';

export function CommissionActions({ programId, commission }: { programId: number; commission: Commission }) {
  const toast = useToast();
  const navigate = useNavigate();
  const undoToast = useUndoToast();
  const [asked, setAsked] = useState<'approve' | 'reject' | null>(null);
  const { customer_id: customerId, payout_id: payoutId, transaction_id: transactionId } = commission;
  const mayReview = useMay(programId, 'manageApprove');
  const params = { program_id: programId, commission_id: commission.id };
  const approval = useApiMutation('manageApprove', () => {
    toast('Commission approved');
    setAsked(null);
  });
  const restoration = useAction('manageRestore', () => toast('Rejection undone'));
  const rejection = useApiMutation('manageReject', () => {
    undoToast('Commission rejected', { route: 'manageRestore', request: { params }, done: 'Rejection undone' });
    setAsked(null);
  });
  const viewCustomer = (id: number) =>
    void navigate({
      to: '/app/programs/$programId/customers/$customerId',
      params: { programId, customerId: String(id) },
    });
  const viewPayout = (id: number) =>
    void navigate({ to: '/app/programs/$programId/payouts/$payoutId', params: { programId, payoutId: String(id) } });
  const explain = (id: string) =>
    void navigate({
      to: '/app/programs/$programId/explain',
      params: { programId },
      search: { by: 'transaction_id', q: id },
    });
  const close = () => {
    approval.reset();
    rejection.reset();
    setAsked(null);
  };
  const amount = formatMoney(commission.commission_cents - commission.deducted_cents, commission.currency);
  const name = commissionName(commission);
  const canApprove = mayReview && canReview(commission) && commission.stage === 'pending';
  return (
    <div className="inline-flex items-center gap-1">
      {canApprove && (
        <Button
          size="small"
          className="max-md:hidden"
          aria-label={`Approve ${name}`}
          title="Approve"
          onClick={() => setAsked('approve')}
        >
          {/* The word would take the room of a column. */}
          <Check size={15} aria-hidden className="@min-[68rem]:hidden" />
          <span className="hidden @min-[68rem]:inline">Approve</span>
        </Button>
      )}
      <ActionsMenu name={name}>
        {canApprove && <MenuItem onSelect={() => setAsked('approve')}>Approve</MenuItem>}
        {mayReview && canReview(commission) && (
          <MenuItem isDanger onSelect={() => setAsked('reject')}>
            Reject
          </MenuItem>
        )}
        {mayReview && canRestore(commission) && (
          <MenuItem onSelect={() => restoration.mutate({ params })}>Undo rejection</MenuItem>
        )}
        {customerId !== null && <MenuItem onSelect={() => viewCustomer(customerId)}>View customer</MenuItem>}
        {payoutId !== null && <MenuItem onSelect={() => viewPayout(payoutId)}>View payout</MenuItem>}
        {transactionId !== null && <MenuItem onSelect={() => explain(transactionId)}>Explain</MenuItem>}
      </ActionsMenu>
      {asked === 'approve' && (
        <ConfirmDialog
          title={`Approve ${amount} to ${commission.partner_name}?`}
          description="It becomes due at once. An approval can’t be taken back, but until you pay, you can reject it."
          confirmLabel="Approve"
          variant="primary"
          isOpen
          onClose={close}
          onConfirm={() => approval.mutate({ params })}
          isBusy={approval.isPending}
          error={approval.error}
        />
      )}
      {asked === 'reject' && (
        <RejectDialog
          title={`Reject ${amount} to ${commission.partner_name}?`}
          description={`${commission.partner_name} isn’t paid for ${name}.`}
          isBusy={rejection.isPending}
          error={rejection.error}
          onReject={(reason) => rejection.mutate({ params, body: { reason } })}
          onClose={close}
        />
      )}
    </div>
  );
}
