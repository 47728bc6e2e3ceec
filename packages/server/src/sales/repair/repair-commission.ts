import { deductionFor, reversedShare } from '../../commissions/commission.ts';
import { commissionFrom } from '../../commissions/commission-from.ts';
import { COMMISSION_ROWS } from '../../commissions/commission-list-store.ts';
import { reversalOf } from '../../commissions/commission-state.ts';
import { type InsertedCommission, insertCommissions } from '../../commissions/commission-store.ts';
import type { Context } from '../../context.ts';
import { CREDIT_ROWS, insertCredits, updateReversedCredits } from '../../customers/credit-store.ts';
import type { Queryable, Transaction } from '../../db/db.ts';
import { insertDecision } from '../../decisions/decision-store.ts';
import { announce } from '../../outbox/announce.ts';
import { openCapBook } from '../../terms/cap-book.ts';
import { capKeysOf } from '../../terms/cap-keys.ts';
import { lockCapCounts, updateCapCounts } from '../../terms/cap-store.ts';
import { commissionableCents, isRepresentable } from '../../terms/earning.ts';
import type { Reward, Rewards } from '../../terms/reward.ts';
import { storedFacts } from '../../terms/stored-facts.ts';
import { termsFacts } from '../../terms/terms-facts.ts';
import { reasonForNothing } from '../sale-reward.ts';
import { updateCommissionCreated, updateCommissionNone } from '../sale-store.ts';
import { findSaleOwingCommissionForUpdate, type SaleOwingCommission } from './owed-commission-store.ts';
import { owedFacts, owedPlace, owedRewards, owedTerms } from './owed-reward.ts';

export type RepairOutcome =
  | { is: 'repaired'; commissionId: number }
  | { is: 'not_owing' | 'partner_missing' | 'commission_too_large' | 'nothing_owed' };

type PayableSale = SaleOwingCommission & { partnerId: number };

/** Creates an owed commission exactly once, on the terms at the time of the sale and minus refunds since. */
export function repairCommission(ctx: Context, saleId: number): Promise<RepairOutcome> {
  return ctx.db.transaction(async (tx) => {
    const sale = await findSaleOwingCommissionForUpdate(tx, saleId);
    if (!sale) return { is: 'not_owing' };
    const rewards = await applyCaps(tx, sale);
    const { own } = rewards;
    // Sales of an earlier release may owe one that can never be created, or one that the rules do not pay.
    if (!own) return giveUp(ctx, tx, sale, rewards, 'rule_without_commission');
    const nothing = own.earned.cents === 0n ? reasonForNothing(own) : null;
    if (nothing) return giveUp(ctx, tx, sale, rewards, nothing);
    if (!isRepresentable(own.earned)) return giveUp(ctx, tx, sale, rewards, 'commission_too_large');
    const { partnerId } = sale;
    if (partnerId === null) return { is: 'partner_missing' };
    return { is: 'repaired', commissionId: await createOwed(ctx, tx, { ...sale, partnerId }, { ...rewards, own }) };
  });
}

/** The rewards of the sale. Caps that it was not counted for yet are counted now. */
async function applyCaps(tx: Queryable, sale: SaleOwingCommission): Promise<Rewards> {
  const place = owedPlace(sale);
  if (sale.termsFacts?.used || !sale.terms) return owedRewards(sale, openCapBook().usedOf(place));
  const book = openCapBook(await lockCapCounts(tx, capKeysOf(sale.terms, owedFacts(sale), place)));
  const rewards = owedRewards(sale, book.usedOf(place));
  book.add(place, rewards);
  await updateCapCounts(tx, book.changed());
  return rewards;
}

