import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useIsOwner } from '../../api/program.ts';
import { startViewing } from '../../api/viewing.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../ui/forms/menu.tsx';
import { InviteLinkDialog } from '../../ui/records/invite-link-dialog.tsx';
import { EditPartnerDialog } from './edit-partner-dialog.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';

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

type PartnerActionsProps = { programId: number; partner: Partner; size?: 'small' };

/** Actions for one partner. Those that stop the partner’s earnings ask for confirmation. */
export function PartnerActions({ programId, partner, size }: PartnerActionsProps) {
  const toast = useToast();
  const [confirming, setConfirming] = useState<keyof typeof CONFIRMATIONS | null>(null);
  const [isHandingOver, setHandingOver] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const isOwner = useIsOwner(programId);
  const params = { program_id: programId, partner_id: partner.id };
  const isApplication = partner.status === 'applied';
  const update = useApiMutation('manageUpdatePartner', (updated) => {
    setConfirming(null);
    toast(resultOf(updated, isApplication));
  });
  const invitation = useApiMutation('manageInvitePartner');
  const revocation = useApiMutation('manageRevokePartnerInvitation', () => toast('Invitation revoked'));
  const view = useApiMutation('manageViewAsPartner', startViewing);
  const activate = () => update.mutate({ params, body: { status: 'active' } });
  const confirmation = confirming && CONFIRMATIONS[confirming];
  return (
    <div className="inline-flex items-center gap-1">
      {isApplication && (
        <Button size={size} variant="primary" className="max-md:hidden" onClick={activate} isBusy={update.isPending}>
          Approve
        </Button>
      )}
      <ActionsMenu name={partner.name}>
        {partner.status !== 'active' && <MenuItem onSelect={activate}>{ACTIVATE_LABELS[partner.status]}</MenuItem>}
        {partner.status === 'active' && <MenuItem onSelect={() => view.mutate({ params })}>View as partner</MenuItem>}
        <MenuItem onSelect={() => setEditing(true)}>Edit</MenuItem>
        {!partner.has_account && (
          <>
            <MenuItem onSelect={() => invitation.mutate({ params })}>New invite link</MenuItem>
            <MenuItem onSelect={() => revocation.mutate({ params })}>Revoke invitation</MenuItem>
          </>
        )}
        {partner.has_account && isOwner && (
          <MenuItem onSelect={() => setHandingOver(true)}>Hand over to another account</MenuItem>
        )}
        {partner.status === 'active' && (
          <MenuItem isDanger onSelect={() => setConfirming('block')}>
            Block
          </MenuItem>
        )}
        {partner.status !== 'removed' && (
          <MenuItem isDanger onSelect={() => setConfirming(isApplication ? 'decline' : 'remove')}>
            {isApplication ? 'Decline' : 'Remove'}
          </MenuItem>
        )}
      </ActionsMenu>
      {confirmation && (
        <ConfirmDialog
          title={`${confirmation.label} ${partner.name}?`}
          description={confirmation.description}
          confirmLabel={confirmation.label}
          isOpen
          onClose={() => setConfirming(null)}
          onConfirm={() => update.mutate({ params, body: { status: confirmation.status } })}
          isBusy={update.isPending}
          error={update.error}
        />
      )}
      {invitation.data && (
        <InviteLinkDialog
          recipient={partner.name}
          isOpenLink={invitation.data.data.open_link}
          url={invitation.data.data.invite_url}
          isMailed={invitation.data.data.mailed}
          isOpen
          onClose={() => invitation.reset()}
        />
      )}
      {isEditing && <EditPartnerDialog programId={programId} partner={partner} onClose={() => setEditing(false)} />}
      {isHandingOver && (
        <HandOverDialog programId={programId} partner={partner} onClose={() => setHandingOver(false)} />
      )}
    </div>
  );
}

function resultOf({ name, status }: Data<'manageUpdatePartner'>, wasApplication: boolean): string {
  if (status === 'active') return wasApplication ? `${name} is now a partner` : `${name} is active again`;
  if (status === 'blocked') return `${name} was blocked`;
  return wasApplication ? `${name}’s application was declined` : `${name} was removed`;
}
