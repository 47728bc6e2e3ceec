import { managePartnerHistory } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { describeHistory } from '../../../partners/describe-partner.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { partnerOf } from './partner-of.ts';

export function addManagePartnerHistoryRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePartnerHistory, async ({ program }, request) => {
    const history = await describeHistory(ctx, program, await partnerOf(ctx, program, request));
    return {
      data: history.map(({ event, by, at, group = null, tier = null }) => {
        return { event, by, at: at.toISOString(), group, tier };
      }),
    };
  });
}
