import { manageReadiness, manageTestChain } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { reportReadiness } from '../../reporting/report-readiness.ts';
import { createTestTransactionIds } from '../../sales/test-transaction.ts';
import { runChain } from '../../test-events/run-chain.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { toChainReply } from '../cli/events.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageCheckRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const nextTestId = createTestTransactionIds(ctx.now);

  addProgramRoute(app, ctx, manageReadiness, async ({ program }) => ({ data: await reportReadiness(ctx, program) }));

  addProgramRoute(app, ctx, manageTestChain, async ({ program }, request) =>
    toChainReply(await runChain(ctx, program, { requestId: request.id, nextTestId })),
  );
}
