import { deleteOldCliSessions } from '../accounts/cli-session-store.ts';
import type { Job } from './job.ts';

const KEPT_MS = 86_400_000;

/** Logins live five minutes; for a day after that they are still told apart from ones that never were. */
export const purgeLogins: Job = {
  name: 'purge-logins',
  everySeconds: 3600,
  async run(ctx) {
    await deleteOldCliSessions(ctx.db, new Date(ctx.now().getTime() - KEPT_MS));
    return null;
  },
};
