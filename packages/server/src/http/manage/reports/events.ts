import { errors, LISTED_EVENTS, manageEvents } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { listEvents } from '../../../decisions/event-list-store.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { cursorTime, decodeCursor } from '../../lists/cursor.ts';
import { hidesVisitors } from '../../lists/hides-visitors.ts';
import { scopeOf } from '../../lists/list-filters.ts';
import { maskKeys } from '../../lists/mask-keys.ts';
import { pageOf } from '../../lists/page-of.ts';
import type { ServiceContext } from '../../service-context.ts';

const eventCursor = z.tuple([cursorTime, z.enum(LISTED_EVENTS), z.int()]);

export function addManageEventRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageEvents, async (access, request) => {
    const { limit, cursor, ...query } = queryOf(manageEvents, request);
    const filter = {
      ...query,
      // What was refused can concern others than the partner.
      outcome: access.role === 'partner' ? 'recorded' : query.outcome,
      withoutClicks: hidesVisitors(ctx, access),
      before: eventBefore(cursor),
      limit: limit + 1,
    } as const;
    const events = maskKeys(access, await listEvents(ctx.db, scopeOf(access, query), filter));
    return pageOf(events, limit, (event) => [event.created_at, event.type, event.id]);
  });
}

function eventBefore(cursor: string | undefined) {
  if (!cursor) return null;
  const parsed = eventCursor.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [at, type, id] = parsed.data;
  return { at, type, id };
}
