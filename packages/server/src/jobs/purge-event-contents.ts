import { deletePayloads } from '../payments/event-store.ts';
import type { Job } from './job.ts';

const KEPT_DAYS = 30;

/** Contents of events name people; once an event is done with they are kept only as long as one may want to replay it. */
export const purgeEventContents: Job = {
  name: 'purge-event-contents',
  everySeconds: 3_600,
  async run(ctx) {
    const before = new Date(ctx.now().getTime() - KEPT_DAYS * 86_400_000);
    const count = await deletePayloads(ctx.db, before);
    return count === 0 ? null : `forgot the contents of ${count} processor events`;
  },
};
