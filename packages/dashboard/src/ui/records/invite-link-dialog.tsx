import { settings } from '../../api/settings.ts';
import { Button } from '../forms/button.tsx';
import { CodeBlock } from '../forms/copy.tsx';
import { Dialog, DialogActions } from '../forms/dialog.tsx';

type InviteLinkDialogProps = {
  recipient: string;
  /** Whether anyone can accept it, instead of only the account with the invited address. */
  isOpenLink: boolean;
  url: string;
  /** Whether the link was emailed as well. */
  isMailed: boolean;
  isOpen: boolean;
  onClose: () => void;
};

/** What happens to the link of an invitation, before it is created. */
export function howInvitesAreSent(): string {
  return settings.mail
    ? 'We’ll email them an invite link. You can also send it yourself.'
    : 'You’ll get an invite link to send them yourself. This installation doesn’t send email.';
}

/** What the button does. */
export const inviteLabel = () => (settings.mail ? 'Send invitation' : 'Create invite link');

/** Shows the link of an invitation. The server does not store it, so it cannot be shown again. */
export function InviteLinkDialog({ recipient, isOpenLink, url, isMailed, isOpen, onClose }: InviteLinkDialogProps) {
  const whoCanAccept = isOpenLink
    ? 'Anyone who has the link can accept it.'
    : 'Only an account with the invited email can accept it.';
  return (
    <Dialog
      title={isMailed ? `We’ve emailed the link to ${recipient}` : `Send this link to ${recipient}`}
      description={`${howItWasSent(isMailed)} The link works once and expires in 7 days. ${whoCanAccept} You won’t be able to see it again, but you can create a new one at any time.`}
      isOpen={isOpen}
      onClose={onClose}
    >
      <CodeBlock text={url} label="Copy invite link" />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function howItWasSent(isMailed: boolean): string {
  if (isMailed) return 'You can also send it yourself.';
  if (!settings.mail) return 'This installation doesn’t send email.';
  return 'We didn’t email it: your own email address isn’t confirmed yet, or this address has had several invitations today.';
}
