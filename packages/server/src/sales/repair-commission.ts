import {
  commissionableCents,
  commissionFor,
  deductionFor,
  type Earned,
  holdEnd,
  isRepresentable,
} from '../commissions/commission.ts';
import { reversalOf } from '../commissions/commission-state.ts';
import { insertCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { termsFacts } from '../terms/terms-facts.ts';
import { findSaleOwingCommissionForUpdate, type SaleOwingCommission } from './owed-commission-store.ts';
import { updateCommissionCreated, updateCommissionNone } from './sale-store.ts';

export type RepairOutcome =
  | { is: 'repaired'; commissionId: number }
  | { is: 'not_owing' | 'partner_missing' | 'commission_too_large' };

/** Creates an owed commission exactly once, on the terms at the time of the sale and minus refunds since. */
export function repairCommission(ctx: Context, saleId: number): Promise<RepairOutcome> {
  return ctx.db.transaction(async (tx) => {
    const sale = await findSaleOwingCommissionForUpdate(tx, saleId);
    if (!sale) return { is: 'not_owing' };
    const earned = earnedOn(sale);
    // Sales of an earlier release may owe one that can never be created.
    if (!isRepresentable(earned)) return giveUpTooLarge(ctx, tx, sale);
    const { partnerId } = sale;
    if (partnerId === null) return { is: 'partner_missing' };
    return { is: 'repaired', commissionId: await createOwed(ctx, tx, { ...sale, partnerId }, earned) };
  });
}

function earnedOn(sale: SaleOwingCommission): Earned {
  return commissionFor(termsOf(sale), sale);
}

async function createOwed(
  ctx: Context,
  tx: Queryable,
  sale: SaleOwingCommission & { partnerId: number },
  earned: Earned,
): Promise<number> {
  const cents = Number(earned.cents);
  const deductedCents = deductionFor(cents, sale.refundedCents, sale.amountCents);
  // Before the commission is inserted, because it is counted for the partner of the sale.
  await updateCommissionCreated(tx, sale.id, sale.partnerId);
  const ids = await insertCommissions(tx, [
    {
      kind: 'sale',
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
      holdReason: sale.holdReason,
      termsVersion: sale.termsVersion,
      createdAt: ctx.now(),
    },
  ]);
  await insertDecision(tx, {
    ...decisionOn(ctx, sale),
    outcome: 'recorded',
    reason: 'commission_repaired',
    facts: {
      ...factsOf(sale),
      commission_cents: cents,
      deducted_cents: deductedCents,
      commission_currency: earned.currency,
      hold_reason: sale.holdReason ?? undefined,
    },
  });
  return ids.get(sale.id)!;
}

async function giveUpTooLarge(ctx: Context, tx: Queryable, sale: SaleOwingCommission): Promise<RepairOutcome> {
  await updateCommissionNone(tx, sale.id);
  await insertDecision(tx, {
    ...decisionOn(ctx, sale),
    outcome: 'not_attributed',
    reason: 'commission_too_large',
    facts: { ...factsOf(sale), amount_cents: sale.amountCents },
  });
  return { is: 'commission_too_large' };
}

const termsOf = (sale: SaleOwingCommission) => ({
  version: sale.termsVersion,
  since: sale.termsSince,
  type: sale.commissionType,
  rate: sale.commissionRate,
  currency: sale.programCurrency,
  recurringMonths: sale.recurringMonths,
  base: sale.commissionBase,
});

const factsOf = (sale: SaleOwingCommission) => ({
  ...termsFacts(termsOf(sale)),
  base_cents: commissionableCents(termsOf(sale), sale) ?? undefined,
});

function decisionOn(ctx: Context, sale: SaleOwingCommission) {
  return {
    programId: sale.programId,
    kind: 'commission' as const,
    source: 'repair' as const,
    customerId: sale.customerId,
    partnerId: sale.partnerId,
    saleId: sale.id,
    transactionId: sale.transactionId,
    requestId: null,
    isTest: false,
    createdAt: ctx.now(),
  };
}
