import { queueArchivedErasures } from '../archive/archive-store.ts';
import { whileErasing } from '../audit/erased-audit-store.ts';
import { eraseVisits } from '../clicks/erased-click-store.ts';
import { deleteIdentityElsewhere, updateErased } from '../customers/erased-customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { redactTexts } from '../db/schema/redact-texts.ts';
import { listDecisionsNaming, updateAnonymous } from '../decisions/erased-decision-store.ts';
import { listDeductionIds, updateDeductedPayment, updateDeductionId } from '../payments/charge-store.ts';
import {
  deleteContents,
  deleteIdentities,
  deleteUsedCodes,
  listEventNames,
  updateEventName,
  updateEventTransaction,
} from '../payments/events/erased-event-store.ts';
import { deleteFirstPayments } from '../payments/subscription-store.ts';
import { updateCallsAnonymous } from '../postbacks/call-store.ts';
import { deleteCustomerFacets, deleteFacetValues } from '../rollups/erased-facet-store.ts';
import { listTransactionIds, updateTransactionId } from '../sales/erased-sale-store.ts';
import { deleteViews, listAllViews } from '../views/view-store.ts';
import { eraseCustomerFromFeed } from './erase-feed.ts';
import type { Person } from './identify-person.ts';
import type { ProgramOfPerson } from './privacy-context.ts';
import { isNamedIn, redactJson } from './redact.ts';

/** The tables of the list of erasures with texts to redact, in the order in which sales are written. */
export const LEDGER = ['sales', 'commissions', 'refunds'];
/** And those in which people of the workspace write. */
export const WRITTEN = [
  'programs',
  'memberships',
  'links',
  'coupons',
  'terms_versions',
  'partner_groups',
  'partner_notes',
  'partner_messages',
  'creatives',
  'creative_files',
  'payout_method_lifts',
  'payout_runs',
  'payout_run_omissions',
  'payouts',
  'bulk_actions',
  'agreements',
  'webhook_deliveries',
  'webhook_endpoints',
  'audit_events',
  'postback_calls',
];

/** Removes a person from every table of the program, in the order in which sales are written. */
export async function eraseTraces(
  tx: Queryable,
  program: ProgramOfPerson,
  person: Person,
  eventIds: number[],
  now: Date,
): Promise<void> {
  const { customerIds, references } = person;
  for (const table of LEDGER) await eraseFromTable(tx, table, program, person);
  const transactions = await listTransactionIds(tx, customerIds);
  const transactionIds = transactions.map(({ transactionId }) => transactionId);
  const renamed = await eraseTransactionIds(tx, transactions, person);
  await deleteCustomerFacets(tx, program.id, customerIds);
  await updateErased(tx, customerIds, now);
  await deleteIdentityElsewhere(tx, program.id, person);
  await eraseFromDecisions(tx, program.id, person, renamed);
  await eraseVisits(tx, customerIds);
  await queueArchivedErasures(tx, customerIds);
  await eraseFromReports(tx, program.id, person);
  await deleteIdentities(tx, customerIds);
  await deleteUsedCodes(tx, program.id, references);
  await deleteFirstPayments(tx, program.id, references);
  await deleteContents(tx, program.id, { eventIds, customerIds, references });
  await eraseEventNames(tx, program.id, person, { eventIds, customerIds, transactionIds });
  await eraseDeductions(tx, program.id, person, transactionIds);
  for (const [from, to] of renamed) {
    await updateEventTransaction(tx, program.id, from, to);
    await updateDeductedPayment(tx, program.id, from, to);
  }
  const views = (await listAllViews(tx, program.id)).filter(({ name, query }) => isNamedIn([name, query], person));
  await deleteViews(
    tx,
    program.id,
    views.map((view) => view.id),
  );
  // Before the program itself is changed, which numbering refers to.
  await eraseCustomerFromFeed(tx, program.id, person, searchedWords(person));
  await whileErasing(tx, async () => {
    for (const table of WRITTEN) await eraseFromTable(tx, table, program, person);
  });
  await updateCallsAnonymous(tx, customerIds);
}

function eraseFromTable(tx: Queryable, table: string, program: ProgramOfPerson, person: Person): Promise<void> {
  const { customerIds } = person;
  const searched = {
    programId: program.id,
    workspaceId: program.workspaceId,
    customerIds,
    words: searchedWords(person),
  };
  return redactTexts(tx, table, searched, {
    redact: (value) => redactJson(value, person),
    isNamed: (value) => isNamedIn(value, person),
    hasAddress: (value) => isNamedIn(value, { ...person, words: [] }),
  });
}

/** Transaction ids stay, unless they name the person. Returns what they are called now. */
async function eraseTransactionIds(
  tx: Queryable,
  transactions: { saleId: number; transactionId: string }[],
  person: Person,
): Promise<Map<string, string>> {
  const renamed = new Map<string, string>();
  for (const { saleId, transactionId } of transactions) {
    if (!isNamedIn(transactionId, person)) continue;
    renamed.set(transactionId, `erased-sale-${saleId}`);
    await updateTransactionId(tx, saleId, `erased-sale-${saleId}`);
  }
  return renamed;
}

/** Shops that send events of their own also choose the ids of events, refunds and disputes. */
async function eraseEventNames(
  tx: Queryable,
  programId: number,
  person: Person,
  about: Parameters<typeof listEventNames>[2],
): Promise<void> {
  for (const { id, eventId } of await listEventNames(tx, programId, about)) {
    if (isNamedIn(eventId, person)) await updateEventName(tx, id, `erased-event-${id}`);
  }
}

async function eraseDeductions(
  tx: Queryable,
  programId: number,
  person: Person,
  transactionIds: string[],
): Promise<void> {
  for (const id of await listDeductionIds(tx, programId, transactionIds)) {
    if (isNamedIn(id, person)) await updateDeductionId(tx, programId, id);
  }
}

async function eraseFromDecisions(
  tx: Queryable,
  programId: number,
  person: Person,
  renamed: Map<string, string>,
): Promise<void> {
  const decisions = await listDecisionsNaming(tx, programId, person);
  await updateAnonymous(
    tx,
    decisions.map(({ id, facts, transactionId }) => ({
      id,
      facts: redactJson(facts, person),
      transactionId: transactionId && (renamed.get(transactionId) ?? redactJson(transactionId, person)),
    })),
  );
}

/** Pages and campaigns that name the person, in the counts of reports. */
async function eraseFromReports(tx: Queryable, programId: number, person: Person): Promise<void> {
  const words = searchedWords(person);
  await deleteFacetValues(tx, { programId, since: person.knownSince, words }, (value) => isNamedIn(value, person));
}

/**
 * What texts that name the person contain, also as JSON and web addresses write it. Addresses are known by their hashes only,
 * so every address is looked at.
 */
function searchedWords({ words, emailHashes }: Person): string[] {
  const asWritten = words.map((word) => JSON.stringify(word).slice(1, -1));
  const isEncoded = emailHashes.length > 0 || words.some((word) => encodeURIComponent(word) !== word);
  return [...new Set([...words, ...asWritten, ...(emailHashes.length > 0 ? ['@'] : []), ...(isEncoded ? ['%'] : [])])];
}
