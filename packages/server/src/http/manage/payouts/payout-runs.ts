import {
  errors,
  manageApprovePayoutRun,
  manageCancelPayoutRun,
  manageMakePayoutRun,
  managePayoutFile,
  managePayoutRun,
  managePayoutRuns,
  manageSendPayoutRun,
  manageSettlePayoutRun,
  mayCall,
  type PayoutRun,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../audit/audit-store.ts';
import { approveRun } from '../../../payout-runs/approve-run.ts';
import { cancelRun } from '../../../payout-runs/cancel-run.ts';
import { findRun } from '../../../payout-runs/find-run.ts';
import { makeRun } from '../../../payout-runs/make-run.ts';
import { restWhileBusy } from '../../../payout-runs/rest-while-busy.ts';
import { findPreparation, listRuns } from '../../../payout-runs/run-list-store.ts';
import { sendRun } from '../../../payout-runs/send-run.ts';
import { settleRun } from '../../../payout-runs/settle-run.ts';
import type { Program } from '../../../programs/program.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { pageOf } from '../../lists/page-of.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePayoutRunRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const busy = { ...ctx, stopping: stopping.signal };

  addProgramRoute(app, ctx, managePayoutRuns, async ({ program }, request) => {
    const { status = null, cursor, limit } = queryOf(managePayoutRuns, request);
    // Before the list: a run that is prepared in between is in both, and not in neither.
    const preparing = await findPreparation(ctx.db, program.id);
    const runs = await listRuns(ctx.db, program.id, { status, beforeId: idOfCursor(cursor), limit: limit + 1 });
    const { data, meta } = pageOf(runs, limit, ({ id }) => [id]);
    return { data, meta: { ...meta, preparing } };
  });

  addProgramRoute(app, ctx, manageMakePayoutRun, async ({ program, actor }, request) => {
    const asked = bodyOf(manageMakePayoutRun, request);
    const wanted = {
      cutoffAt: asked.cutoff_at ?? null,
      currency: asked.currency ?? null,
      partnerIds: asked.partner_ids ?? null,
      excludedPartnerIds: asked.excluded_partner_ids ?? [],
      exclusionNotes: asked.exclusion_notes ?? {},
      ...(request.idempotencyClaim && { keyHash: request.idempotencyClaim.scope }),
    };
    // Together, they have the time of one request.
    const rest = restWhileBusy(busy);
    const { id } = await makeRun(ctx, program, wanted, actor, rest);
    return { data: await runOf(program, id, rest) };
  });

  addProgramRoute(app, ctx, managePayoutRun, async ({ program, role }, request) => {
    const run = await runOf(program, idParam(request, 'run_id'));
    return { data: mayCall(role, managePayoutFile) ? run : withoutHashes(run) };
  });

  addStep(manageApprovePayoutRun, approveRun);
  addStep(manageCancelPayoutRun, cancelRun);
  addStep(manageSendPayoutRun, sendRun);

  addProgramRoute(app, ctx, manageSettlePayoutRun, async ({ program, actor }, request) => {
    const { payouts, reference = null } = bodyOf(manageSettlePayoutRun, request);
    const items = payouts?.map(({ id, status, ...sent }) => ({
      id,
      outcome: status,
      reference: sent.reference ?? null,
      code: sent.code?.trim() || null,
      reason: sent.reason?.trim() || null,
    }));
    const runId = idParam(request, 'run_id');
    await settleRun(ctx, program, runId, items ? { items } : { allPaid: true, reference }, actor);
    return { data: await runOf(program, runId) };
  });

  type Step = typeof manageApprovePayoutRun | typeof manageCancelPayoutRun | typeof manageSendPayoutRun;

  function addStep(
    route: Step,
    take: (ctx: ServiceContext, program: Program, runId: number, actor: Actor) => Promise<void>,
  ): void {
    addProgramRoute(app, ctx, route, async ({ program, actor }, request) => {
      const runId = idParam(request, 'run_id');
      await take(ctx, program, runId, actor);
      return { data: await runOf(program, runId) };
    });
  }

  async function runOf(program: Program, runId: number, rest = restWhileBusy(busy)): Promise<PayoutRun> {
    const run = await findRun(ctx, program, runId, rest);
    if (!run) throw errors.notFound();
    return run;
  }
}

/** In a file with few payments, only the account numbers are unknown. The hash would confirm a guess at them. */
function withoutHashes(run: PayoutRun): PayoutRun {
  return { ...run, files: run.files.map((file) => ({ ...file, sha256: null })) };
}
