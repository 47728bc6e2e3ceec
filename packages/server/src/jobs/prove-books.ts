import { listUnproven } from '../books/book-store.ts';
import { proveBooks as prove } from '../books/prove-books.ts';
import { withoutRest } from '../db/rest.ts';
import { HOUR_MS } from '../time.ts';
import type { Job } from './job.ts';

const BATCH = 100;
/** Each program has its turn once a day, at about the same time. */
const PROVED_FOR_MS = 23 * HOUR_MS;

export const proveBooks: Job = {
  name: 'prove-books',
  everySeconds: 3600,
  rests: 4,
  async run(ctx, rest = withoutRest) {
    const now = ctx.now();
    const before = new Date(now.getTime() - PROVED_FOR_MS);
    let [proved, wrong] = [0, 0];
    for (;;) {
      const programs = await listUnproven(ctx.db, before, now, BATCH);
      for (const programId of programs) {
        const differences = await prove(ctx, programId);
        proved += 1;
        if (differences.length > 0) {
          wrong += 1;
          ctx.log.error({ program: programId, differences }, 'The books do not agree with commissions and payouts');
        }
        await rest();
      }
      if (programs.length < BATCH) break;
    }
    return proved === 0 ? null : `proved the books of ${proved} programs, ${wrong} of them do not agree`;
  },
};
