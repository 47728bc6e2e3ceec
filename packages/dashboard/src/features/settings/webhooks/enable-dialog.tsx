import { useState } from 'react';
import type { Data } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { countOf } from '../../../rules/bulk.ts';
import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import type { Webhook } from './webhook-words.ts';

type EnableDialogProps = { programId: number; webhook: Webhook; onClose: () => void };

/** Enables an endpoint, with or without what it has missed. */
export function EnableDialog({ programId, webhook, onClose }: EnableDialogProps) {
  const toast = useToast();
  const [sendsMissed, setSendsMissed] = useState(true);
  const params = { program_id: programId, webhook_id: webhook.id };
  const missed = useApiQuery('manageMissedEvents', { params }, { keepPrevious: false });
  const enabling = useApiMutation('manageChangeWebhook', () => {
    toast('Webhook enabled');
    onClose();
  });
  return (
    <Dialog title="Enable this webhook?" description="Events are sent to it again." isOpen onClose={onClose}>
      <QueryState query={missed} lines={2}>
        {({ data }) => (
          <div className="space-y-4">
            {data.events > 0 ? (
              <label className="flex items-center gap-2.5 text-sm">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={sendsMissed}
                  onChange={() => setSendsMissed(!sendsMissed)}
                />
                Send what was missed: {countOf(data.events, 'events')} since it was disabled
              </label>
            ) : (
              <p className="text-sm">It has missed no events since it was disabled.</p>
            )}
            <Waiting pending={data.pending} />
            <ErrorNotice error={enabling.error} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                variant="primary"
                isBusy={enabling.isPending}
                onClick={() =>
                  enabling.mutate({ params, body: { status: 'active', send_missed: sendsMissed && data.events > 0 } })
                }
              >
                Enable
              </Button>
            </DialogActions>
          </div>
        )}
      </QueryState>
    </Dialog>
  );
}

function Waiting({ pending }: Pick<Data<'manageMissedEvents'>, 'pending'>) {
  if (pending === 0) return null;
  return (
    <p className="text-sm text-quiet">
      {pending === 1
        ? '1 delivery was pending when it was disabled. It is sent in any case.'
        : `${countOf(pending, 'deliveries')} were pending when it was disabled. They are sent in any case.`}
    </p>
  );
}
