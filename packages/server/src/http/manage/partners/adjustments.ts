import { errors, manageAddAdjustment } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addAdjustment } from '../../../commissions/add-adjustment.ts';
import { findCommission } from '../../../commissions/commission-list-store.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageAdjustmentRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageAddAdjustment, async ({ program, actor }, request) => {
    const { partner_id: partnerId, amount_cents: cents, ...adjustment } = bodyOf(manageAddAdjustment, request);
    const id = await addAdjustment(ctx, program, { partnerId, cents, ...adjustment }, actor);
    const commission = await findCommission(ctx.db, program.id, id);
    if (!commission) throw errors.notFound();
    return { data: commission };
  });
}
