import type { ClickId } from '../customers/click-id.ts';
import type { Customer } from '../customers/customer.ts';
import { CUSTOMER_COLUMNS } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';

export type PayerLookup = {
  programId: number;
  isTest: boolean;
  click: ClickId | null;
  customerKey: string | undefined;
  /** The client reference, read as a click id and as a key. */
  clientReference: { click: ClickId | null; key: string } | undefined;
  references: string[];
  emailHash: string | null;
};

/**
 * What identifies a payer, in the order in which it counts. Whoever holds the key comes first, so that a customer stays with
 * their first partner whatever link they clicked since; what only a page claims, and a coupon, come last. The index is the stored rank.
 */
const MATCHES = ['key', 'reference', 'click', 'client_reference', 'email', 'claim', 'coupon'] as const;
export type Match = (typeof MATCHES)[number];
const rankOf = (match: Match) => MATCHES.indexOf(match);

export type Payer = {
  customer: Customer;
  matchedBy: Match;
  isEmailFromPage: boolean;
  /** Whether the address on the payment is that of the customer's lead. */
  isEmailOfLead: boolean;
  /** Whether the processor's id was learnt from a payment or checkout that only a claimed key identified. */
  isKnownByClaim: boolean;
  /** Whether a sale to them rests on a claimed key, and whether the brand has approved such a sale. */
  hasClaimedSale: boolean;
  isClaimApproved: boolean;
};

/**
 * Whether nothing but a claim of a web page says that the payer is this customer. A payment settles the claim, so later payments
 * by the same key or processor's id are no better, until the brand has approved a commission that rests on it.
 */
export function isKeyFromPage(payer: Payer): boolean {
  const { matchedBy, isEmailOfLead, isKnownByClaim, hasClaimedSale, isClaimApproved } = payer;
  if (isEmailOfLead) return false;
  if (matchedBy === 'claim') return true;
  const isFollowUp = matchedBy === 'key' || matchedBy === 'reference';
  return isFollowUp && !isClaimApproved && (isKnownByClaim || hasClaimedSale);
}

// A key that several pages claim identifies nobody.
const ONLY_CLAIMANT = `(
  select (array_agg(id))[1] as id from (
    select id from customers
    where program_id = $1 and is_test = $2 and claimed_customer_key = $5 and lead_state = 'provisional' limit 2) claimants
  having count(*) = 1)`;

// An e-mail counts only where the program's server or the processor vouches for the lead; the earliest such lead wins. Leads
// of an earlier release do not say who vouches for them, but their decisions do.
const EARLIEST_LEAD_WITH_EMAIL = `(
  select * from customers c
  where program_id = $1 and is_test = $2 and email_hash = $7 and lead_state = 'settled'
    and (lead_source = 'server' or lead_source is null and exists (
      select 1 from decisions d
      where d.customer_id = c.id and d.kind = 'lead' and d.outcome = 'recorded' and d.source <> 'browser'))
  order by lead_at, id limit 1)`;

const PAYER_COLUMNS = `${CUSTOMER_COLUMNS}, c.email_source is not distinct from 'page' as "isEmailFromPage",
  coalesce(c.email_hash = $7, false) as "isEmailOfLead",
  exists (select 1 from sales s where s.customer_id = c.id and s.hold_reason = 'claimed_key') as "hasClaimedSale",
  exists (
    select 1 from sales s join commissions m on m.sale_id = s.id
    where s.customer_id = c.id and s.hold_reason = 'claimed_key' and m.stage in ('approved', 'paid')) as "isClaimApproved"`;

