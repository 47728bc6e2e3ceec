import { useNavigate } from '@tanstack/react-router';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { ActionsMenu, MenuItem } from '../../ui/forms/menu.tsx';
import type { Commission } from '../../ui/records/commission-columns.tsx';

/** Paid, rejected and reversed commissions are final. The server also refuses those that are in a payout. */
export const canReject = ({ stage, status }: Commission) =>
  (stage === 'pending' || stage === 'approved') && status !== 'reversed';

export function CommissionActions({ programId, commission }: { programId: number; commission: Commission }) {
  const toast = useToast();
  const navigate = useNavigate();
  const { customer_id: customerId, transaction_id: transactionId } = commission;
  const params = { program_id: programId, commission_id: commission.id };
  const approval = useApiMutation('manageApprove', () => toast('Commission approved'));
  const rejection = useApiMutation('manageReject', () => toast('Commission rejected'));
  const onError = (error: Error) => toast(error.message, 'bad');
  const viewCustomer = (id: number) =>
    void navigate({
      to: '/app/programs/$programId/customers/$customerId',
      params: { programId, customerId: String(id) },
    });
  const explain = () =>
    void navigate({
      to: '/app/programs/$programId/explain',
      params: { programId },
      search: { by: 'transaction_id', q: transactionId },
    });
  return (
    <ActionsMenu name={transactionId}>
      {canReject(commission) && commission.stage === 'pending' && (
        <MenuItem onSelect={() => approval.mutate({ params }, { onError })}>Approve</MenuItem>
      )}
      {canReject(commission) && (
        <MenuItem isDanger onSelect={() => rejection.mutate({ params }, { onError })}>
          Reject
        </MenuItem>
      )}
      {customerId !== null && <MenuItem onSelect={() => viewCustomer(customerId)}>View customer</MenuItem>}
      <MenuItem onSelect={explain}>Explain</MenuItem>
    </ActionsMenu>
  );
}
