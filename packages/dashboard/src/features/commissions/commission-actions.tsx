import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { Row } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Menu, MenuItem } from '../../ui/forms/menu.tsx';
import { brandPath } from '../../ui/layout/urls.ts';

type Commission = Row<'manageCommissions'>;

export function CommissionActions({ programId, commission }: { programId: number; commission: Commission }) {
  const say = useToast();
  const navigate = useNavigate();
  const params = { program_id: programId, commission_id: commission.id };
  const approving = useAction('manageApprove', () => say('The commission is approved'));
  const rejecting = useAction('manageReject', () => say('The commission is rejected'));
  const refused = { onError: (error: Error) => say(error.message, 'bad') };
  const isOpen = commission.status !== 'reversed';
  return (
    <Menu
      trigger={
        <Button size="small" look="quiet" aria-label={`Actions for ${commission.transaction_id}`}>
          <Ellipsis size={17} aria-hidden />
        </Button>
      }
    >
      {isOpen && commission.stage === 'pending' && (
        <MenuItem onSelect={() => approving.mutate({ params }, refused)}>Approve now</MenuItem>
      )}
      {isOpen && (commission.stage === 'pending' || commission.stage === 'approved') && (
        <MenuItem isDanger onSelect={() => rejecting.mutate({ params }, refused)}>
          Reject
        </MenuItem>
      )}
      {commission.customer_id !== null && (
        <MenuItem onSelect={() => void navigate({ to: brandPath(programId, `customers/${commission.customer_id}`) })}>
          Show the customer’s journey
        </MenuItem>
      )}
      <MenuItem
        onSelect={() =>
          void navigate({
            to: brandPath(programId, 'explain'),
            search: { by: 'transaction_id', q: commission.transaction_id } as never,
          })
        }
      >
        Explain it
      </MenuItem>
    </Menu>
  );
}
