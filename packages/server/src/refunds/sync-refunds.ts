import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import type { Decision } from '../decisions/decision.ts';
import { hasDecision, insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { updateDisputed, updateTaxOnly } from '../sales/sale-store.ts';
import { disputeReason } from './dispute.ts';
import { lockSaleLedgers } from './lock-sales.ts';
import { announceRefunds, type WrittenRefunds, writeRefunds } from './record-refund.ts';
import { judgeTotal, overrideFacts, type RefundableSale, type TotalVerdict } from './refund.ts';
import { type SaleLedger, saleAfter } from './refund-group.ts';
import { type NewRefundRow, reserveRefundIds } from './refund-store.ts';

export type SyncOutcome = { is: 'sale_not_found' | 'unchanged' | 'refunded' | 'restored' };

/** What the payment processor says about a sale. */
export type ProcessorTotal = {
  /** Refunded and disputed together. */
  cents: number;
  disputedCents: number;
  /** How much of it is tax beyond its share. */
  taxOnlyCents: number;
  hasOpenDispute: boolean;
  /** The ids of disputes that were lost. */
  lostDisputes: string[];
  /** The processor's refunds, disputes, charges and payments, for the decision. */
  facts: Record<string, unknown>;
};

type ReadTotal = (tx: Queryable, sale: RefundableSale) => Promise<ProcessorTotal>;
type ChangedVerdict = TotalVerdict & { is: 'changed' };

/**
 * Updates a sale to match the total that its payment processor refunded. What the workspace itself reported is part of that
 * total, not on top of it. `readTotal` runs once the sale is locked, so it sees everything stored up to then.
 */
export function syncRefunds(
  ctx: Context,
  program: Program,
  transactionId: string,
  readTotal: ReadTotal,
): Promise<SyncOutcome> {
  return retryOnConflict(() => ctx.db.transaction((tx) => syncLocked(ctx, tx, program, transactionId, readTotal)));
}

async function syncLocked(
  ctx: Context,
  tx: Transaction,
  program: Program,
  transactionId: string,
  readTotal: ReadTotal,
): Promise<SyncOutcome> {
  const target = { programId: program.id, transactionId };
  const ledger = (await lockSaleLedgers(tx, [target]))(target);
  if (!ledger) return { is: 'sale_not_found' };
  const { sale } = ledger;
  const total = await readTotal(tx, sale);
  const verdict = judgeTotal(sale, Math.max(total.cents, sale.reportedCents), total.taxOnlyCents);
  const change = verdict.is === 'changed' ? verdict : UNCHANGED;
  const reason = disputeReason(sale, change.amountCents, total);

  if (total.taxOnlyCents !== sale.taxOnlyCents) await updateTaxOnly(tx, sale.id, total.taxOnlyCents);
  ledger.sale = { ...sale, taxOnlyCents: total.taxOnlyCents };
  const refunded = verdict.is === 'changed' ? await writeTotal(ctx, tx, program, ledger, verdict) : null;
  if (total.disputedCents !== sale.disputedCents) await updateDisputed(tx, sale.id, total.disputedCents);
  const isExplained =
    verdict.is === 'unchanged' && (reason === null || (await isKnownLoss(tx, program, transactionId, reason, total)));
  if (!isExplained) {
    const decision = syncDecision(ctx, program, transactionId, ledger.sale, change, total.facts);
    const decisionId = await insertDecision(tx, { ...decision, reason: reason ?? change.reason });
    if (refunded) announceRefunds(ctx, tx, refunded, () => decisionId);
  }
  if (verdict.is === 'unchanged') return { is: 'unchanged' };
  return { is: verdict.status === 'restored' ? 'restored' : 'refunded' };
}

const UNCHANGED: Pick<ChangedVerdict, 'amountCents' | 'deductionCents' | 'reason'> = {
  amountCents: 0,
  deductionCents: 0,
  reason: 'refund_without_commission',
};

/** A lost dispute changes nothing more, so only a decision says that it was told already. The sale is locked meanwhile. */
async function isKnownLoss(
  tx: Queryable,
  program: Program,
  transactionId: string,
  reason: Decision['reason'],
  { lostDisputes }: ProcessorTotal,
): Promise<boolean> {
  if (reason !== 'dispute_lost') return false;
  const disputes = lostDisputes.map((id) => ({ id, status: 'lost' }));
  return hasDecision(tx, program.id, transactionId, 'dispute_lost', { disputes });
}

/** Writes a new total of what a sale lost, and of its commission in proportion. */
export async function writeTotal(
  ctx: Context,
  tx: Queryable,
  program: Program,
  ledger: SaleLedger,
  verdict: ChangedVerdict,
): Promise<WrittenRefunds> {
  const [id] = await reserveRefundIds(tx, 1);
  const row: NewRefundRow = {
    id: id!,
    saleId: ledger.sale.id,
    programId: program.id,
    refundKey: null,
    amountCents: verdict.amountCents,
    deductionCents: verdict.deductionCents,
    status: verdict.status,
    reason: null,
    requestId: null,
    source: 'processor',
    reportedCents: 0,
    createdAt: ctx.now(),
  };
  return writeRefunds(
    tx,
    [row],
    [{ ...ledger, sale: saleAfter(ledger.sale, { ...verdict, reportedCents: 0 }) }],
    ctx.now(),
  );
}

function syncDecision(
  ctx: Context,
  program: Program,
  transactionId: string,
  sale: RefundableSale,
  change: Pick<ChangedVerdict, 'amountCents' | 'deductionCents'>,
  facts: Record<string, unknown>,
): Omit<Decision, 'reason'> {
  return {
    programId: program.id,
    kind: 'refund',
    outcome: 'recorded',
    facts: {
      sale_cents: sale.amountCents,
      refunded_before_cents: sale.refundedCents,
      refunded_cents: change.amountCents,
      deduction_cents: change.deductionCents,
      ...overrideFacts(sale, change.amountCents),
      ...facts,
    },
    source: 'processor',
    customerId: sale.customerId,
    partnerId: sale.partnerId,
    saleId: sale.id,
    transactionId,
    requestId: null,
    isTest: sale.isTest,
    createdAt: ctx.now(),
  };
}
