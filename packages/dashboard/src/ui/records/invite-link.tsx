import { Button } from '../forms/button.tsx';
import { CodeBlock } from '../forms/copy.tsx';
import { Dialog } from '../forms/dialog.tsx';

type InviteLinkProps = { to: string; url: string; isOpen: boolean; onClose: () => void };

/** The link of an invitation, this one time. */
export function InviteLink({ to, url, isOpen, onClose }: InviteLinkProps) {
  return (
    <Dialog
      title={`Send this link to ${to}`}
      words="It works once, for seven days. It is not shown again, but you can make a new one at any time."
      isOpen={isOpen}
      onClose={onClose}
    >
      <CodeBlock text={url} label="Copy the invitation link" />
      <div className="mt-5 flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
