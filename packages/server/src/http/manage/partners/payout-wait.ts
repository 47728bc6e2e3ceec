import { manageLiftPayoutWait } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { liftPayoutWait } from '../../../partners/lift-payout-wait.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toShownMethod } from '../account/payout-method.ts';
import { partnerOf } from './partner-of.ts';

export function addManagePayoutWaitRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageLiftPayoutWait, async ({ program, actor }, request) => {
    const partner = await partnerOf(ctx, program, request);
    const { reason, usable_from: seenUsableFrom } = bodyOf(manageLiftPayoutWait, request);
    return { data: toShownMethod(await liftPayoutWait(ctx, program, partner, { reason, seenUsableFrom }, actor)) };
  });
}
