import { updateHoldEnded } from '../commissions/commission-store.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

export const approveCommissions: Job = {
  name: 'approve-commissions',
  everySeconds: 60,
  async run(ctx) {
    let approved = 0;
    for (;;) {
      const count = await updateHoldEnded(ctx.db, ctx.now(), BATCH);
      approved += count;
      if (count < BATCH) break;
    }
    return approved === 0 ? null : `approved ${approved} commissions whose hold has ended`;
  },
};
