import type { Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import type { RefundableSale } from '../refunds/refund.ts';
import { revokeDuplicateSale } from '../refunds/revoke-duplicate-sale.ts';
import { type ProcessorTotal, type SyncOutcome, syncRefunds } from '../refunds/sync-refunds.ts';
import { claimAliases, listSalesUnder, type NamedSale } from '../sales/transaction-store.ts';
import {
  findTraces,
  listCharges,
  listDeductions,
  listInvoiceShares,
  listPaymentLinks,
  type PaymentLink,
} from './charge-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import { type ChargeFact, CURRENCY_OF_SALE, type DeductionFact } from './processor-fact.ts';
import { refundedTotal } from './refunded-total.ts';

export type SyncedPayment = { is: Exclude<SyncOutcome['is'], 'sale_not_found'>; transactionId: string };

/**
 * Counts the payment behind these references once and updates its sales with all their known refunds and disputes. Called
 * after what an event says is stored: whichever of two events runs second sees what the first one wrote. Null if the payment
 * has no sale.
 */
export async function syncPayment(
  ctx: PaymentsContext,
  program: Program,
  references: string[],
): Promise<SyncedPayment | null> {
  const transactionIds = await countOnce(ctx, program, references);
  const synced: SyncedPayment[] = [];
  for (const transactionId of transactionIds) {
    // Most payments are never refunded, and need no lock.
    const { isTouched } = await findTraces(ctx.db, program.id, transactionId);
    if (!isTouched) {
      synced.push({ is: 'unchanged', transactionId });
      continue;
    }
    const { is } = await syncRefunds(ctx, program, transactionId, (tx, sale) =>
      readTotal(tx, program.id, transactionId, sale),
    );
    if (is !== 'sale_not_found') synced.push({ is, transactionId });
  }
  return synced.find(({ is }) => is !== 'unchanged') ?? synced[0] ?? null;
}

/** The same for a payment that was just recorded. Most are known by one id, and nothing is taken back of them. */
export async function syncRecorded(ctx: PaymentsContext, program: Program, transactionId: string): Promise<void> {
  const { hasOtherId, isTouched } = await findTraces(ctx.db, program.id, transactionId);
  if (hasOtherId || isTouched) await syncPayment(ctx, program, [transactionId]);
}

/**
 * A payment that paid an invoice is recorded as the sale of the invoice. Either id is claimed for the sale of the other, so
 * that nobody else can record it; if both have a sale, that of the payment is taken back. Returns the ids of the sales that
 * are left.
 */
async function countOnce(ctx: PaymentsContext, program: Program, references: string[]): Promise<string[]> {
  const links = await listPaymentLinks(ctx.db, program.id, references);
  const names = [...new Set(links.flatMap(({ reference, transactionId }) => [reference, transactionId]))];
  let sales = await listSalesUnder(ctx.db, program.id, names);
  const aliases = unclaimedAliases(links, sales);
  if (aliases.length > 0 && (await claimAliases(ctx.db, program.id, aliases)) < aliases.length) {
    sales = await listSalesUnder(ctx.db, program.id, names);
  }
  const revoked = new Set<string>();
  for (const { reference, transactionId } of links) {
    const isDuplicate = reference !== transactionId && hasOwnSale(sales, reference) && hasOwnSale(sales, transactionId);
    if (!isDuplicate || revoked.has(reference)) continue;
    const invoices = links.filter((link) => link.reference === reference).map((link) => link.transactionId);
    await revokeDuplicateSale(ctx, program, reference, transactionId, invoices);
    revoked.add(reference);
  }
  return [...new Set(sales.map(({ transactionId }) => transactionId))].filter((id) => !revoked.has(id));
}

function unclaimedAliases(links: PaymentLink[], sales: NamedSale[]): { transactionId: string; saleId: number }[] {
  const aliases = new Map<string, number>();
  const claim = (alias: string, owner: string) => {
    const sale = sales.find((one) => isOwnSale(one, owner));
    const isTaken = aliases.has(alias) || sales.some(({ name, isTest }) => name === alias && !isTest);
    if (sale && !isTaken) aliases.set(alias, sale.saleId);
  };
  for (const { reference, transactionId } of links) claim(reference, transactionId);
  for (const { reference, transactionId } of links) claim(transactionId, reference);
  return [...aliases].map(([transactionId, saleId]) => ({ transactionId, saleId }));
}

const hasOwnSale = (sales: NamedSale[], id: string) => sales.some((sale) => isOwnSale(sale, id));

/** Whether the sale was recorded under this id, and is real. */
function isOwnSale({ name, transactionId, isTest }: NamedSale, id: string): boolean {
  return name === id && transactionId === id && !isTest;
}

/** What the processor has taken back of a sale by now. */
async function readTotal(
  tx: Queryable,
  programId: number,
  transactionId: string,
  sale: RefundableSale,
): Promise<ProcessorTotal> {
  const [charges, stored, shares] = await Promise.all([
    listCharges(tx, programId, transactionId),
    listDeductions(tx, programId, transactionId),
    listInvoiceShares(tx, programId, transactionId),
  ]);
  const deductions = stored.map((one) =>
    one.currency === CURRENCY_OF_SALE ? { ...one, currency: sale.currency } : one,
  );
  const listed = deductions.slice(-MAX_LISTED);
  return {
    ...refundedTotal({ ...sale, transactionId }, charges, deductions, shares),
    hasOpenDispute: deductions.some(({ kind, state }) => kind === 'dispute' && state === 'standing'),
    lostDisputes: listed.filter(({ kind, state }) => kind === 'dispute' && state === 'settled').map(({ id }) => id),
    facts: factsOf(charges, listed),
  };
}

const MAX_LISTED = 20;
const STATUSES = {
  refund: { standing: 'pending', settled: 'succeeded', undone: 'undone' },
  dispute: { standing: 'open', settled: 'lost', undone: 'won' },
} as const;

/** The processor's own ids, by which its dashboard finds the same refunds and disputes. */
function factsOf(charges: Omit<ChargeFact, 'kind'>[], deductions: DeductionFact[]): Record<string, unknown> {
  const all = [...charges, ...deductions];
  const describe = ({ id, kind, state, amountCents, currency }: DeductionFact) => ({
    id,
    status: STATUSES[kind][state],
    amount_cents: amountCents,
    currency,
  });
  return Object.fromEntries(
    Object.entries({
      refunds: deductions.filter(({ kind }) => kind === 'refund').map(describe),
      disputes: deductions.filter(({ kind }) => kind === 'dispute').map(describe),
      charges: distinct(all.map(({ chargeId }) => chargeId)),
      payments: distinct(all.map(({ paymentIntent }) => paymentIntent)),
    }).filter(([, list]) => list.length > 0),
  );
}

function distinct(ids: (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))].slice(0, MAX_LISTED);
}
