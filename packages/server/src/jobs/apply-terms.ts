import { applyTiers } from '../partners/groups/apply-tiers.ts';
import { updateBegunTerms } from '../programs/program-terms-store.ts';
import type { Job } from './job.ts';

/** Puts scheduled terms into force. Sales follow them from their first moment anyway: every node knows when they begin. */
export const applyScheduledTerms: Job = {
  name: 'apply-scheduled-terms',
  everySeconds: 60,
  async run(ctx) {
    const count = await updateBegunTerms(ctx.db, ctx.now());
    return count === 0 ? null : `put the scheduled terms of ${count} programs into force`;
  },
};

export const moveByTiers: Job = {
  name: 'move-by-tiers',
  everySeconds: 300,
  async run(ctx) {
    const moved = await applyTiers(ctx);
    return moved === 0 ? null : `moved ${moved} partners to other groups`;
  },
};
