import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useIsOwner } from '../../api/program.ts';
import { startViewing } from '../../api/viewing.ts';
import { useAction } from '../../ui/feedback/action.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../ui/forms/menu.tsx';
import { EditPartnerDialog } from './edit-partner-dialog.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { NewInviteLinkDialog, RevokePartnerInvitationDialog } from './invitation-dialogs.tsx';

type Partner = Data<'manageUpdatePartner'>;

const KEPT = 'They keep the commissions they have earned.';
const CONFIRMATIONS = {
  block: {
    label: 'Block',
    status: 'blocked',
    description: `Their links stop working immediately, and sales to their customers earn no new commissions. ${KEPT}`,
  },
  remove: {
    label: 'Remove',
    status: 'removed',
    description: `They leave the program: their links stop working and they earn no new commissions. ${KEPT}`,
  },
  decline: {
    label: 'Decline',
    status: 'removed',
    description: 'They won’t become a partner. You can reactivate them later.',
  },
} as const;
const ACTIVATE_LABELS = { applied: 'Approve', blocked: 'Unblock', removed: 'Reactivate' } as const;

type Asked = keyof typeof CONFIRMATIONS | 'edit' | 'hand over' | 'new link' | 'revoke';
type PartnerActionsProps = { programId: number; partner: Partner; size?: 'small' };

/** Actions for one partner. Those that stop the partner’s earnings, or a link of theirs, ask for confirmation. */
export function PartnerActions({ programId, partner, size }: PartnerActionsProps) {
  const toast = useToast();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const isOwner = useIsOwner(programId);
  const params = { program_id: programId, partner_id: partner.id };
  const isApplication = partner.status === 'applied';
  const activation = useAction('manageUpdatePartner', (updated) => toast(resultOf(updated, isApplication)));
  const view = useAction('manageViewAsPartner', startViewing);
  const activate = () => activation.mutate({ params, body: { status: 'active' } });
  const dialog = { programId, partner, onClose: close };
  return (
    <div className="inline-flex items-center gap-1">
      {isApplication && (
        <Button
          size={size}
          variant="primary"
          className="max-md:hidden"
          onClick={activate}
          isBusy={activation.isPending}
        >
          Approve
        </Button>
      )}
      <ActionsMenu name={partner.name}>
        {partner.status !== 'active' && <MenuItem onSelect={activate}>{ACTIVATE_LABELS[partner.status]}</MenuItem>}
        {partner.status === 'active' && <MenuItem onSelect={() => view.mutate({ params })}>View as partner</MenuItem>}
        <MenuItem onSelect={() => setAsked('edit')}>Edit</MenuItem>
        {!partner.has_account && (
          <>
            <MenuItem onSelect={() => setAsked('new link')}>New invite link</MenuItem>
            <MenuItem onSelect={() => setAsked('revoke')}>Revoke invitation</MenuItem>
          </>
        )}
        {partner.has_account && isOwner && (
          <MenuItem onSelect={() => setAsked('hand over')}>Hand over to another account</MenuItem>
        )}
        {partner.status === 'active' && (
          <MenuItem isDanger onSelect={() => setAsked('block')}>
            Block
          </MenuItem>
        )}
        {partner.status !== 'removed' && (
          <MenuItem isDanger onSelect={() => setAsked(isApplication ? 'decline' : 'remove')}>
            {isApplication ? 'Decline' : 'Remove'}
          </MenuItem>
        )}
      </ActionsMenu>
      {(asked === 'block' || asked === 'remove' || asked === 'decline') && <EndingDialog {...dialog} ending={asked} />}
      {asked === 'new link' && <NewInviteLinkDialog {...dialog} />}
      {asked === 'revoke' && <RevokePartnerInvitationDialog {...dialog} />}
      {asked === 'edit' && <EditPartnerDialog {...dialog} />}
      {asked === 'hand over' && <HandOverDialog {...dialog} />}
    </div>
  );
}

type EndingDialogProps = {
  programId: number;
  partner: Partner;
  ending: keyof typeof CONFIRMATIONS;
  onClose: () => void;
};

function EndingDialog({ programId, partner, ending, onClose }: EndingDialogProps) {
  const toast = useToast();
  const { label, status, description } = CONFIRMATIONS[ending];
  const update = useApiMutation('manageUpdatePartner', (updated) => {
    onClose();
    toast(resultOf(updated, ending === 'decline'));
  });
  return (
    <ConfirmDialog
      title={`${label} ${partner.name}?`}
      description={description}
      confirmLabel={label}
      isOpen
      onClose={onClose}
      onConfirm={() => update.mutate({ params: { program_id: programId, partner_id: partner.id }, body: { status } })}
      isBusy={update.isPending}
      error={update.error}
    />
  );
}

function resultOf({ name, status }: Data<'manageUpdatePartner'>, wasApplication: boolean): string {
  if (status === 'active') return wasApplication ? `${name} is now a partner` : `${name} is active again`;
  if (status === 'blocked') return `${name} was blocked`;
  return wasApplication ? `${name}’s application was declined` : `${name} was removed`;
}
