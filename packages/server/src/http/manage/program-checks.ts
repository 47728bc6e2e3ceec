import { manageReadiness, manageTestChain } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { reportReadiness } from '../../reporting/report-readiness.ts';
import { runChain } from '../../tracking/run-chain.ts';
import { createTestTransactionIds } from '../../tracking/test-transaction.ts';
import { shownChain } from '../cli/events.ts';
import type { ServiceContext } from '../service-context.ts';
import { addProgramRoute } from './access.ts';

export function addManageCheckRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const nextTestId = createTestTransactionIds(ctx.now);

  addProgramRoute(app, ctx, manageReadiness, async ({ program }) => ({ data: await reportReadiness(ctx, program) }));

  addProgramRoute(app, ctx, manageTestChain, async ({ program }, request) =>
    shownChain(await runChain(ctx, program, { requestId: request.id, nextTestId })),
  );
}
