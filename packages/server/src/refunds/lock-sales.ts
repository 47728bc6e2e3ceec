import { listCommissionsForUpdate } from '../commissions/commission-store.ts';
import type { Queryable } from '../db/db.ts';
import type { SaleLedger } from './refund-group.ts';
import { listRefundsByKey, listReportedRefunds, lockSales } from './refund-store.ts';

export type RefundTarget = {
  programId: number;
  transactionId: string;
  refundKey?: string | undefined;
  /** Whether the test sale is meant if the program has both a test sale and a real one under the id. */
  prefersTest?: boolean | undefined;
  /** Whether a real sale is never meant. */
  onlyTest?: boolean | undefined;
};

/**
 * Locks the sales to be refunded, then their commissions, and reads their earlier refunds, so that refunds of one sale are
 * processed one at a time across all nodes. Returns a lookup by program and transaction id.
 */
export async function lockSaleLedgers(
  tx: Queryable,
  targets: RefundTarget[],
): Promise<(target: RefundTarget) => SaleLedger | null> {
  const sales = await lockSales(tx, targets);
  if (sales.length === 0) return () => null;
  // Read only once the sales are locked: anything read before waiting for the lock could be out of date.
  const saleIds = sales.map(({ id }) => id);
  const [commissions, refunds] = await Promise.all([
    listCommissionsForUpdate(tx, saleIds),
    listReportedRefunds(tx, saleIds),
  ]);
  const reported = new Map(refunds.map((refund) => [refund.saleId, refund]));

  const ledgers = new Map<string, SaleLedger>();
  for (const { programId, transactionIds, status, ...sale } of sales) {
    const own = commissions.filter(({ saleId }) => saleId === sale.id);
    const commission = own.find(({ kind }) => kind === 'sale') ?? null;
    const ledger: SaleLedger = {
      sale: {
        ...sale,
        commission,
        overrides: own.filter(({ kind }) => kind !== 'sale'),
        reportedCents: reported.get(sale.id)?.reportedCents ?? 0,
      },
      byKey: new Map(),
      last: reported.get(sale.id)?.last ?? null,
      was: {
        sale: {
          status,
          disputed_cents: sale.disputedCents,
          ...(commission && {
            commission_deducted_cents: commission.deductedCents,
            commission_status: commission.status,
          }),
        },
        commissionStatus: new Map(own.map(({ id, status }) => [id, status])),
      },
    };
    for (const id of transactionIds) ledgers.set(ledgerKey(programId, id, sale.isTest), ledger);
  }
  const ledgerOf = ({ programId, transactionId, prefersTest = false, onlyTest = false }: RefundTarget) =>
    ledgers.get(ledgerKey(programId, transactionId, prefersTest || onlyTest)) ??
    (onlyTest ? null : ledgers.get(ledgerKey(programId, transactionId, !prefersTest))) ??
    null;
  await addRefundsByKey(tx, targets, ledgerOf);
  return ledgerOf;
}

function ledgerKey(programId: number, transactionId: string, isTest: boolean): string {
  return `${programId} ${isTest} ${transactionId}`;
}

async function addRefundsByKey(
  tx: Queryable,
  targets: RefundTarget[],
  ledgerOf: (target: RefundTarget) => SaleLedger | null,
): Promise<void> {
  const keyed = targets.flatMap((target) => {
    const ledger = ledgerOf(target);
    return ledger && target.refundKey !== undefined ? [{ ledger, refundKey: target.refundKey }] : [];
  });
  if (keyed.length === 0) return;
  const found = await listRefundsByKey(
    tx,
    keyed.map(({ ledger, refundKey }) => ({ saleId: ledger.sale.id, refundKey })),
  );
  for (const { saleId, refundKey, ...refund } of found) {
    keyed.find(({ ledger }) => ledger.sale.id === saleId)?.ledger.byKey.set(refundKey, refund);
  }
}
