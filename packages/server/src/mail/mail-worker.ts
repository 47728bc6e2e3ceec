import { setTimeout as sleep } from 'node:timers/promises';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import { countWaitingMails, findNextDueMail, releaseMails } from './mail-store.ts';
import { type SendContext, sendDueMails } from './send-due-mails.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** How long a stopping node waits for the mail that it is sending. */
const LAST_MAIL_MS = 5_000;

/**
 * Sends mail as it is queued, on any node, and retries with exponential backoff. All nodes share the work. While the mail
 * server cannot be reached, one mail at a time tries it.
 */
export async function openMailWorker(ctx: SendContext): Promise<DueWorker> {
  let failures = 0;
  let pausedUntil = 0;

  async function process(isStopping: () => boolean): Promise<void> {
    if (ctx.now().getTime() < pausedUntil) return;
    const { isReachable } = await sendDueMails(ctx, isStopping);
    if (isReachable && failures > 0) ctx.log.info({}, 'The mail server can be reached again');
    if (!isReachable && failures === 0) ctx.log.warn({}, 'The mail server cannot be reached; mail waits in the queue');
    failures = isReachable ? 0 : failures + 1;
    pausedUntil = isReachable ? 0 : ctx.now().getTime() + pauseMs(failures);
  }

  const worker = openDueWorker(ctx, {
    failure: 'Sending mail failed',
    process,
    async findNextDue() {
      const next = await findNextDueMail(ctx.db);
      return next && new Date(Math.max(next.getTime(), pausedUntil));
    },
  });
  if (ctx.db.kind === 'embedded') await releaseMails(ctx.db, ctx.now());
  await ctx.db.listen('svc_mail', worker.wake, worker.wake);
  return {
    ...worker,
    async close() {
      // A server that does not answer must not hold the process up. A mail that is cut off is sent again later.
      await Promise.race([worker.close(), sleep(LAST_MAIL_MS, undefined, { ref: false })]);
      ctx.transport.close();
    },
  };
}

function pauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

const MAX_COUNTED = 1_000_000;

/** How many mails are waiting, and how long the oldest due one has been, for the metrics. */
export async function measureQueue({
  db,
  now,
}: Pick<SendContext, 'db' | 'now'>): Promise<{ count: number; age: number }> {
  const next = await findNextDueMail(db);
  const age = next ? Math.max((now().getTime() - next.getTime()) / 1000, 0) : 0;
  return { count: await countWaitingMails(db, MAX_COUNTED), age };
}
