import {
  errors,
  manageAddWebhook,
  manageChangeWebhook,
  manageDeleteWebhook,
  manageDeliveries,
  manageDelivery,
  manageMissedEvents,
  manageReplayWebhook,
  manageResendDelivery,
  manageRotateWebhookSecret,
  manageTestWebhook,
  manageWebhook,
  manageWebhooks,
  mayCall,
  type WebhookRow,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addEndpoint, changeEndpoint, removeEndpoint, rotateSecret } from '../../webhooks/change-endpoints.ts';
import { listDeliveries } from '../../webhooks/delivery-list-store.ts';
import { findEndpoint, listEndpoints, lockEndpoint } from '../../webhooks/endpoint-store.ts';
import { maskedUrl } from '../../webhooks/masked-url.ts';
import { replay, resend, sendTest } from '../../webhooks/send-again.ts';
import { countMissed } from '../../webhooks/send-again-store.ts';
import { showDelivery } from '../../webhooks/show-delivery.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { ifUnchanged } from '../entity-tags.ts';
import { idParam } from '../id-param.ts';
import { encodeCursor, idOfCursor } from '../lists/cursor.ts';
import type { ServiceContext } from '../service-context.ts';

/** Callers who cannot change an endpoint see its host, but not the part of the address that can be a password. */
function shownTo(role: ProgramAccess['role'], endpoint: WebhookRow): WebhookRow {
  return mayCall(role, manageChangeWebhook) ? endpoint : { ...endpoint, url: maskedUrl(endpoint.url) };
}

export function addManageWebhookRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const endpointOf = ({ program, actor }: ProgramAccess, request: FastifyRequest) => ({
    program,
    actor,
    endpointId: idParam(request, 'webhook_id'),
  });

  addProgramRoute(app, ctx, manageWebhooks, async ({ program, role }) => ({
    data: (await listEndpoints(ctx.db, program.id)).map((endpoint) => shownTo(role, endpoint)),
  }));

  addProgramRoute(app, ctx, manageAddWebhook, async ({ program, actor }, request) => {
    const { url, types, description = null, format } = bodyOf(manageAddWebhook, request);
    return { data: await addEndpoint(ctx, program, { url, types, description, format }, actor) };
  });

  const endpointReply = async (access: ProgramAccess, request: FastifyRequest, { db } = ctx) => {
    const { program, endpointId } = endpointOf(access, request);
    const endpoint = await findEndpoint(db, program.id, endpointId);
    if (!endpoint) throw errors.notFound();
    return { data: shownTo(access.role, endpoint) };
  };

  const ifEndpointUnchanged = (access: ProgramAccess, request: FastifyRequest) =>
    ifUnchanged(ctx, request, async (inside) => {
      await lockEndpoint(inside.db, access.program.id, idParam(request, 'webhook_id'));
      return endpointReply(access, request, inside);
    });

  addProgramRoute(app, ctx, manageWebhook, (access, request) => endpointReply(access, request));

  addProgramRoute(app, ctx, manageMissedEvents, async (access, request) => {
    const { program, endpointId } = endpointOf(access, request);
    if (!(await findEndpoint(ctx.db, program.id, endpointId))) throw errors.notFound();
    return { data: await countMissed(ctx.db, endpointId) };
  });

  addProgramRoute(app, ctx, manageChangeWebhook, async (access, request) => {
    const { program, endpointId } = endpointOf(access, request);
    const { send_missed: sendMissed, ...changes } = bodyOf(manageChangeWebhook, request);
    const unchanged = ifEndpointUnchanged(access, request);
    const data = await changeEndpoint(unchanged, program, endpointId, { ...changes, sendMissed }, access.actor);
    ctx.deliveries.wake();
    return { data };
  });

  addProgramRoute(app, ctx, manageDeleteWebhook, async (access, request) => {
    const { program, endpointId } = endpointOf(access, request);
    await removeEndpoint(ifEndpointUnchanged(access, request), program, endpointId, access.actor);
    return { data: {} };
  });

  addProgramRoute(app, ctx, manageRotateWebhookSecret, async (access, request) => {
    const { program, endpointId } = endpointOf(access, request);
    return { data: { secret: await rotateSecret(ctx, program, endpointId, access.actor) } };
  });

  addProgramRoute(app, ctx, manageTestWebhook, async (access, request) => ({
    data: await sendTest(ctx, endpointOf(access, request)),
  }));

  addProgramRoute(app, ctx, manageDeliveries, async (access, request) => {
    const { program, endpointId } = endpointOf(access, request);
    const { limit, cursor, status, sequence } = queryOf(manageDeliveries, request);
    const before = idOfCursor(cursor) ?? undefined;
    const of = { programId: program.id, endpointId };
    const found = await listDeliveries(ctx.db, of, { status, sequence, before }, limit + 1);
    const data = found.slice(0, limit);
    const next = found.length > limit ? encodeCursor([data.at(-1)!.id]) : null;
    return { data, meta: { next_cursor: next, limit } };
  });

  addProgramRoute(app, ctx, manageDelivery, async (access, request) => {
    const { program, endpointId } = endpointOf(access, request);
    const of = { programId: program.id, endpointId };
    const delivery = await showDelivery(ctx, of, idParam(request, 'delivery_id'));
    if (!delivery) throw errors.notFound();
    return { data: delivery };
  });

  addProgramRoute(app, ctx, manageResendDelivery, async (access, request) => {
    const data = await resend(ctx, access, idParam(request, 'delivery_id'));
    ctx.deliveries.wake();
    return { data };
  });

  addProgramRoute(app, ctx, manageReplayWebhook, async (access, request) => {
    const { from, to, types, dry_run: dryRun } = bodyOf(manageReplayWebhook, request);
    const replayed = await replay(ctx, endpointOf(access, request), { from, to, types }, { dryRun });
    if (!dryRun) ctx.deliveries.wake();
    return { data: { deliveries: replayed.deliveries, to: replayed.to.toISOString() } };
  });
}
