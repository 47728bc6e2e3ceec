import { deleteOldKeys } from '../idempotency/idempotency-store.ts';
import type { Job } from './job.ts';

/** Deletes the answers to requests with an Idempotency-Key after 24 hours. */
export const purgeIdempotencyKeys: Job = {
  name: 'purge-idempotency-keys',
  everySeconds: 3_600,
  async run(ctx) {
    const deleted = await deleteOldKeys(ctx.db);
    return deleted === 0 ? null : `deleted ${deleted} answers to requests with an Idempotency-Key`;
  },
};
