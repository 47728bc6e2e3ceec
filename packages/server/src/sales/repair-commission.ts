import { commissionFor, deductionFor, holdEnd } from '../commissions/commission.ts';
import { reversalOf } from '../commissions/commission-state.ts';
import { insertCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { findSaleOwingCommissionForUpdate } from './owed-commission-store.ts';
import { updateCommissionCreated } from './sale-store.ts';

export type RepairOutcome = { is: 'repaired'; commissionId: number } | { is: 'not_owing' } | { is: 'partner_missing' };

/** Creates an owed commission exactly once, on the terms at the time of the sale and minus refunds since. */
export function repairCommission(ctx: Context, saleId: number): Promise<RepairOutcome> {
  return ctx.db.transaction(async (tx) => {
    const sale = await findSaleOwingCommissionForUpdate(tx, saleId);
    if (!sale) return { is: 'not_owing' };
    if (sale.partnerId === null) return { is: 'partner_missing' };

    const terms = {
      type: sale.commissionType,
      rate: sale.commissionRate,
      currency: sale.programCurrency,
      recurringMonths: null,
    };
    const earned = commissionFor(terms, sale);
    const cents = Number(earned.cents);
    const deductedCents = deductionFor(cents, sale.refundedCents, sale.amountCents);
    // Before the commission is inserted, because it is counted for the partner of the sale.
    await updateCommissionCreated(tx, sale.id, sale.partnerId);
    const ids = await insertCommissions(tx, [
      {
        saleId: sale.id,
        programId: sale.programId,
        partnerId: sale.partnerId,
        commissionType: sale.commissionType,
        commissionRate: sale.commissionRate,
        cents: earned.cents,
        deductedCents,
        reversal: reversalOf(sale.refundedCents, sale.amountCents),
        currency: earned.currency,
        approveAfter: holdEnd(sale.createdAt, sale.holdDays),
        createdAt: ctx.now(),
      },
    ]);
    await insertDecision(tx, {
      programId: sale.programId,
      kind: 'commission',
      outcome: 'recorded',
      reason: 'commission_repaired',
      facts: {
        commission_type: sale.commissionType,
        commission_rate: sale.commissionRate,
        commission_cents: cents,
        deducted_cents: deductedCents,
        commission_currency: earned.currency,
      },
      source: 'repair',
      customerId: sale.customerId,
      partnerId: sale.partnerId,
      saleId: sale.id,
      transactionId: sale.transactionId,
      requestId: null,
      isTest: false,
      createdAt: ctx.now(),
    });
    return { is: 'repaired', commissionId: ids.get(sale.id)! };
  });
}
