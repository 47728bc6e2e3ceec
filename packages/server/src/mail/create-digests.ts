import type { Context } from '../context.ts';
import { addDays, DAY_MS, HOUR_MS } from '../time.ts';
import { type DigestPosition, hasDigests, insertDigestWeek, listDigests } from './digest-store.ts';
import { queueMails } from './queue-mail.ts';

const PAGE = 500;
/** By then all sales of the week are rolled up. */
const FIRST_HOUR_MS = 6 * HOUR_MS;

/** Queues a digest of the past week for everyone who had sales in it, once, from Monday at 6:00 UTC. Returns how many. */
export async function createDigests(ctx: Context): Promise<number> {
  if (!ctx.mail) return 0;
  const { from, to } = weekBefore(new Date(ctx.now().getTime() - FIRST_HOUR_MS));
  if (await hasDigests(ctx.db, from)) return 0;
  let count = 0;
  let after: DigestPosition | null = null;
  for (;;) {
    const digests = await listDigests(ctx.db, { from, to }, after, PAGE);
    const last = digests.at(-1);
    if (!last) break;
    // The last day is part of the week, and `to` is the day after it.
    const until = addDays(new Date(to), -1).toISOString();
    const mails = digests.map(({ programId, userId, isOwn, sales, amounts, moves }) => ({
      kind: 'weekly_digest' as const,
      cause: `${programId} ${userId} ${isOwn} ${from}`,
      programId,
      to: { userId },
      fields: { isOwn, from: new Date(from).toISOString(), to: until, sales, amounts, moves },
    }));
    await ctx.db.transaction((tx) => queueMails(tx, ctx, mails));
    count += digests.length;
    after = last;
  }
  await insertDigestWeek(ctx.db, from);
  return count;
}

/** The whole week before the one of the time, from Monday to Monday, as days in UTC. */
function weekBefore(time: Date): { from: string; to: string } {
  const daysSinceMonday = (time.getUTCDay() + 6) % 7;
  const monday = addDays(new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS), -daysSinceMonday);
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  return { from: dayOf(addDays(monday, -7)), to: dayOf(monday) };
}
