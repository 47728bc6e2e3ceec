import { deleteOldCliSessions } from '../accounts/cli-session-store.ts';
import type { Job } from './job.ts';

const RETENTION_MS = 86_400_000;

/** CLI logins expire after five minutes. They are kept for a day, so that an expired one is not reported as unknown. */
export const purgeLogins: Job = {
  name: 'purge-logins',
  everySeconds: 3600,
  async run(ctx) {
    await deleteOldCliSessions(ctx.db, new Date(ctx.now().getTime() - RETENTION_MS));
    return null;
  },
};
