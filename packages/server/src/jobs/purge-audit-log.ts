import { deleteAuditEventsBefore } from '../audit/audit-store.ts';
import { addDays } from '../time.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;
/** What is left after this many batches waits for the next run, so that one run never takes long. */
const MAX_BATCHES = 200;

/** Removes rows of the audit log once they are older than `days`. Nothing else removes any. */
export function purgeAuditLog(days: number): Job {
  return {
    name: 'purge-audit-log',
    everySeconds: 3_600,
    async run(ctx) {
      const before = addDays(ctx.now(), -days);
      let purged = 0;
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        const count = await deleteAuditEventsBefore(ctx.db, before, BATCH);
        purged += count;
        if (count < BATCH) break;
      }
      return purged === 0 ? null : `purged ${purged} rows of the audit log`;
    },
  };
}
