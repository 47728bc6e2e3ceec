import type { MessageOutcome } from '@svc/contract';
import { formatCount } from './money.ts';

/** What a message looks like to a partner, line by line. */
export function previewOf(text: string, { name, link }: { name: string; link: string }): string {
  return text.replaceAll('{name}', () => name).replaceAll('{link}', () => link);
}

const OUTCOMES: Record<MessageOutcome, string> = {
  queued: 'sent',
  no_account: 'not joined yet',
  unconfirmed: 'without a confirmed address',
  unsubscribed: 'unsubscribed',
  no_link: 'without an active link',
  applied: 'applied',
  blocked: 'blocked',
  removed: 'removed',
  not_found: 'no longer there',
  recipient_limit: 'at the daily limit for their address',
  queue_full: 'while too many emails are waiting',
  sender_unconfirmed: 'until the sender confirms their address',
};

export const outcomeInWords = (outcome: MessageOutcome) => OUTCOMES[outcome];

/** What became of a message so far: “118 sent, 4 unsubscribed, 2 not joined yet”. */
export function resultInWords(outcomes: { outcome: MessageOutcome; count: number }[]): string {
  const sent = outcomes.find(({ outcome }) => outcome === 'queued')?.count ?? 0;
  const others = outcomes.filter(({ outcome }) => outcome !== 'queued');
  return [
    `${formatCount(sent)} sent`,
    ...others.map(({ outcome, count }) => `${formatCount(count)} ${OUTCOMES[outcome]}`),
  ].join(', ');
}
