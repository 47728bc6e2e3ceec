import { CSV_START, csvLine } from '@svc/contract';
import { Download } from 'lucide-react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button, buttonClass } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import type { InvitedLine } from './invited-line.ts';
import { LineList } from './line-list.tsx';

/** Who was invited, and a file with their links. The server does not store the links, so this is the time to keep them. */
export function InvitedList({ lines, onClose }: { lines: InvitedLine[]; onClose: () => void }) {
  const invited = lines.filter(({ result }) => result?.invite_url);
  const rows = invited.map(({ name, email, result }) => [name, email, result?.invite_url ?? '']);
  const csv = [['Name', 'Email', 'Invite link'], ...rows].map(csvLine).join('');
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(CSV_START + csv)}`;
  return (
    <Dialog
      title={titleOf(invited)}
      description="Each invitation works once, for the account with that email, and expires in 7 days."
      isOpen
      onClose={onClose}
    >
      {invited.length > 0 && (
        <div className="mb-4">
          <Notice tone="warn">
            {howTheyWereSent(invited)} You won’t be able to see them again, but you can create new ones at any time.
          </Notice>
        </div>
      )}
      <LineList lines={lines} tense="past" />
      <DialogActions>
        {invited.length > 0 && (
          <a href={file} download="invite-links.csv" className={buttonClass({ variant: 'primary' })}>
            <Download size={16} aria-hidden /> Download links
          </a>
        )}
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}

/** Links are only what it is about where nobody was mailed. */
function titleOf(invited: InvitedLine[]): string {
  const { length: count } = invited;
  if (count > 0 && invited.every(({ result }) => result?.mailed)) {
    return count === 1 ? '1 partner invited by email' : `${count} partners invited by email`;
  }
  return count === 1 ? '1 invite link created' : `${count} invite links created`;
}

function howTheyWereSent(invited: InvitedLine[]): string {
  const mailed = invited.filter(({ result }) => result?.mailed).length;
  if (mailed === 0) return 'Download the links now and send them to your partners.';
  if (mailed === invited.length) return 'We’ve emailed them. Download them now if you want to send them yourself, too.';
  return `We’ve emailed ${mailed} of them. Download the links now and send the others yourself.`;
}
