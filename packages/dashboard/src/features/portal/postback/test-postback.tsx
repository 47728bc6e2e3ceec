import { Send } from 'lucide-react';
import { useApiMutation } from '../../../api/hooks.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';

/** Calls the saved URL with made-up values, and shows how it went. */
export function TestPostback({ programId }: { programId: number }) {
  const test = useApiMutation('manageTestPostback');
  const result = test.data?.data;
  return (
    <TitledCard
      title="Test"
      description="Calls the URL as it is saved, once, with sample values. {event} says “test”."
      action={
        <Button
          onClick={() => test.mutate({ params: { joined_program_id: programId } })}
          isBusy={test.isPending}
          aria-describedby="postback-test-result"
        >
          <Send size={16} aria-hidden /> Send a test
        </Button>
      }
    >
      <div id="postback-test-result" aria-live="polite" className="space-y-3 text-sm">
        {!result && !test.error && <p className="text-quiet">No test sent yet.</p>}
        {result && (
          <Notice tone={result.status === 'delivered' ? 'good' : 'bad'}>
            {result.status === 'delivered'
              ? `Your server answered with status ${result.last_status}.`
              : result.last_error}
          </Notice>
        )}
        <ErrorNotice error={test.error} />
      </div>
    </TitledCard>
  );
}
