import type { UseMutationResult } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { ApiError, Call, Reply } from '../../../api/client.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';

export type Testing = UseMutationResult<Reply<'manageTestWebhook'>, ApiError, Call<'manageTestWebhook'>>;

type SendTestProps = { programId: number; webhookId: number; testing: Testing };

export function SendTest({ programId, webhookId, testing }: SendTestProps) {
  return (
    <Button
      variant="primary"
      isBusy={testing.isPending}
      onClick={() => testing.mutate({ params: { program_id: programId, webhook_id: webhookId } })}
    >
      <Send size={16} aria-hidden /> {testing.isPending ? 'Sending…' : 'Send test'}
    </Button>
  );
}

/** How the last test went, until the next one is sent. */
export function TestOutcome({ testing }: { testing: Testing }) {
  const delivery = testing.data?.data;
  return (
    <>
      <div role="status" className="mb-6 empty:hidden">
        {delivery &&
          (delivery.status === 'delivered' ? (
            <Notice tone="good">
              The test was delivered. The endpoint answered with status {delivery.last_status}.
            </Notice>
          ) : (
            <Notice tone="bad">The test failed. {delivery.last_error}</Notice>
          ))}
      </div>
      <div className="mb-6 has-[>[role=alert]:empty]:hidden">
        <ErrorNotice error={testing.error} />
      </div>
    </>
  );
}
