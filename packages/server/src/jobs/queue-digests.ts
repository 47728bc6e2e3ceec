import { createDigests } from '../mail/create-digests.ts';
import type { Job } from './job.ts';

export const queueDigests: Job = {
  name: 'queue-digests',
  everySeconds: 1_800,
  async run(ctx) {
    const count = await createDigests(ctx);
    return count === 0 ? null : `queued ${count} digests of the past week`;
  },
};
