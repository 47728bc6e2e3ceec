import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { useAction } from '../../../ui/feedback/action.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import { Time } from '../../../ui/records/time.tsx';
import type { Postback } from './postback.ts';
import { PostbackCalls } from './postback-calls.tsx';
import { PostbackForm } from './postback-form.tsx';
import { TestPostback } from './test-postback.tsx';

/** The partner’s own postback: its URL, a test, and what became of the last calls. */
export function Page() {
  const programId = useProgramId();
  const params = { joined_program_id: programId };
  const query = useApiQuery('managePostback', { params });
  return (
    <>
      <PageHeader
        title="Postback"
        description="Have your tracker called when something happens to one of your commissions. Only you can see what is set up here."
      />
      <QueryState query={query} lines={6}>
        {({ data: { postback } }) => (
          <div className="max-w-4xl space-y-6">
            {postback && <PostbackState programId={programId} postback={postback} />}
            <PostbackForm programId={programId} postback={postback} />
            {postback && (
              <>
                <TestPostback programId={programId} />
                <PostbackCalls programId={programId} />
                <EndPostback programId={programId} postback={postback} />
              </>
            )}
          </div>
        )}
      </QueryState>
    </>
  );
}

/** Says when calls fail or are turned off, and turns them on again. */
function PostbackState({ programId, postback }: { programId: number; postback: Postback }) {
  const toast = useToast();
  const { method, url, status, disabled_reason: reason, failing_since: since } = postback;
  const saving = useAction('manageSavePostback', () => toast('Postback turned on'));
  const turnOn = () =>
    saving.mutate({ params: { joined_program_id: programId }, body: { method, url, status: 'active' } });
  if (status === 'active') {
    if (since === null) return null;
    return (
      <Notice tone="warn">
        Calls have been failing since <Time at={since} />. The list below says why. After five days in which none
        arrives, we turn the postback off.
      </Notice>
    );
  }
  return (
    <Notice tone={reason === 'person' ? 'info' : 'bad'}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>
          <strong>This postback is turned off.</strong> {WHY_OFF[reason ?? 'person']}
        </span>
        <Button size="small" onClick={turnOn} isBusy={saving.isPending}>
          Turn on again
        </Button>
      </div>
    </Notice>
  );
}

const WHY_OFF: Record<NonNullable<Postback['disabled_reason']>, string> = {
  person: 'You turned it off. What happens in the meantime is not reported later.',
  gone: 'Your server answered 410, which means that it wants no more calls.',
  failing: 'Every call failed for five days. What happens in the meantime is not reported later.',
};

function EndPostback({ programId, postback }: { programId: number; postback: Postback }) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const params = { joined_program_id: programId };
  const saving = useAction('manageSavePostback', () => toast('Postback turned off'));
  const deletion = useApiMutation('manageDeletePostback', () => {
    toast('Postback deleted');
    setOpen(false);
  });
  const { method, url, status } = postback;
  const turnOff = () => saving.mutate({ params, body: { method, url, status: 'disabled' } });
  return (
    <TitledCard title="Turn off or delete" description="Your commissions stay as they are. Only the calls end.">
      <div className="flex flex-wrap gap-2">
        {status === 'active' && (
          <Button onClick={turnOff} isBusy={saving.isPending}>
            Turn off
          </Button>
        )}
        <Button variant="danger" onClick={() => setOpen(true)}>
          Delete postback
        </Button>
      </div>
      <ConfirmDialog
        title="Delete this postback?"
        description="Its URL and the list of calls are deleted. What is waiting to be sent is not sent."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel="Delete"
        onConfirm={() => deletion.mutate({ params })}
        isBusy={deletion.isPending}
        error={deletion.error}
      />
    </TitledCard>
  );
}
