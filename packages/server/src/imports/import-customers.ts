import type { ImportedPartner } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { type MovedCustomer, updateAssigned } from '../customers/attribution-store.ts';
import { type Customer, isAttributed } from '../customers/customer.ts';
import { listCustomersForUpdate, type StoredEmail } from '../customers/customer-store.ts';
import { hashEmail, hashEmailIdentity, maskEmail } from '../customers/email.ts';
import {
  type FoundCustomer,
  type ImportedCustomer,
  insertImportedCustomers,
  listSoughtCustomers,
  updateImported,
} from '../customers/imported-customer-store.ts';
import type { Transaction } from '../db/db.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import { recordImportedIdentities, referencesOf } from '../payments/record-imported-identities.ts';
import { outcomeOf, type PartOf, partsOf, type RowInProgress } from './import-row.ts';
import { insertImportItems } from './import-store.ts';

type CustomerPart = PartOf<ImportedPartner['customers'][number]>;
type Sought = { asked: CustomerPart; key: string; references: string[]; email: StoredEmail | null };
type Verdict =
  | { is: 'new' }
  | { is: 'theirs'; customer: Customer }
  | { is: 'unassigned'; customer: Customer }
  | { is: 'refused'; message: string };

export type ImportingContext = Context & { emailSecret: string };
type Importing = { programId: number; importId: number; source: string; actor: Actor };

/** Customers who are another partner's now, each with the decision about it. */
export type Reassigned = { moved: MovedCustomer[]; decisionIds: Map<number, number> };

/**
 * Gives the partners their customers, from now on and without a click. A customer who belongs to another partner stays with them, and so do
 * payments from before. What payment processors call the customers is stored, so that their next payment finds them.
 */
export async function importCustomers(
  tx: Transaction,
  ctx: ImportingContext,
  { programId, importId, source, actor }: Importing,
  rows: RowInProgress[],
): Promise<Reassigned> {
  const now = ctx.now();
  const parts = partsOf(rows, ({ customers }) => customers);
  if (parts.length === 0) return { moved: [], decisionIds: new Map() };
  const { sought, repeated } = distinct(parts.map((asked) => soughtOf(ctx, asked)));
  const found = await listSoughtCustomers(
    tx,
    programId,
    sought.map(({ key, references, email }) => ({ key, references, emailHash: email?.hash ?? null })),
  );
  const locked = await listCustomersForUpdate(tx, [
    ...new Set(found.flatMap(({ certain, byEmail }) => [...certain, ...(byEmail === undefined ? [] : [byEmail])])),
  ]);
  const verdicts = judge(sought, found, new Map(locked.map((customer) => [customer.id, customer])));

  const given = sought.flatMap((each, index) => {
    const verdict = verdicts[index] as Verdict;
    return verdict.is === 'unassigned' ? [{ ...each, customer: verdict.customer }] : [];
  });
  const added = sought.filter((_, index) => verdicts[index]?.is === 'new');
  const created = await insertImportedCustomers(
    tx,
    added.map((each) => newCustomer(programId, each)),
    now,
  );
  const moved =
    given.length === 0
      ? []
      : await updateAssigned(
          tx,
          given.map((each) => assignedTo(each, now)),
        );
  const known = sought.flatMap((each, index) => {
    const verdict = verdicts[index] as Verdict;
    return 'customer' in verdict ? [{ ...each, customerId: verdict.customer.id }] : [];
  });
  await updateImported(
    tx,
    programId,
    given.map(({ customer, key, asked }) => ({
      id: customer.id,
      customerKey: key,
      firstSeenAt: asked.part.first_seen_at ?? null,
    })),
    now,
  );
  const assignedIds = new Set(given.map(({ customer }) => customer.id));
  const items = [
    ...added.map(({ key }) => ({ itemId: created.get(key) as number, isNew: true, assignedAt: now })),
    ...known.map(({ customerId }) => ({
      itemId: customerId,
      isNew: false,
      assignedAt: assignedIds.has(customerId) ? now : null,
    })),
  ];
  const recorded = await insertImportItems(tx, importId, 'customer', items);
  const identities = [...added.map((each) => ({ ...each, customerId: created.get(each.key) as number })), ...known];
  await recordImportedIdentities(
    tx,
    programId,
    identities.flatMap(({ references, customerId }) => references.map((reference) => ({ reference, customerId }))),
    now,
  );
  const decisionIds = await insertDecisions(
    tx,
    given.map(({ customer, asked }) => ({
      programId,
      kind: 'assignment',
      outcome: 'recorded',
      reason: 'customer_assigned',
      facts: { assignment_reason: `Imported from ${source}` },
      source: 'person',
      customerId: customer.id,
      partnerId: asked.partnerId,
      customerKey: customer.customerKey,
      requestId: actor.requestId,
      isTest: false,
      createdAt: now,
    })),
  );

  sought.forEach(({ asked, key }, index) => {
    const verdict = verdicts[index] as Verdict;
    const result = { external_id: key, customer_id: null, message: null };
    const { customers } = asked.row.result;
    if (verdict.is === 'refused') customers.push({ ...result, outcome: 'refused', message: verdict.message });
    else {
      const id = verdict.is === 'new' ? (created.get(key) as number) : verdict.customer.id;
      const isAdded = recorded.has(id) || verdict.is === 'unassigned';
      customers.push({ ...result, customer_id: id, outcome: outcomeOf({ isNew: verdict.is === 'new', isAdded }) });
    }
  });
  for (const { asked, message } of repeated) {
    const outcome = message ? 'refused' : 'unchanged';
    asked.row.result.customers.push({ external_id: asked.part.external_id, outcome, customer_id: null, message });
  }
  return {
    moved,
    decisionIds: new Map(given.map(({ customer }, index) => [customer.id, decisionIds[index] as number])),
  };
}

