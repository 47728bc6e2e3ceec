import { listSalesOwingCommission } from '../sales/owed-commission-store.ts';
import { repairCommission } from '../sales/repair-commission.ts';
import type { Job } from './job.ts';

const BATCH = 100;

export const repairCommissions: Job = {
  name: 'repair-commissions',
  everySeconds: 60,
  async run(ctx) {
    let repaired = 0;
    let lastId = 0;
    for (;;) {
      const sales = await listSalesOwingCommission(ctx.db, BATCH, lastId);
      for (const sale of sales) {
        lastId = sale.id;
        try {
          if ((await repairCommission(ctx, sale.id)).is === 'repaired') repaired += 1;
        } catch (error) {
          // A commission that cannot be created yet must not hold up the others.
          ctx.log.error({ err: error, saleId: sale.id }, 'The commission of a sale cannot be created yet');
        }
      }
      if (sales.length < BATCH) break;
    }
    return repaired === 0 ? null : `created ${repaired} owed commissions`;
  },
};
