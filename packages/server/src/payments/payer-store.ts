import {
  FIRST_CLAIMED_SALE_AT,
  IS_CLAIM_APPROVED,
  IS_KEY_OF_CLAIM,
  IS_SETTLED_WITHOUT_KEY,
} from '../customers/claimed-key-store.ts';
import type { ClickId } from '../customers/click-id.ts';
import { CLOCK_SKEW_MS, type Customer } from '../customers/customer.ts';
import { CUSTOMER_COLUMNS } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import {
  type Candidate,
  CLICKS,
  type Doubts,
  MATCHES,
  type Match,
  type Payer,
  rankOf,
  STRENGTH_OF_RANK,
} from './choose-payer.ts';

export type PayerLookup = {
  programId: number;
  isTest: boolean;
  click: ClickId | null;
  customerKey: string | undefined;
  /** The client reference, read as a click id and as a key. */
  clientReference: { click: ClickId | null; key: string } | undefined;
  references: string[];
  emailHash: string | null;
  /** When the event happened. */
  happenedAt: Date;
};

// A key that several pages claim identifies nobody, and no claim counts against a customer who holds the key.
const onlyClaimant = (scope: string, key: string) => `(
  select (array_agg(id))[1] as id from (
    select id from customers
    where ${scope} and claimed_customer_key = ${key} and lead_state = 'provisional' limit 2) claimants
  where not exists (select 1 from customers where ${scope} and customer_key = ${key})
  having count(*) = 1)`;

// An e-mail counts only where the program's server or the processor vouches for the lead; the earliest such lead wins. Leads
// of an earlier release do not say who vouches for them, but their decisions do. Nor do leads that a payment with the click settled
// while the key is still the page's. The brand vouches for whom it imports.
const earliestLeadWithEmail = (scope: string, hash: string) => `(
  select * from customers c
  where ${scope} and email_hash = ${hash}
    and (imported_at is not null and email_source = 'server' or lead_state = 'settled' and (
      lead_source = 'server' or lead_source is null and exists (
        select 1 from decisions d
        where d.customer_id = c.id and d.kind = 'lead' and d.outcome = 'recorded' and d.source <> 'browser')
      or lead_source = 'page' and ${IS_SETTLED_WITHOUT_KEY}))
  order by coalesce(lead_at, imported_at), id limit 1)`;

const payerColumns = (
  hash: string | null,
) => `${CUSTOMER_COLUMNS}, c.email_source is not distinct from 'page' as "isEmailFromPage",
  ${hash === null ? 'false' : `coalesce(c.email_hash = ${hash}, false)`} as "isEmailOfLead",
  exists (select 1 from sales s where s.customer_id = c.id and s.hold_reason = 'claimed_key') as "hasClaimedSale",
  ${IS_CLAIM_APPROVED} as "isClaimApproved"`;

// A key says no more than the coupon whose payment made its holder a customer, until they are assigned again.
const IS_KEY_OF_COUPON = `(
  c.clicked_at is null and c.lead_at is null and c.assigned_at is not null
  and not exists (select 1 from attributions a where a.customer_id = c.id and a.since < c.assigned_at))`;

// Nor does it say more than the claim of a page, until the brand has approved that. It is known since the first sale that rests on it:
// whatever else its holder has bought says nothing about the key.
const byKey = (match: Match, columns: string) => `
  select case when ${IS_KEY_OF_COUPON} then ${rankOf('coupon')} when ${IS_KEY_OF_CLAIM} then ${rankOf('claim')}
      else ${rankOf(match)} end as rank,
    case when ${IS_KEY_OF_COUPON} then c.assigned_at when ${IS_KEY_OF_CLAIM} then ${FIRST_CLAIMED_SALE_AT} end as "learntAt",
    null::timestamptz as "knownSince", false as "isReference", ${columns}
  from customers c`;

const by = (match: Match, columns: string) => `
  select ${rankOf(match)} as rank, null::timestamptz as "learntAt", null::timestamptz as "knownSince", false as "isReference",
    ${columns}`;

/**
 * Asks for what the event says and for nothing else. Postgres plans such a statement once. One that has nulls for the rest would
 * be planned anew for every event, because a plan that knows of the nulls looks so much cheaper.
 */
