import { insertAssignedCustomers, updateAssignments } from '../../customers/attribution-store.ts';
import type { Queryable } from '../../db/db.ts';
import type { ClaimedSale } from '../prepare-sale.ts';
import { NEW_CUSTOMER_ID } from './coupon-credit.ts';

/** Another sale or a person changed whose customer it is since the sale was judged. */
export class AttributionChanged extends Error {}

const takesCustomer = ({ coupon, saleId }: ClaimedSale) => saleId !== null && coupon?.takesCustomer === true;

/**
 * Gives the customers of sales with a coupon to its partner, and adds those who are not known yet. Throws if another
 * transaction was faster: the sales then have to be judged again.
 */
export async function bindCustomers(tx: Queryable, claimed: ClaimedSale[]): Promise<ClaimedSale[]> {
  const taking = claimed.filter(takesCustomer);
  if (taking.length === 0) return claimed;
  const isNew = ({ facts }: ClaimedSale) => facts.customer?.id === NEW_CUSTOMER_ID;
  const [newcomers, known] = [taking.filter(isNew), taking.filter((sale) => !isNew(sale))];
  const added = await insertAssignedCustomers(
    tx,
    newcomers.map(({ facts, now }) => ({ customer: facts.customer!, createdAt: now })),
  );
  const moved = await updateAssignments(
    tx,
    known.map(({ facts, coupon }) => ({ customer: facts.customer!, partnerBeforeId: coupon?.partnerBeforeId ?? null })),
  );
  if (added.length < newcomers.length || moved < known.length) throw new AttributionChanged();
  return claimed.map((sale) => {
    const id = added[newcomers.indexOf(sale)];
    if (id === undefined || !sale.facts.customer) return sale;
    return { ...sale, facts: { ...sale.facts, customer: { ...sale.facts.customer, id } } };
  });
}
