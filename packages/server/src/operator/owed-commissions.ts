import { listSalesOwingCommission } from '../sales/owed-commission-store.ts';
import { repairCommission } from '../sales/repair-commission.ts';
import { type OperatorCommand, wholeNumber } from './command.ts';

const LISTED = 100;

export const listOwedCommand: OperatorCommand = {
  name: 'list-owed',
  description: 'list sales that owe a commission',
  options: [],
  async run(ctx) {
    const sales = await listSalesOwingCommission(ctx.db, LISTED);
    const lines = sales.map(
      (sale) =>
        `sale ${sale.id}  program ${sale.programId}  ${sale.transactionId}  ${sale.amountCents} ${sale.currency}` +
        (sale.partnerId === null ? '  (the partner is missing)' : ''),
    );
    return { data: sales, text: lines.length === 0 ? 'No sale owes a commission.' : lines.join('\n') };
  },
};

export const repairOwedCommand: OperatorCommand = {
  name: 'repair-owed',
  description: 'create the commissions that sales owe, all of them or one',
  options: [{ flags: '--sale <id>', description: 'id of one sale' }],
  async run(ctx, options) {
    const ids = options.sale
      ? [wholeNumber(options.sale, '--sale')]
      : (await listSalesOwingCommission(ctx.db, Number.MAX_SAFE_INTEGER)).map((sale) => sale.id);
    const results: { sale_id: number; result: string }[] = [];
    for (const id of ids) {
      const outcome = await repairCommission(ctx, id).catch((error: Error) => ({ is: `failed: ${error.message}` }));
      results.push({ sale_id: id, result: outcome.is });
    }
    const lines = results.map(({ sale_id, result }) => `sale ${sale_id}: ${result.replace('_', ' ')}`);
    return { data: results, text: lines.length === 0 ? 'No sale owes a commission.' : lines.join('\n') };
  },
};
