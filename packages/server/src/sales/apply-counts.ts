import { listCustomersForUpdate } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { openCapBook } from '../terms/cap-book.ts';
import { capKeysOf } from '../terms/cap-keys.ts';
import { lockCapCounts, updateCapCounts } from '../terms/cap-store.ts';
import { rewardsFor } from '../terms/reward.ts';
import { needsOf } from '../terms/terms-needs.ts';
import type { ClaimedSale } from './prepare-sale.ts';
import { judgeSale, rewardFacts } from './sale.ts';
import { countPayments } from './sale-facts-store.ts';

/**
 * Judges sales again whose rules ask for the number of the payment or have caps that other sales count towards. What they ask
 * for is locked first, so that sales on any node are judged one after the other. Other sales cost no statement here.
 */
export async function applyCounts(tx: Queryable, claimed: ClaimedSale[]): Promise<ClaimedSale[]> {
  const asking = claimed.filter(asksForCounts);
  if (asking.length === 0) return claimed;
  const numbers = await lockPaymentNumbers(tx, asking);
  const book = openCapBook(await lockCapCounts(tx, asking.flatMap(capKeys)));
  const applied = claimed.map((sale) => {
    if (!asking.includes(sale)) return sale;
    const { attempt, facts, terms, paidAt } = sale;
    const asked = rewardFacts(attempt, facts, paidAt, numbers.next(facts.customer?.id ?? 0));
    const place = placeOf(sale);
    const rewards = rewardsFor(terms, asked, book.usedOf(place));
    const verdict = judgeSale(attempt, facts, rewards, paidAt);
    book.add(place, rewards);
    return { ...sale, rewardFacts: asked, rewards, verdict: keepOwed(sale, verdict) };
  });
  await updateCapCounts(tx, book.changed());
  return applied;
}

/** A commission that could not be created stays owed. */
function keepOwed({ verdict: before }: ClaimedSale, after: ClaimedSale['verdict']): ClaimedSale['verdict'] {
  if (before.is !== 'unpaid' || after.is !== 'recorded' || !after.earned) return after;
  return { ...before, earned: after.earned, holdReason: after.holdReason };
}

function asksForCounts({ saleId, terms, attempt, facts }: ClaimedSale): boolean {
  if (saleId === null || attempt.sale.isTest || !facts.customer) return false;
  return Object.values(needsOf(terms, 'sale')).some(Boolean);
}

const placeOf = ({ attempt, facts, paidAt }: ClaimedSale) => ({
  programId: attempt.program.id,
  customerId: facts.customer?.id ?? 0,
  at: paidAt,
});

const capKeys = (sale: ClaimedSale) => capKeysOf(sale.terms, sale.rewardFacts, placeOf(sale));

/** The number of each customer's next payment. Null where no rule asks for it. */
async function lockPaymentNumbers(tx: Queryable, asking: ClaimedSale[]) {
  const counted = asking.filter(({ terms }) => needsOf(terms, 'sale').paymentNumber);
  const ids = [...new Set(counted.flatMap(({ facts }) => facts.customer?.id ?? []))];
  if (ids.length > 0) await listCustomersForUpdate(tx, ids);
  // Read only once the customers are locked: a sale that was waited for has to be counted.
  const counts = ids.length > 0 ? await countPayments(tx, ids) : new Map<number, number>();
  const numbers = new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
  return {
    next(customerId: number): number | null {
      const before = numbers.get(customerId);
      if (before === undefined) return null;
      numbers.set(customerId, before + 1);
      return before + 1;
    },
  };
}
