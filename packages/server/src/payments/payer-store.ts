import type { ClickId } from '../clicks/click-id.ts';
import type { Customer } from '../customers/customer.ts';
import { CUSTOMER_COLUMNS } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';

export type PayerLookup = {
  programId: number;
  isTest: boolean;
  click: ClickId | null;
  customerKey: string | undefined;
  references: string[];
  emailHash: string | null;
};

/** What identified the payer, the most certain first. The index is the stored rank. */
const MATCHES = ['click', 'key', 'claim', 'reference', 'email'] as const;
export type Match = (typeof MATCHES)[number];

export type Payer = { customer: Customer; matchedBy: Match };

const latest = (condition: string) =>
  `(select * from customers where program_id = $1 and is_test = $2 and ${condition} order by lead_at desc, id desc limit 1)`;

// A click is looked up across all programs, so that a customer of another program is not mistaken for an unknown one.
const FIND_PAYER = `
  select 0 as rank, ${CUSTOMER_COLUMNS} from customers c where id = $3 and clicked_at = $4 and is_test = $2
  union all
  select 1, ${CUSTOMER_COLUMNS} from customers c where program_id = $1 and is_test = $2 and customer_key = $5
  union all
  select 2, ${CUSTOMER_COLUMNS} from ${latest(`claimed_customer_key = $5 and lead_state = 'provisional'`)} c
  union all
  select 3, ${CUSTOMER_COLUMNS} from (
    select i.customer_id from processor_identities i
    where i.program_id = $1 and i.reference = any ($6::text[]) order by i.rank, i.seen_at, i.reference limit 1) known
    join customers c on c.id = known.customer_id and c.program_id = $1 and c.is_test = $2
  union all
  select 4, ${CUSTOMER_COLUMNS} from ${latest('email_hash = $7')} c
  order by rank limit 1`;

/** Finds who paid, in this order: by click, customer key, claimed key, the processor's own ids, e-mail. */
export async function findPayer(db: Queryable, lookup: PayerLookup): Promise<Payer | null> {
  const [row] = await db.query<Customer & { rank: number }>(FIND_PAYER, [
    lookup.programId,
    lookup.isTest,
    lookup.click?.customerId ?? null,
    lookup.click?.clickedAt ?? null,
    lookup.customerKey ?? null,
    lookup.references,
    lookup.emailHash,
  ]);
  if (!row) return null;
  const { rank, ...customer } = row;
  return { customer, matchedBy: MATCHES[rank] as Match };
}

/** Stores which customer the processor's ids belong to. Stronger evidence wins; between equals, the earlier one. */
export async function upsertIdentities(
  db: Queryable,
  programId: number,
  references: string[],
  { customer, matchedBy }: Payer,
  seenAt: Date,
): Promise<void> {
  await db.query(
    `insert into processor_identities (program_id, reference, customer_id, rank, seen_at)
     select $1, reference, $3, $4, $5 from (select distinct unnest($2::text[]) as reference) r order by reference
     on conflict (program_id, reference) do update
       set customer_id = excluded.customer_id, rank = excluded.rank, seen_at = excluded.seen_at
       where (excluded.rank, excluded.seen_at) < (processor_identities.rank, processor_identities.seen_at)`,
    [programId, references, customer.id, MATCHES.indexOf(matchedBy), seenAt],
  );
}