function soughtOf({ emailSecret }: ImportingContext, asked: CustomerPart): Sought {
  const { external_id: key, processor_customer_id: processorId, email } = asked.part;
  const references = processorId === undefined ? [] : referencesOf(processorId);
  return { asked, key, references, email: email === undefined ? null : storedEmail(email, emailSecret) };
}

function storedEmail(email: string, secret: string): StoredEmail {
  const [hash, identityHash] = [hashEmail(email, secret), hashEmailIdentity(email, secret)];
  return { hash, identityHash, masked: maskEmail(email), source: 'server' };
}

type Repeated = { asked: CustomerPart; message: string | null };

/** Everybody once. The first row that names a person counts; another one may not give them to another partner. */
function distinct(all: Sought[]): { sought: Sought[]; repeated: Repeated[] } {
  const byName = new Map<string, Sought>();
  const sought: Sought[] = [];
  const repeated: Repeated[] = [];
  for (const each of all) {
    const names = [`key ${each.key}`, ...each.references.map((reference) => `reference ${reference}`)];
    const first = names.map((name) => byName.get(name)).find((other) => other !== undefined);
    if (!first) {
      sought.push(each);
      for (const name of names) byName.set(name, each);
    } else {
      const isSame = first.key === each.key && first.asked.partnerId === each.asked.partnerId;
      repeated.push({
        asked: each.asked,
        message: isSame ? null : `Row ${first.asked.row.row} has this customer already.`,
      });
    }
  }
  return { sought, repeated };
}

function judge(sought: Sought[], found: FoundCustomer[], customers: Map<number, Customer>): Verdict[] {
  const heldBy = new Map<number, Sought>();
  return sought.map((each, position): Verdict => {
    const { certain, byEmail } = found[position] as FoundCustomer;
    if (certain.length > 1) {
      return { is: 'refused', message: 'external_id and processor_customer_id belong to different customers.' };
    }
    const [id = byEmail] = certain;
    const customer = id === undefined ? undefined : customers.get(id);
    if (!customer) return { is: 'new' };
    const { partnerId } = each.asked;
    const other = heldBy.get(customer.id);
    if (other) {
      const message = `Row ${other.asked.row.row} has this customer already.`;
      return other.asked.partnerId === partnerId ? { is: 'theirs', customer } : { is: 'refused', message };
    }
    if (isAttributed(customer) && customer.partnerId !== partnerId) {
      return { is: 'refused', message: 'The customer belongs to another partner already, and stays with them.' };
    }
    heldBy.set(customer.id, each);
    return { is: isAttributed(customer) ? 'theirs' : 'unassigned', customer };
  });
}

function newCustomer(programId: number, { asked, key, email }: Sought): ImportedCustomer {
  const { partnerId, membershipId, part } = asked;
  return { programId, partnerId, membershipId, customerKey: key, email, firstSeenAt: part.first_seen_at ?? null };
}

/** The clock of another node may be ahead. What the brand says still holds from then on. */
function assignedTo({ asked, customer }: { asked: CustomerPart; customer: Customer }, now: Date) {
  const assignedAt = customer.assignedAt && customer.assignedAt > now ? customer.assignedAt : now;
  return { id: customer.id, partnerId: asked.partnerId, membershipId: asked.membershipId, assignedAt };
}
