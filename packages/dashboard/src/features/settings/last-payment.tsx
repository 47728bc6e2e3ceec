import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { isLastPaymentMatched } from '../../rules/last-payment.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { type Connection, PROCESSOR_WORDS } from './processor-words.ts';

type LastPaymentProps = { programId: number; provider: Connection['provider'] };

/** Whether the newest payment named its customer, which is how a brand sees that its checkout is right. */
export function LastPayment({ programId, provider }: LastPaymentProps) {
  const request = { params: { program_id: programId }, query: { provider } };
  const events = useApiQuery('manageProcessorEvents', request, { refetchMs: POLL_MS });
  const isMatched = isLastPaymentMatched(events.data?.data ?? []);
  if (isMatched === undefined) return null;
  if (isMatched) return <Notice tone="good">The last payment was matched to a customer.</Notice>;
  return (
    <Notice tone="warn">
      The last payment was matched to nobody. If its customer came through a partner’s link, check that the checkout
      sends the {PROCESSOR_WORDS[provider].data} of step 4.
    </Notice>
  );
}
