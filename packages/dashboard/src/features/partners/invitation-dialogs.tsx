import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { ReplaceInviteLinkDialog, RevokeInvitationDialog } from '../../ui/records/invitation-dialogs.tsx';
import { InviteLinkDialog } from '../../ui/records/invite-link-dialog.tsx';

type InvitationDialogProps = { programId: number; partner: { id: number; name: string }; onClose: () => void };

/** Asks before the link that a partner may have is replaced, then shows the new one. */
export function NewInviteLinkDialog({ programId, partner: { id, name }, onClose }: InvitationDialogProps) {
  const invitation = useApiMutation('manageInvitePartner');
  const invited = invitation.data?.data;
  if (invited) {
    return (
      <InviteLinkDialog
        recipient={name}
        isOpenLink={invited.open_link}
        url={invited.invite_url}
        isMailed={invited.mailed}
        isOpen
        onClose={onClose}
      />
    );
  }
  return (
    <ReplaceInviteLinkDialog
      recipient={name}
      onClose={onClose}
      onConfirm={() => invitation.mutate({ params: { program_id: programId, partner_id: id } })}
      isBusy={invitation.isPending}
      error={invitation.error}
    />
  );
}

/** Asks before the link of a partner who has no account yet stops working. */
export function RevokePartnerInvitationDialog({ programId, partner: { id, name }, onClose }: InvitationDialogProps) {
  const toast = useToast();
  const revocation = useApiMutation('manageRevokePartnerInvitation', () => {
    onClose();
    toast('Invitation revoked');
  });
  return (
    <RevokeInvitationDialog
      recipient={name}
      onClose={onClose}
      onConfirm={() => revocation.mutate({ params: { program_id: programId, partner_id: id } })}
      isBusy={revocation.isPending}
      error={revocation.error}
    />
  );
}
