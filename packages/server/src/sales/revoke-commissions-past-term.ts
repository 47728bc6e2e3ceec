import { earnsCommission } from '../commissions/commission.ts';
import { deleteUnpaidCommission } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { listRenewals, type Renewal } from './renewal-store.ts';
import { termsOf } from './sale.ts';
import { updateCommissionNone } from './sale-store.ts';

/**
 * Revokes commissions on renewals beyond the program's recurring months, after an earlier first sale of the customer became
 * known. Commissions that were ever in a payout are kept.
 */
export async function revokeCommissionsPastTerm(ctx: Context, program: Program, customerId: number): Promise<void> {
  const { firstSaleAt, renewals } = await listRenewals(ctx.db, program.id, customerId);
  for (const renewal of renewals) {
    if (earnsCommission(termsOf(program), true, firstSaleAt, renewal.paidAt)) continue;
    await revoke(ctx, program, customerId, renewal);
  }
}

function revoke(ctx: Context, program: Program, customerId: number, renewal: Renewal): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (!(await deleteUnpaidCommission(tx, renewal.commissionId))) return;
    await updateCommissionNone(tx, renewal.saleId);
    await insertDecision(tx, {
      programId: program.id,
      kind: 'commission',
      outcome: 'not_attributed',
      reason: 'renewal_without_commission',
      facts: {},
      source: 'processor',
      customerId,
      partnerId: renewal.partnerId,
      saleId: renewal.saleId,
      transactionId: renewal.transactionId,
      requestId: null,
      isTest: false,
      createdAt: ctx.now(),
    });
  });
}
