import type { MailKind } from '@svc/contract';

/** What queueing a mail needs. Contexts without it queue nothing: the installation sends no mail. */
export type MailQueue = {
  /** Encrypts what a mail says until it is sent. */
  seal: (text: string) => string;
  /** The key of the signatures that show that a link was mailed. */
  linkSecret: string;
  baseUrl: string;
  /** How many mails may wait. Beyond it, only those that concern access to accounts are queued, up to twice as many. */
  maxWaiting: number;
  /** How many mails were waiting when they were last counted, and how many were queued since. */
  backlog: { count: number; countedAt: number };
  /** Called when a mail is not queued because too many are waiting, or beyond the limits of its kind. */
  onRefused: (kind: MailKind) => void;
  /** Partners of programs that had a sale before, so that most sales need not ask. Bounded. */
  sellers: Set<string>;
};

const MAX_WAITING = 100_000;

export function createMailQueue(
  options: Pick<MailQueue, 'seal' | 'linkSecret' | 'baseUrl'> & Partial<Pick<MailQueue, 'onRefused' | 'maxWaiting'>>,
): MailQueue {
  const backlog = { count: 0, countedAt: Number.NEGATIVE_INFINITY };
  return { maxWaiting: MAX_WAITING, onRefused: () => {}, ...options, backlog, sellers: new Set() };
}
