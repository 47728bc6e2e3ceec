import { CLOSED_ALERT_DAYS, manageAlerts } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { listAlerts } from '../../alerts/alert-store.ts';
import { addDays } from '../../time.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import type { ServiceContext } from '../service-context.ts';

/** Of each of the two lists. Twenty endpoints and a few processors are all that can fail at a time. */
const MAX_ALERTS = 100;

export function addManageAlertRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageAlerts, async ({ program }) => ({
    data: await listAlerts(ctx.db, program.id, addDays(ctx.now(), -CLOSED_ALERT_DAYS), MAX_ALERTS),
  }));
}
