import { listSalesOwingCommission, type SaleOwingCommission } from '../sales/repair/owed-commission-store.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { type RunCommand, wholeNumber } from './command.ts';
import { printable } from './printable.ts';

const MAX_LISTED = 100;
const NOTHING_OWED = 'No sale owes a commission.';

export const listOwed: RunCommand = async (ctx) => {
  const sales = await listSalesOwingCommission(ctx.db, MAX_LISTED);
  const lines = sales.map(
    (sale) =>
      `sale ${sale.id}  program ${sale.programId}  ${printable(sale.transactionId)}  ${sale.amountCents} ${sale.currency}  ` +
      attemptsOf(sale) +
      (sale.partnerId === null ? '  (the partner no longer exists)' : ''),
  );
  return { data: sales, text: lines.length === 0 ? NOTHING_OWED : lines.join('\n') };
};

function attemptsOf({ attempts, gaveUp }: SaleOwingCommission): string {
  const count = `${attempts} failed ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return gaveUp ? `gave up after ${count}; fix the cause, then run repair-owed` : count;
}

export const repairOwed: RunCommand = async (ctx, options) => {
  const ids = options.sale
    ? [wholeNumber(options.sale, '--sale')]
    : (await listSalesOwingCommission(ctx.db, Number.MAX_SAFE_INTEGER)).map((sale) => sale.id);
  const results: { sale_id: number; result: string }[] = [];
  for (const id of ids) {
    const outcome = await repairCommission(ctx, id).catch((error: Error) => ({ is: `failed: ${error.message}` }));
    results.push({ sale_id: id, result: outcome.is });
  }
  const lines = results.map(({ sale_id, result }) => `sale ${sale_id}: ${result.replaceAll('_', ' ')}`);
  return { data: results, text: lines.length === 0 ? NOTHING_OWED : lines.join('\n') };
};
