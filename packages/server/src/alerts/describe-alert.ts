import type { AlertKind } from '@svc/contract';

const SENTENCES: Record<AlertKind, (name: string) => string> = {
  webhook_failing: (host) => `Nothing arrives at the webhook endpoint ${host}.`,
  payment_events_failing: (processor) =>
    `Payment events from ${processor} are not processed. Sales or refunds may be missing.`,
  books_differ: () => 'The books do not agree with commissions and payouts. Check the amounts before you pay anyone.',
};

/** What is wrong, as a sentence. */
export function describeAlert({ kind, subject_name: name }: { kind: AlertKind; subject_name: string }): string {
  return SENTENCES[kind](name);
}