function candidatesQuery(lookup: PayerLookup): { selects: string[]; params: unknown[] } {
  const { click, customerKey, clientReference, references, emailHash } = lookup;
  const params: unknown[] = [];
  const param = (value: unknown) => `$${params.push(value)}`;
  const isTest = param(lookup.isTest);
  const hash = emailHash === null ? null : param(emailHash);
  const columns = payerColumns(hash);
  // A click is looked up across all programs, so that a customer of another program is not mistaken for an unknown one.
  const byClick = ({ customerId, clickedAt }: ClickId) =>
    `from customers c where id = ${param(customerId)} and clicked_at = ${param(clickedAt)} and is_test = ${isTest}`;
  const selects = click ? [`${by('click', columns)} ${byClick(click)}`] : [];
  const isClickAll = customerKey === undefined && references.length === 0 && !clientReference && hash === null;
  if (isClickAll) return { selects, params };

  const program = param(lookup.programId);
  const scope = `program_id = ${program} and is_test = ${isTest}`;
  const key = customerKey === undefined ? null : param(customerKey);
  if (key !== null) selects.push(`${byKey('key', columns)} where ${scope} and customer_key = ${key}`);
  if (references.length > 0) {
    // By the references first: a plan for small tables would read all that is known about the customer.
    selects.push(`
      select i.rank, i.seen_at as "learntAt", i.known_since as "knownSince", true as "isReference", ${columns}
      from (
        select * from processor_identities
        where program_id = ${program} and reference = any (${param(references)}::text[]) offset 0) i
      join customers c on c.id = i.customer_id and c.program_id = ${program} and c.is_test = ${isTest}`);
  }
  if (clientReference) {
    const own = clientReference.click && byClick(clientReference.click);
    if (own) selects.push(`${by('client_reference', columns)} ${own} and program_id = ${program}`);
    const named = param(clientReference.key);
    selects.push(`${byKey('client_reference', columns)} where ${scope} and customer_key = ${named}`);
  }
  if (hash !== null) selects.push(`${by('email', columns)} from ${earliestLeadWithEmail(scope, hash)} c`);
  if (key !== null) {
    selects.push(
      `${by('claim', columns)} from ${onlyClaimant(scope, key)} claimant join customers c on c.id = claimant.id`,
    );
  }
  return { selects, params };
}

type Row = Customer & Doubts & { rank: number; learntAt: Date | null; knownSince: Date | null; isReference: boolean };