// A click is looked up across all programs, so that a customer of another program is not mistaken for an unknown one.
const FIND_PAYER = `
  select 'click' as "matchedBy", ${rankOf('click')} as rank, false as "isKnownByClaim", ${PAYER_COLUMNS} from customers c where id = $3 and clicked_at = $4 and is_test = $2
  union all
  select 'key', ${rankOf('key')}, false, ${PAYER_COLUMNS} from customers c where program_id = $1 and is_test = $2 and customer_key = $5
  union all
  select 'reference', ${rankOf('reference')}, known.rank = ${rankOf('claim')}, ${PAYER_COLUMNS} from (
    select i.customer_id, i.rank from processor_identities i
    where i.program_id = $1 and i.reference = any ($6::text[]) order by i.rank, i.seen_at, i.reference limit 1) known
    join customers c on c.id = known.customer_id and c.program_id = $1 and c.is_test = $2
  union all
  select 'client_reference', ${rankOf('client_reference')}, false, ${PAYER_COLUMNS} from customers c
  where id = $8 and clicked_at = $9 and program_id = $1 and is_test = $2
  union all
  select 'client_reference', ${rankOf('client_reference')}, false, ${PAYER_COLUMNS} from customers c
  where program_id = $1 and is_test = $2 and customer_key = $10
  union all
  select 'email', ${rankOf('email')}, false, ${PAYER_COLUMNS} from ${EARLIEST_LEAD_WITH_EMAIL} c
  union all
  select 'claim', ${rankOf('claim')}, false, ${PAYER_COLUMNS} from ${ONLY_CLAIMANT} claimant join customers c on c.id = claimant.id
  order by rank limit 1`;

/** Finds who paid, in the order of `MATCHES`. */
export async function findPayer(db: Queryable, lookup: PayerLookup): Promise<Payer | null> {
  const [row] = await db.query<Customer & Omit<Payer, 'customer'> & { rank: number }>(FIND_PAYER, [
    lookup.programId,
    lookup.isTest,
    lookup.click?.customerId ?? null,
    lookup.click?.clickedAt ?? null,
    lookup.customerKey ?? null,
    lookup.references,
    lookup.emailHash,
    lookup.clientReference?.click?.customerId ?? null,
    lookup.clientReference?.click?.clickedAt ?? null,
    lookup.clientReference?.key ?? null,
  ]);
  if (!row) return null;
  const { rank: _rank, matchedBy, isEmailFromPage, isEmailOfLead, isKnownByClaim, ...rest } = row;
  const { hasClaimedSale, isClaimApproved, ...customer } = rest;
  return { customer, matchedBy, isEmailFromPage, isEmailOfLead, isKnownByClaim, hasClaimedSale, isClaimApproved };
}

/** Whether several web pages claim a customer key that nobody holds. */
export async function isClaimedBySeveral(
  db: Queryable,
  programId: number,
  customerKey: string,
  isTest: boolean,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from customers
     where program_id = $1 and claimed_customer_key = $2 and is_test = $3 and lead_state = 'provisional' limit 2`,
    [programId, customerKey, isTest],
  );
  return rows.length > 1;
}

/**
 * Stores which customer the processor's ids belong to, unless the customer was erased meanwhile. Stronger evidence wins; between
 * equals, the earlier one.
 */
export async function upsertIdentities(
  db: Queryable,
  programId: number,
  references: string[],
  { customer, matchedBy }: Payer,
  seenAt: Date,
): Promise<void> {
  await db.query(
    `with kept as materialized (select id from customers where id = $3 and erased_at is null for key share)
     insert into processor_identities (program_id, reference, customer_id, rank, seen_at)
     select $1, reference, kept.id, $4, $5 from (select distinct unnest($2::text[]) as reference) r, kept order by reference
     on conflict (program_id, reference) do update
       set customer_id = excluded.customer_id, rank = excluded.rank, seen_at = excluded.seen_at
       where (excluded.rank, excluded.seen_at) < (processor_identities.rank, processor_identities.seen_at)`,
    [programId, references, customer.id, rankOf(matchedBy), seenAt],
  );
}

/** Stores that the processor's ids belong to a customer who came with a coupon. False if one of them is known already. */
export async function insertIdentities(
  db: Queryable,
  programId: number,
  references: string[],
  customerId: number,
  seenAt: Date,
): Promise<boolean> {
  const distinct = [...new Set(references)].sort();
  const rows = await db.query(
    `insert into processor_identities (program_id, reference, customer_id, rank, seen_at)
     select $1, reference, $3, $4, $5 from unnest($2::text[]) with ordinality r (reference, position) order by position
     on conflict do nothing returning 1`,
    [programId, distinct, customerId, rankOf('coupon'), seenAt],
  );
  return rows.length === distinct.length;
}
