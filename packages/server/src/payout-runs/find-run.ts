import type { PayoutRun, PayoutRunSummary } from '@svc/contract';
import type { Rest } from '../db/rest.ts';
import { payoutIdOf } from '../payout-files/payout-item.ts';
import { listPartnerMethods } from '../payout-methods/payout-method-store.ts';
import type { FilesContext, RunProgram } from './approve-run.ts';
import { notInFile, previewRunFiles } from './make-run-files.ts';
import { listPayoutFiles } from './payout-file-store.ts';
import { findPayoutSettings } from './payout-settings-store.ts';
import { type BusyContext, restWhileBusy } from './rest-while-busy.ts';
import { findRunRequest, findRunSummary, listLeftOut, listRunPayouts } from './run-list-store.ts';
import { listPayoutsOfRun } from './run-payout-store.ts';
import { openPayer } from './save-settings.ts';

/** A run with everything in it; null if the program has none with this id. Of a draft, also what its files would be like. */
export async function findRun(
  ctx: FilesContext & BusyContext,
  program: RunProgram,
  runId: number,
  rest: Rest = restWhileBusy(ctx),
): Promise<PayoutRun | null> {
  const summary = await findRunSummary(ctx.db, program.id, runId);
  if (!summary) return null;
  const { left_out_count: _, ...run } = summary;
  const [payouts, leftOut, files, asked] = await Promise.all([
    listRunPayouts(ctx.db, runId),
    listLeftOut(ctx.db, runId),
    listPayoutFiles(ctx.db, runId),
    findRunRequest(ctx.db, runId),
  ]);
  const request = {
    currency: asked.currency,
    partner_ids: asked.partnerIds,
    excluded_partner_ids: asked.excludedPartnerIds,
    exclusion_notes: asked.exclusionNotes,
  };
  const whole = { ...run, payouts, left_out: leftOut, files, request, spellings: [] };
  return run.status === 'draft' ? { ...whole, ...(await foreseen(ctx, program, run, payouts, rest)) } : whole;
}

/** What approving the draft would make of it. */
async function foreseen(
  ctx: FilesContext,
  program: RunProgram,
  { id, number }: Pick<PayoutRunSummary, 'id' | 'number'>,
  shown: PayoutRun['payouts'],
  rest: Rest,
): Promise<Pick<PayoutRun, 'payouts' | 'spellings'>> {
  const payouts = await listPayoutsOfRun(ctx.db, id);
  const partnerIds = payouts.map(({ partnerId }) => partnerId);
  const [listed, settings] = await Promise.all([
    listPartnerMethods(ctx.db, program.id, partnerIds),
    findPayoutSettings(ctx.db, program.id),
  ]);
  const methods = new Map(listed.map((method) => [method.partnerId, method]));
  const payer = openPayer(ctx, settings.payerSealed);
  const run = { number, at: ctx.now() };
  const made = await previewRunFiles(ctx.encryption, { payouts, methods, payer, run, programName: program.name }, rest);
  const reasons = notInFile(made);
  return {
    payouts: shown.map((payout) => ({ ...payout, not_in_file: reasons.get(payout.id) ?? null })),
    spellings: made.spellings.map(({ endToEndId, field, from, to }) => {
      return { payout_id: endToEndId === null ? null : payoutIdOf(endToEndId), field, from, to };
    }),
  };
}