async function createOwed(
  ctx: Context,
  tx: Transaction,
  sale: PayableSale,
  rewards: Rewards & { own: Reward },
): Promise<number> {
  const { own, override, credit } = rewards;
  const deductedCents = deductedFrom(sale, own);
  // Before the commission is inserted, because it is counted for the partner of the sale.
  const facts = storedFacts(owedFacts(sale), [own, override]);
  await updateCommissionCreated(tx, sale.id, sale.partnerId, { ...own, facts });
  const paid = [own, ...paidOverrides(rewards)];
  const commissions = await insertCommissions(
    tx,
    paid.map((reward) => newCommission(ctx, sale, reward)),
    ctx.now(),
  );
  let credited = new Map<number, number>();
  if (credit && sale.terms && sale.holdReason !== 'self_referral') {
    const { programId, customerId, id: saleId } = sale;
    const granted = { programId, customerId, saleId, termsVersion: sale.terms.version, createdAt: ctx.now() };
    credited = await insertCredits(tx, [{ ...granted, ...credit }], ctx.now());
    await updateReversedCredits(tx, [saleId], ctx.now());
  }
  const decisionId = await insertDecision(tx, {
    ...decisionOn(ctx, sale),
    outcome: 'recorded',
    reason: 'commission_repaired',
    facts: {
      ...factsOf(sale, rewards),
      commission_cents: Number(own.earned.cents),
      deducted_cents: deductedCents,
      commission_currency: own.earned.currency,
      hold_reason: sale.holdReason ?? undefined,
    },
  });
  announceRepaired(ctx, tx, sale, { commissions, creditIds: [...credited.values()], decisionId });
  return commissions.find(({ kind }) => kind === 'sale')!.id;
}

type Repaired = { commissions: InsertedCommission[]; creditIds: number[]; decisionId: number };

function announceRepaired(ctx: Context, tx: Transaction, sale: SaleOwingCommission, repaired: Repaired): void {
  const { commissions, creditIds, decisionId } = repaired;
  const about = { programId: sale.programId, decisionId };
  announce(ctx, tx, [
    { rows: COMMISSION_ROWS, events: commissions.map(({ id }) => ({ type: 'commission.created', id, ...about })) },
    { rows: CREDIT_ROWS, events: creditIds.map((id) => ({ type: 'credit.granted', id, ...about })) },
  ]);
}

function deductedFrom(sale: SaleOwingCommission, { earned }: Reward): number {
  return deductionFor(Number(earned.cents), reversedShare(sale), sale.amountCents);
}

function newCommission(ctx: Context, sale: PayableSale, reward: Reward) {
  const { version: termsVersion, holdDays } = { ...owedTerms(sale), holdDays: sale.holdDays };
  return {
    ...commissionFrom(reward, { version: termsVersion, holdDays }, sale.createdAt),
    saleId: sale.id,
    programId: sale.programId,
    partnerId: reward.to === 'partner' ? sale.partnerId : reward.partnerId,
    deductedCents: deductedFrom(sale, reward),
    reversal: reversalOf(sale.refundedCents, sale.amountCents),
    holdReason: sale.holdReason,
    createdAt: ctx.now(),
  };
}

const paidOverrides = ({ override }: Rewards) => (override && override.earned.cents > 0n ? [override] : []);

const GIVEN_UP = {
  commission_too_large: 'commission_too_large',
  rule_without_commission: 'nothing_owed',
  cap_reached: 'nothing_owed',
} as const;

/** The partner earns nothing. Their recruiter may still, by a rule of their own. */
async function giveUp(
  ctx: Context,
  tx: Transaction,
  sale: SaleOwingCommission,
  rewards: Rewards,
  reason: keyof typeof GIVEN_UP,
): Promise<RepairOutcome> {
  const { own, override } = rewards;
  const facts = sale.termsFacts && storedFacts(owedFacts(sale), [own, override]);
  await updateCommissionNone(tx, sale.id, facts);
  const { partnerId } = sale;
  const paid =
    partnerId === null
      ? []
      : paidOverrides(rewards).map((reward) => newCommission(ctx, { ...sale, partnerId }, reward));
  const commissions = await insertCommissions(tx, paid, ctx.now());
  const decisionId = await insertDecision(tx, {
    ...decisionOn(ctx, sale),
    outcome: 'not_attributed',
    reason,
    facts: { ...factsOf(sale, { ...rewards, own: null, credit: null }), amount_cents: sale.amountCents },
  });
  announceRepaired(ctx, tx, sale, { commissions, creditIds: [], decisionId });
  return { is: GIVEN_UP[reason] };
}

function factsOf(sale: SaleOwingCommission, rewards: Rewards) {
  const terms = owedTerms(sale);
  return {
    ...termsFacts(terms, rewards),
    base_cents: commissionableCents(rewards.own ?? terms, sale) ?? undefined,
  };
}

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
