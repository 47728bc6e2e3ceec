import { ConfirmDialog } from '../forms/dialog.tsx';
import { howInvitesAreSent } from './invite-link-dialog.tsx';

type InvitationDialogProps = {
  /** Who was invited. */
  recipient: string;
  onConfirm: () => void;
  onClose: () => void;
  isBusy: boolean;
  error: Error | null;
};

/** Asks before the link of an invitation is replaced, whether it is to the team or to a program. */
export function ReplaceInviteLinkDialog({ recipient, ...asking }: InvitationDialogProps) {
  return (
    <ConfirmDialog
      title={`Create a new invite link for ${recipient}?`}
      description={`The link they may already have stops working. ${howInvitesAreSent()}`}
      confirmLabel="Create link"
      variant="primary"
      isOpen
      {...asking}
    />
  );
}

/** Asks before the link of an invitation stops working. */
export function RevokeInvitationDialog({ recipient, ...asking }: InvitationDialogProps) {
  return (
    <ConfirmDialog
      title={`Revoke the invitation for ${recipient}?`}
      description="The link they may already have stops working. You can invite them again."
      confirmLabel="Revoke invitation"
      isOpen
      {...asking}
    />
  );
}
