import { readiness } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { reportReadiness } from '../reporting/report-readiness.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { addRoute } from './add-route.ts';
import { programOfKey } from './callers/program-of-key.ts';

export function addReadinessRoute(app: FastifyInstance, ctx: TrackingContext): void {
  addRoute(app, readiness, async (request) => reportReadiness(ctx, await programOfKey(ctx, request)));
}
