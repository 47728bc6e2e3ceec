import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/forms/dialog.tsx';

type BulkProps = { programId: number; ids: number[]; onDone: () => void };

/** Settles all chosen commissions at once; those that cannot be settled are told apart and harm no other. */
export function BulkActions({ programId, ids, onDone }: BulkProps) {
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const tell = (verb: string) => (results: Data<'manageApproveMany'>) => {
    const done = results.filter(({ outcome }) => outcome === 'done').length;
    const left = results.length - done;
    say(left === 0 ? `${done} ${verb}` : `${done} ${verb}, ${left} could not be`, left === 0 ? 'good' : 'bad');
    setAsking(false);
    onDone();
  };
  const approving = useAction('manageApproveMany', tell('approved'));
  const rejecting = useAction('manageRejectMany', tell('rejected'));
  const sent = { params: { program_id: programId }, body: { ids } };
  if (ids.length === 0) return null;
  return (
    <section
      aria-label="Chosen commissions"
      className="sticky top-3 z-10 mb-4 flex flex-wrap items-center gap-3 rounded-xl border border-accent/40 bg-accent-soft px-5 py-3"
    >
      <span className="mr-auto text-sm font-medium" role="status">
        {ids.length} chosen
      </span>
      <Button size="small" isBusy={approving.isPending} onClick={() => approving.mutate(sent)}>
        Approve
      </Button>
      <Button size="small" look="danger" onClick={() => setAsking(true)}>
        Reject
      </Button>
      <Confirm
        title={`Reject ${ids.length} ${ids.length === 1 ? 'commission' : 'commissions'}?`}
        words="Partners will not be paid for them. This cannot be taken back."
        confirm="Reject"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => rejecting.mutate(sent)}
        isBusy={rejecting.isPending}
        error={rejecting.error}
      />
    </section>
  );
}
