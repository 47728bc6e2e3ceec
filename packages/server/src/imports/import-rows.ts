import { errors, type ImportRow, type ImportRowResult } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { COMMISSION_ROWS } from '../commissions/commission-list-store.ts';
import { movedCustomers } from '../customers/customer-list-store.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { announce } from '../outbox/announce.ts';
import { LINK_ROWS } from '../partners/links/link-list-store.ts';
import { PARTNER_ROWS } from '../partners/partner-list-store.ts';
import type { Program } from '../programs/program.ts';
import { importBalances } from './import-balances.ts';
import { importCoupons } from './import-coupons.ts';
import { type ImportingContext, importCustomers } from './import-customers.ts';
import { importLinks } from './import-links.ts';
import { importPartners } from './import-partners.ts';
import { type RowInProgress, readRow, settleRow } from './import-row.ts';
import {
  type FoundImport,
  findCurrentImport,
  findImport,
  insertImport,
  lockImports,
  type StoredImport,
  toImportRow,
  updateImportTime,
} from './import-store.ts';

export type ImportRequest = { source: string; rows: unknown[]; payApproved: boolean; dryRun: boolean };
export type ImportReply = { import: ImportRow | null; rows: ImportRowResult[] };

/**
 * Takes over rows of another tool, all in one transaction. Each row has an outcome of its own, and sending it again changes
 * nothing. A dry run does the same and then takes it back, so it says exactly what would happen.
 */
export function importRows(
  ctx: ImportingContext,
  program: Program,
  { source, rows, payApproved, dryRun }: ImportRequest,
  actor: Actor,
): Promise<ImportReply> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const read = rows.map(readRow);
      const taken = read.filter((row): row is RowInProgress => 'data' in row);
      await lockImports(tx, program.id);
      const before = await findCurrentImport(tx, program.id, source);
      if (before?.status === 'undoing') throw errors.importBeingUndone();
      const results = read.map((row) => ('data' in row ? row.result : row));
      const asItWas = before && (await shown(tx, program, before));
      if (taken.length === 0) return { import: asItWas, rows: results };
      const found =
        before ?? (await insertImport(tx, { programId: program.id, source, userId: actor.userId }, ctx.now()));
      await importAll(tx, ctx, program, { ...found, payApproved, actor }, taken);
      for (const row of taken) settleRow(row);
      const isChanged = taken.some(({ result }) => result.outcome === 'created' || result.outcome === 'merged');
      if (dryRun) {
        tx.rollBack();
        return { import: asItWas, rows: results.map(withoutNewIds) };
      }
      if (isChanged) await noteChange(tx, ctx, program, found, { results, payApproved, actor });
      return { import: await shown(tx, program, found), rows: results };
    }),
  );
}

type Importing = FoundImport & { payApproved: boolean; actor: Actor };

async function importAll(
  tx: Transaction,
  ctx: ImportingContext,
  program: Program,
  { payApproved, actor, ...found }: Importing,
  rows: RowInProgress[],
): Promise<void> {
  const [programId, { id: importId, source }] = [program.id, found];
  const partnerIds = await importPartners(tx, ctx, program, found, rows);
  const linkIds = await importLinks(tx, ctx, program, importId, rows);
  await importCoupons(tx, ctx, programId, importId, rows);
  const { moved, decisionIds } = await importCustomers(tx, ctx, { programId, importId, source, actor }, rows);
  const commissionIds = await importBalances(tx, ctx, { programId, importId, source, payApproved }, rows);
  announce(ctx, tx, [
    { rows: PARTNER_ROWS, events: partnerIds.map((id) => ({ type: 'partner.joined', programId, id })) },
    { rows: LINK_ROWS, events: linkIds.map((id) => ({ type: 'link.created', programId, id })) },
    movedCustomers(moved, (id) => decisionIds.get(id)),
    { rows: COMMISSION_ROWS, events: commissionIds.map((id) => ({ type: 'commission.created', programId, id })) },
  ]);
}

type Change = { results: ImportRowResult[]; payApproved: boolean; actor: Actor };

async function noteChange(
  tx: Transaction,
  ctx: ImportingContext,
  { id: programId, workspaceId }: Program,
  { id, source }: FoundImport,
  { results, payApproved, actor }: Change,
): Promise<void> {
  const count = (outcome: ImportRowResult['outcome']) => results.filter((row) => row.outcome === outcome).length;
  const counts = { created: count('created'), merged: count('merged'), refused: count('refused') };
  const after = { rows: results.length, ...counts, ...(payApproved && { pay_approved: true }) };
  const subject = { type: 'import', id, name: source } as const;
  await insertAuditEvent(tx, { workspaceId, programId, actor, action: 'import.received', subject, after }, ctx.now());
  await updateImportTime(tx, id, ctx.now());
}

async function shown(tx: Transaction, program: Program, { id }: FoundImport): Promise<ImportRow> {
  return toImportRow((await findImport(tx, program.id, id)) as StoredImport);
}

/** A dry run takes back what it created, so the ids of that lead nowhere. */
function withoutNewIds(result: ImportRowResult): ImportRowResult {
  const isNew = ({ outcome }: { outcome: string }) => outcome === 'created';
  return {
    ...result,
    partner_id:
      isNew(result) || result.messages.some(({ field }) => field === 'partner.email') ? null : result.partner_id,
    links: result.links.map((link) => (isNew(link) ? { ...link, link_id: null, short_link: null } : link)),
    coupons: result.coupons.map((coupon) => (isNew(coupon) ? { ...coupon, coupon_id: null } : coupon)),
    customers: result.customers.map((customer) => (isNew(customer) ? { ...customer, customer_id: null } : customer)),
    balances: result.balances.map((balance) =>
      balance.outcome === 'unchanged' ? balance : { ...balance, commission_id: null },
    ),
  };
}
