import { MAIL_REFUSALS } from '@svc/contract';
import { type BulkAction, useBulkRows } from '../../../api/bulk.ts';
import { type Row, urlOf } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { describeBulkAction } from '../../../rules/bulk.ts';
import { formatCount } from '../../../rules/money.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { FileLink } from '../../../ui/lists/file-link.tsx';
import type { InvitedLine } from './invited-line.ts';
import { LineList } from './line-list.tsx';

type InvitationResultsProps = { programId: number; bulkActionId: number; onClose: () => void };

/** How far a bulk action that invites is, with *Stop*, and what became of each row, with a file of all of them. */
export function InvitationResults({ programId, bulkActionId, onClose }: InvitationResultsProps) {
  const { action, rows } = useBulkRows(programId, bulkActionId);
  const stop = useApiMutation('manageStopBulkAction');
  if (!action || !rows.data) return null;
  const { data, meta } = rows.data;
  const params = { program_id: programId, bulk_action_id: bulkActionId };
  const isRunning = action.status === 'running';
  const mailing = describeMailing(meta);
  return (
    <Dialog title={describeBulkAction(action)} description={describeRows(action, data.length)} isOpen onClose={onClose}>
      <div className="mb-4 space-y-3">
        {mailing && <Notice tone={meta.not_mailed > 0 ? 'warn' : 'good'}>{mailing}</Notice>}
        <ErrorNotice error={rows.error ?? stop.error} />
      </div>
      {data.length > 0 && <LineList lines={data.map(lineOf)} tense="past" />}
      <DialogActions>
        {isRunning ? (
          <Button isBusy={stop.isPending} onClick={() => stop.mutate({ params })}>
            Stop
          </Button>
        ) : (
          <FileLink
            href={urlOf('manageExportBulkActionRows', { params })}
            label={meta.not_mailed > 0 ? 'Download links' : 'Download list'}
          />
        )}
        <Button onClick={onClose}>{isRunning ? 'Close' : 'Done'}</Button>
      </DialogActions>
    </Dialog>
  );
}

function describeRows({ status, total }: BulkAction, shown: number): string | undefined {
  if (status === 'running') return 'You can close this. It goes on, also when you leave the page.';
  return shown < total && shown > 0
    ? `The first ${formatCount(shown)} of ${formatCount(total)}. The file has all of them.`
    : undefined;
}

/** How the invited people hear of it. */
function describeMailing({ mailed, not_mailed: others }: { mailed: number; not_mailed: number }): string | null {
  const KEPT = 'Each link works once, for the account with that email, for 7 days.';
  if (mailed === 0 && others === 0) return null;
  if (others === 0)
    return 'We’ve emailed them. Each invitation works once, for the account with that email, for 7 days.';
  if (mailed === 0) return `Download the links and send them to your partners. ${KEPT}`;
  return `We’ve emailed ${formatCount(mailed)} of them. Download the links and send the others yourself. ${KEPT}`;
}

function lineOf({
  row,
  name,
  email,
  outcome,
  message,
  mail_refusal: refusal,
}: Row<'manageBulkActionRows'>): InvitedLine {
  const reason = message ?? (refusal && refusal !== 'mail_off' ? `Not emailed. ${MAIL_REFUSALS[refusal]}` : null);
  return { line: row + 1, name: name ?? '', email: email ?? '', outcome, reason };
}
