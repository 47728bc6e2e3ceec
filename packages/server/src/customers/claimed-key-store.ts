// Scalar subqueries, because a plan for small tables would read all of `decisions` or `sales` for an `exists`.

/** Whether the brand has approved a commission that rests on the claim of a customer `c` to a key. */
export const IS_CLAIM_APPROVED = `coalesce((
  select true from sales s join commissions m on m.sale_id = s.id
  where s.customer_id = c.id and s.hold_reason = 'claimed_key' and m.stage in ('approved', 'paid') limit 1), false)`;

/** Whether a payment that names no key settled the lead of a customer `c`, as long as decisions are kept. */
export const IS_SETTLED_WITHOUT_KEY = `coalesce((
  select true from decisions d
  where d.customer_id = c.id and d.reason = 'lead_settled_by_payment' and d.customer_key is null limit 1), false)`;

/**
 * Whether a customer `c` has their key by nothing but the claim of a page. A payment may have settled the claim with nothing that
 * agrees with it, or without naming the key at all. Of the latter, those of an earlier release are known by their decisions only.
 */
export const IS_KEY_OF_CLAIM = `(
  c.lead_state = 'settled' and c.claimed_customer_key = c.customer_key
  and (c.lead_source = 'page' or ${IS_SETTLED_WITHOUT_KEY}) and not ${IS_CLAIM_APPROVED})`;

/** When the first sale was made that rests on the claim of a customer `c` to a key. */
export const FIRST_CLAIMED_SALE_AT = `(
  select min(s.created_at) from sales s where s.customer_id = c.id and s.hold_reason = 'claimed_key')`;