/** Everybody who may have paid, by what the event says and by what is known about the processor's ids. */
export async function listPayerCandidates(db: Queryable, lookup: PayerLookup): Promise<Candidate[]> {
  const { selects, params } = candidatesQuery(lookup);
  if (selects.length === 0) return [];
  const rows = await db.query<Row>(selects.join(' union all '), params);
  return rows.map(
    ({
      rank,
      learntAt,
      knownSince,
      isReference,
      isEmailFromPage,
      isEmailOfLead,
      hasClaimedSale,
      isClaimApproved,
      ...customer
    }) => ({
      customer,
      evidence: MATCHES[rank]!,
      seenAt: learntAt ?? lookup.happenedAt,
      knownSince: knownSince ?? learntAt ?? lookup.happenedAt,
      isReference,
      isEmailFromPage,
      isEmailOfLead,
      hasClaimedSale,
      isClaimApproved,
    }),
  );
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

const KNOWN_SINCE = 'coalesce(i.known_since, i.seen_at)';

/** The position of a stored row or of the one to be stored, as `choosePayer` has it. */
const POSITION = (row: 'i' | 'excluded') => `
  ${row}.rank in (${CLICKS.map(rankOf).join(', ')}) and coalesce((select c.clicked_at from customers c where c.id = ${row}.customer_id)
    > least(${KNOWN_SINCE}, excluded.known_since) + ${CLOCK_SKEW_MS} * interval '1 millisecond', false),
  ${STRENGTH_OF_RANK(`${row}.rank`)}, ${row}.seen_at, ${row}.customer_id`;

const IS_BETTER = `(${POSITION('excluded')}) < (${POSITION('i')})`;
const BETTER_OF = (column: string) => `case when ${IS_BETTER} then excluded.${column} else i.${column} end`;

/**
 * Stores which customer the processor's ids belong to, unless the customer was erased meanwhile. The better evidence wins, as in
 * `choosePayer`. Returns the ids that are now known to belong to another customer, or more surely.
 */
export async function upsertIdentities(
  db: Queryable,
  programId: number,
  references: string[],
  { customer, evidence, seenAt, knownSince }: Payer,
): Promise<string[]> {
  const strength = (row: string) => STRENGTH_OF_RANK(`${row}.rank`);
  const rows = await db.query<{ reference: string }>(
    `with kept as materialized (select id from customers where id = $3 and erased_at is null for key share),
     before as materialized (
       select reference, customer_id, rank from processor_identities
       where program_id = $1 and reference = any ($2::text[])),
     written as (
       insert into processor_identities as i (program_id, reference, customer_id, rank, seen_at, known_since)
       select $1, reference, kept.id, $4, $5, $6 from (select distinct unnest($2::text[]) as reference) r, kept order by reference
       on conflict (program_id, reference) do update
         set customer_id = ${BETTER_OF('customer_id')}, rank = ${BETTER_OF('rank')}, seen_at = ${BETTER_OF('seen_at')},
           known_since = least(${KNOWN_SINCE}, excluded.known_since)
         where ${IS_BETTER} or excluded.known_since < ${KNOWN_SINCE}
       returning reference, customer_id, rank)
     select w.reference from written w left join before b using (reference)
     where b.customer_id is distinct from w.customer_id or ${strength('b')} <> ${strength('w')}`,
    [programId, references, customer.id, rankOf(evidence), seenAt, knownSince],
  );
  return rows.map(({ reference }) => reference);
}

/**
 * Stores that the owner of the processor's ids was identified by an earlier event. Nothing is judged again for that alone: the
 * current owner stays, and the time only counts against later clicks.
 */
export async function updateKnownSince(
  db: Queryable,
  programId: number,
  references: string[],
  knownSince: Date,
): Promise<void> {
  await db.query(
    `update processor_identities i set known_since = $3
     where program_id = $1 and reference = any ($2::text[]) and ${KNOWN_SINCE} > $3`,
    [programId, references, knownSince],
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

/**
 * Stores that the processor's ids belong to customers whom the brand imported, which is as good as their key. Ids that are known
 * already stay with whom they belong to. Returns the new ones.
 */
export async function insertImportedIdentities(
  db: Queryable,
  programId: number,
  identities: { reference: string; customerId: number }[],
  now: Date,
): Promise<string[]> {
  const rows = await db.query<{ reference: string }>(
    `insert into processor_identities (program_id, reference, customer_id, rank, seen_at, known_since)
     select $1, i.reference, i."customerId", ${rankOf('key')}, $3, $3
     from json_to_recordset($2::json) as i(reference text, "customerId" bigint) order by i.reference
     on conflict do nothing returning reference`,
    [programId, JSON.stringify(identities), now],
  );
  return rows.map(({ reference }) => reference);
}

/** Forgets the processor's ids that an import brought for customers at these times, unless an event has told them since. */
export async function deleteImportedIdentities(
  db: Queryable,
  programId: number,
  imported: { customerId: number; since: Date }[],
): Promise<void> {
  if (imported.length === 0) return;
  await db.query(
    `delete from processor_identities r using json_to_recordset($2::json) as i("customerId" bigint, since timestamptz)
     where r.program_id = $1 and r.customer_id = i."customerId" and r.rank = ${rankOf('key')}
       and r.seen_at = i.since and r.known_since = i.since`,
    [programId, JSON.stringify(imported)],
  );
}

/** Forgets the processor's ids of customers who are about to be removed. */
export async function deleteIdentities(db: Queryable, programId: number, customerIds: number[]): Promise<void> {
  if (customerIds.length === 0) return;
  await db.query('delete from processor_identities where program_id = $1 and customer_id = any ($2::bigint[])', [
    programId,
    customerIds,
  ]);
}
