import { listCommissionsForUpdate } from '../commissions/commission-store.ts';
import type { Queryable } from '../db/db.ts';
import type { SaleAccount } from './refund-group.ts';
import { listRefundsByKey, listReportedRefunds, lockSales } from './refund-store.ts';

export type RefundTarget = { programId: number; transactionId: string; refundKey?: string | undefined };

/**
 * Locks the sales that refunds are about, then their commissions, and reads what was refunded before; refunds of one sale
 * come one after the other, on every node. The accounts are found by program and transaction id.
 */
export async function lockSaleAccounts(
  tx: Queryable,
  targets: RefundTarget[],
): Promise<(target: RefundTarget) => SaleAccount | null> {
  const sales = await lockSales(tx, [...new Set(targets.map(({ transactionId }) => transactionId))]);
  if (sales.length === 0) return () => null;
  // Read only now that the sales are locked: what was read before the wait could be out of date.
  const saleIds = sales.map(({ id }) => id);
  const commissions = new Map((await listCommissionsForUpdate(tx, saleIds)).map((one) => [one.saleId, one]));
  const reported = new Map((await listReportedRefunds(tx, saleIds)).map((one) => [one.saleId, one]));

  const accounts = new Map<string, SaleAccount & { programId: number }>();
  for (const { programId, transactionId, ...sale } of sales) {
    accounts.set(transactionId, {
      programId,
      sale: {
        ...sale,
        commission: commissions.get(sale.id) ?? null,
        reportedCents: reported.get(sale.id)?.reportedCents ?? 0,
      },
      byKey: new Map(),
      last: reported.get(sale.id)?.last ?? null,
    });
  }
  const accountOf = ({ programId, transactionId }: RefundTarget) => {
    const account = accounts.get(transactionId);
    return account?.programId === programId ? account : null;
  };
  await readKeyed(tx, targets, accountOf);
  return accountOf;
}

async function readKeyed(
  tx: Queryable,
  targets: RefundTarget[],
  accountOf: (target: RefundTarget) => SaleAccount | null,
): Promise<void> {
  const keyed = targets.flatMap((target) => {
    const account = accountOf(target);
    return account && target.refundKey !== undefined ? [{ account, refundKey: target.refundKey }] : [];
  });
  if (keyed.length === 0) return;
  const found = await listRefundsByKey(
    tx,
    keyed.map(({ account, refundKey }) => ({ saleId: account.sale.id, refundKey })),
  );
  for (const { saleId, refundKey, ...refund } of found) {
    keyed.find(({ account }) => account.sale.id === saleId)?.account.byKey.set(refundKey, refund);
  }
}
