import { listAuditTexts, updateAuditTexts } from '../audit/erased-audit-store.ts';
import { eraseVisits } from '../clicks/erased-click-store.ts';
import { listCommissionTexts, updateCommissionTexts } from '../commissions/erased-commission-store.ts';
import { deleteIdentityElsewhere, updateErased } from '../customers/erased-customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { listDecisionsNaming, updateAnonymous } from '../decisions/erased-decision-store.ts';
import { listNotesWith, updateNoteText } from '../partners/notes/note-store.ts';
import {
  deleteContents,
  deleteIdentities,
  deleteUsedCodes,
  updateEventTransaction,
} from '../payments/erasure/erased-event-store.ts';
import { listReferencesWith, updateReference } from '../payouts/erased-payout-store.ts';
import { listRefundTexts, updateRefundTexts } from '../refunds/erased-refund-store.ts';
import { deleteCustomerFacets, deleteFacetValues } from '../rollups/erased-facet-store.ts';
import { listSaleTexts, updateSaleTexts } from '../sales/erased-sale-store.ts';
import { deleteViews, listAllViews } from '../views/view-store.ts';
import type { Person } from './identify-person.ts';
import type { ProgramOfPerson } from './privacy-context.ts';
import { isNamedInUrl, redactJson, redactText } from './redact.ts';

/** Removes a person from every table of the program, in the order in which sales are written. */
export async function eraseTraces(
  tx: Queryable,
  program: ProgramOfPerson,
  person: Person,
  eventIds: number[],
  now: Date,
): Promise<void> {
  const { customerIds, references } = person;
  const renamed = await eraseFromLedger(tx, program.id, person);
  await deleteCustomerFacets(tx, program.id, customerIds);
  await updateErased(tx, customerIds, now);
  await deleteIdentityElsewhere(tx, program.id, person);
  await eraseFromDecisions(tx, program.id, person, renamed);
  await eraseVisits(tx, customerIds);
  await eraseFromReports(tx, program.id, person);
  await deleteIdentities(tx, customerIds);
  await deleteUsedCodes(tx, program.id, references);
  await deleteContents(tx, program.id, { eventIds, customerIds, references });
  for (const [from, to] of renamed) await updateEventTransaction(tx, program.id, from, to);
  await eraseFromTexts(tx, program, person);
}

/** Texts in sales, commissions and refunds. Amounts stay, and so do transaction ids, unless one of them is an identifier. */
async function eraseFromLedger(tx: Queryable, programId: number, person: Person): Promise<Map<string, string>> {
  const sales = await listSaleTexts(tx, person.customerIds);
  const renamed = new Map(
    sales
      .filter(({ transactionId }) => person.words.includes(transactionId))
      .map(({ id, transactionId }) => [transactionId, `erased-sale-${id}`]),
  );
  await updateSaleTexts(
    tx,
    sales.map(({ id, transactionId, ...texts }) => ({
      id,
      transactionId: renamed.get(transactionId) ?? transactionId,
      ...redactJson(texts, person),
    })),
  );
  const commissions = await listCommissionTexts(tx, programId, { ...person, words: searchedWords(person) });
  await updateCommissionTexts(
    tx,
    commissions.map(({ id, ...texts }) => ({ id, ...redactJson(texts, person) })),
  );
  const refunds = await listRefundTexts(tx, person.customerIds);
  await updateRefundTexts(
    tx,
    refunds.map(({ id, reason }) => ({ id, reason: redactText(reason, person) })),
  );
  return renamed;
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
      transactionId: transactionId && (renamed.get(transactionId) ?? transactionId),
    })),
  );
}

/** Pages and campaigns that name the person, in the counts of reports. There they may be encoded, as in an address. */
async function eraseFromReports(tx: Queryable, programId: number, person: Person): Promise<void> {
  const { words, emailHashes, knownSince: since } = person;
  const isEncoded = emailHashes.length > 0 || words.some((word) => encodeURIComponent(word) !== word);
  const asWritten = words.map((word) => JSON.stringify(word).slice(1, -1));
  const searched = [...asWritten, ...(emailHashes.length > 0 ? ['@'] : []), ...(isEncoded ? ['%'] : [])];
  await deleteFacetValues(tx, { programId, since, words: searched }, (value) => isNamedInUrl(value, person));
}

/** What texts that name the person contain. Addresses are known by their hashes only, so every address is looked at. */
function searchedWords({ words, emailHashes }: Person): string[] {
  return emailHashes.length > 0 ? [...words, '@'] : words;
}

/** What people wrote or searched for: notes, references of payouts, views of lists, and what the audit log quotes. */
async function eraseFromTexts(tx: Queryable, { id, workspaceId }: ProgramOfPerson, person: Person): Promise<void> {
  const words = searchedWords(person);
  for (const note of await listNotesWith(tx, id, words)) {
    await updateNoteText(tx, { id: note.id, text: redactText(note.text, person) });
  }
  for (const payout of await listReferencesWith(tx, id, words)) {
    await updateReference(tx, { id: payout.id, reference: redactText(payout.reference, person) });
  }
  const views = (await listAllViews(tx, id)).filter(({ query }) => isSearchFor(query, person));
  await deleteViews(
    tx,
    id,
    views.map((view) => view.id),
  );
  const rows = await listAuditTexts(tx, workspaceId, words);
  await updateAuditTexts(
    tx,
    rows.map(({ id, ...texts }) => ({ id, ...redactJson(texts, person) })),
  );
}

function isSearchFor(query: string, { words, ownsAddress }: Person): boolean {
  return [...new URLSearchParams(query).values()].some((value) => words.includes(value) || ownsAddress(value));
}
