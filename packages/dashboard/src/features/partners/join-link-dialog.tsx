import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { SelectField } from '../../ui/forms/select.tsx';

const JOINING_OPTIONS = [
  ['closed', 'Invited partners only'],
  ['on_approval', 'Anyone, after you approve them'],
  ['open', 'Anyone, without approval'],
] as const;

type JoinLinkDialogProps = { programId: number; isOpen: boolean; onClose: () => void };

/** Sets who can join the program without an invitation, and shows the link for it. */
export function JoinLinkDialog({ programId, isOpen, onClose }: JoinLinkDialogProps) {
  const toast = useToast();
  const params = { program_id: programId };
  const program = useApiQuery('manageProgram', { params });
  const update = useApiMutation('manageUpdateProgram', () => toast('Changes saved'));
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog
      title="Join link"
      description="Share it on your site or in a newsletter. People who open it can create an account and join or apply to your program."
      isOpen={isOpen}
      onClose={onClose}
    >
      <QueryState query={program}>
        {({ data: { joining, join_url: url } }) => (
          <div className="space-y-5">
            <ErrorNotice error={update.error} />
            <SelectField
              label="Who can join"
              options={JOINING_OPTIONS}
              value={joining}
              disabled={update.isPending}
              onValueChange={(value) => update.mutate({ params, body: { joining: value } })}
            />
            {url && <CodeBlock text={url} label="Copy join link" />}
            <p className="text-sm text-quiet">
              <Link
                to="/app/programs/$programId/settings"
                params={{ programId }}
                search={{ tab: 'join' }}
                className="text-accent underline"
              >
                Edit the join page
              </Link>
              : logo, color, questions and agreement.
            </p>
            <DialogActions>
              {url && <Button onClick={() => setAsking(true)}>Regenerate link</Button>}
              <Button variant="primary" onClick={onClose}>
                Done
              </Button>
            </DialogActions>
            {isAsking && <RegenerateDialog programId={programId} onClose={() => setAsking(false)} />}
          </div>
        )}
      </QueryState>
    </Dialog>
  );
}

/** Asks before the link that is on sites and in newsletters stops working. */
function RegenerateDialog({ programId, onClose }: { programId: number; onClose: () => void }) {
  const toast = useToast();
  const renewal = useApiMutation('manageRenewJoinLink', () => {
    onClose();
    toast('New join link created. The old one no longer works.');
  });
  return (
    <ConfirmDialog
      title="Regenerate the join link?"
      description="The current link stops working at once, wherever you have shared it. Replace it there with the new one."
      confirmLabel="Regenerate link"
      isOpen
      onClose={onClose}
      onConfirm={() => renewal.mutate({ params: { program_id: programId } })}
      isBusy={renewal.isPending}
      error={renewal.error}
    />
  );
}
