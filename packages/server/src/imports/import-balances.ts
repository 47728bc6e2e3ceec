import type { ImportedPartner } from '@svc/contract';
import { insertManualCommissions } from '../commissions/manual-commission-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import {
  type Amounts,
  insertBalances,
  listPaidBalances,
  type StoredBalance,
  updateBalanceCommissions,
} from './balance-store.ts';
import { outcomeOf, type PartOf, partsOf, type RowInProgress } from './import-row.ts';
import { insertImportItems } from './import-store.ts';

type BalancePart = PartOf<ImportedPartner['balances'][number]>;
type Importing = { programId: number; importId: number; source: string; payApproved: boolean };

const DIFFERENT =
  'The import has another opening balance of this partner in this currency. Undo the import to replace it.';
const PAID_ALREADY =
  'An opening balance of this partner in this currency was made payable before. This one is only shown.';

/**
 * Stores what another tool owed and had paid, once for each partner and currency. If asked for, the approved part becomes an
 * adjustment, of which a partner gets one in a currency, whatever imports say. Returns the ids of new adjustments.
 */
export async function importBalances(
  tx: Transaction,
  ctx: Context,
  { programId, importId, source, payApproved }: Importing,
  rows: RowInProgress[],
): Promise<number[]> {
  const parts = partsOf(rows, ({ balances }) => balances);
  const first = new Map<string, BalancePart>();
  for (const asked of parts) if (!first.has(nameOf(asked))) first.set(nameOf(asked), asked);
  if (first.size === 0) return [];
  const asked = [...first.values()].map((part) => ({ partnerId: part.partnerId, ...amountsOf(part) }));
  const balances = await insertBalances(tx, { importId, programId }, asked, ctx.now());
  const stored = new Map(balances.map((each) => [`${each.partnerId} ${each.currency}`, each]));
  const items = balances.filter(({ isNew }) => isNew).map(({ id }) => ({ itemId: id, isNew: true }));
  await insertImportItems(tx, importId, 'balance', items);

  const due = payApproved ? [...first].filter(([name, part]) => isPayable(stored.get(name), part)) : [];
  const partnerIds = [...new Set(due.map(([, { partnerId }]) => partnerId))];
  const paid = new Set(
    (due.length === 0 ? [] : await listPaidBalances(tx, programId, partnerIds)).map(
      ({ partnerId, currency }) => `${partnerId} ${currency}`,
    ),
  );
  const payable = due.filter(([name]) => !paid.has(name)).map(([name]) => stored.get(name) as StoredBalance);
  const reason = `Opening balance from ${source}`;
  const commissionIds = await insertManualCommissions(
    tx,
    payable.map(({ partnerId, approvedCents: cents, currency }) => ({
      ...{ kind: 'adjustment', programId, partnerId, cents, currency, reason },
    })),
    ctx.now(),
  );
  const made = payable.map(({ id }, index) => ({ id, commissionId: commissionIds[index] as number }));
  await updateBalanceCommissions(tx, programId, made);
  const madeOf = new Map(made.map(({ id, commissionId }) => [id, commissionId]));

  for (const part of parts) {
    const balance = stored.get(nameOf(part)) as StoredBalance;
    const { currency, commissionId } = balance;
    const { balances: results } = part.row.result;
    if (!isSame(balance, amountsOf(part))) {
      results.push({ currency, outcome: 'refused', commission_id: null, message: DIFFERENT });
      continue;
    }
    const isFirst = first.get(nameOf(part)) === part;
    const isAdded = isFirst && madeOf.has(balance.id);
    const message = paid.has(nameOf(part)) ? PAID_ALREADY : null;
    const outcome = outcomeOf({ isNew: isFirst && balance.isNew, isAdded });
    results.push({ currency, outcome, commission_id: madeOf.get(balance.id) ?? commissionId, message });
  }
  return commissionIds;
}

const nameOf = ({ partnerId, part }: BalancePart) => `${partnerId} ${part.currency}`;

const amountsOf = ({ part }: BalancePart): Amounts => ({
  currency: part.currency,
  pendingCents: part.pending_cents,
  approvedCents: part.approved_cents,
  paidCents: part.paid_cents,
});

const isSame = (one: Amounts, other: Amounts) =>
  one.pendingCents === other.pendingCents &&
  one.approvedCents === other.approvedCents &&
  one.paidCents === other.paidCents;

function isPayable(balance: StoredBalance | undefined, asked: BalancePart): boolean {
  return balance?.commissionId === null && balance.approvedCents > 0 && isSame(balance, amountsOf(asked));
}
