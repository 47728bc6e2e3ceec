import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { countOf } from '../../../rules/bulk.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';

type SendAllAgainProps = {
  programId: number;
  /** The filter of the list of invited partners, and how many it matches. */
  filter: NonNullable<NonNullable<Call<'manageStartResending'>['body']>['filter']>;
  count: number;
  /** Called with the bulk action that invites them again. */
  onStarted: (bulkActionId: number) => void;
};

/** Sends every partner who has been invited a new link, with one button. */
export function SendAllAgain({ programId, filter, count, onStarted }: SendAllAgainProps) {
  const [isOpen, setIsOpen] = useState(false);
  const start = useApiMutation('manageStartResending', ({ id }) => {
    setIsOpen(false);
    onStarted(id);
  });
  const close = () => {
    start.reset();
    setIsOpen(false);
  };
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Send size={16} aria-hidden /> Send all invitations again
      </Button>
      <ConfirmDialog
        title={`Send ${countOf(count, 'invitations')} again?`}
        description="Each partner gets a new link, and their old link stops working. Partners who have reached their daily limit of invitations keep the link they have."
        confirmLabel="Send again"
        variant="primary"
        isOpen={isOpen}
        onClose={close}
        onConfirm={() => start.mutate({ params: { program_id: programId }, body: { filter, count } })}
        isBusy={start.isPending}
        error={start.error}
      />
    </>
  );
}
