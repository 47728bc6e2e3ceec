import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import type { InvitedLine } from './invited-line.ts';
import { LineList } from './line-list.tsx';

type InviteesPreviewProps = {
  lines: InvitedLine[];
  isBusy: boolean;
  error: Error | null;
  onBack: () => void;
  onInvite: () => void;
  onClose: () => void;
};

/** What happens to each line, before it happens. */
export function InviteesPreview({ lines, isBusy, error, onBack, onInvite, onClose }: InviteesPreviewProps) {
  const isNew = ({ outcome }: InvitedLine) => outcome === 'invited' || outcome === 'added';
  const count = lines.filter(isNew).length;
  const left = lines.length - count;
  return (
    <Dialog
      title={count === 1 ? 'Invite 1 partner?' : `Invite ${count} partners?`}
      description={left > 0 ? `${left} of ${lines.length} lines will be left out, as shown below.` : undefined}
      isOpen
      onClose={onClose}
    >
      <LineList lines={lines} tense="future" />
      <ErrorNotice error={error} />
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button variant="primary" disabled={count === 0} isBusy={isBusy} onClick={onInvite}>
          {count === 1 ? 'Invite 1 partner' : `Invite ${count} partners`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
