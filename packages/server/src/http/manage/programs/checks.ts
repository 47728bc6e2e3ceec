import { manageReadiness, manageRefusedCalls, manageTestChain } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { listRefusedCalls } from '../../../refusals/refused-call-store.ts';
import { reportReadiness } from '../../../reporting/report-readiness.ts';
import { createTestTransactionIds } from '../../../sales/record-test-sale.ts';
import { runChain } from '../../../test-events/run-chain.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { toChainReply } from '../../cli/events.ts';
import type { ServiceContext } from '../../service-context.ts';

const REFUSED_CALLS_MS = 7 * 86_400_000;
const MAX_REFUSED_CALLS = 100;

export function addManageCheckRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const nextTestId = createTestTransactionIds(ctx.now);

  addProgramRoute(app, ctx, manageReadiness, async ({ program }) => ({ data: await reportReadiness(ctx, program) }));

  addProgramRoute(app, ctx, manageRefusedCalls, async ({ program }) => {
    await ctx.refusals.flush();
    const since = new Date(ctx.now().getTime() - REFUSED_CALLS_MS);
    const rows = await listRefusedCalls(ctx.db, program.id, since, MAX_REFUSED_CALLS);
    return { data: rows.map(({ lastAt, ...row }) => ({ ...row, last_at: lastAt.toISOString() })) };
  });

  addProgramRoute(app, ctx, manageTestChain, async ({ program, actor }, request) =>
    toChainReply(await runChain(ctx, program, { requestId: request.id, nextTestId, actor })),
  );
}
