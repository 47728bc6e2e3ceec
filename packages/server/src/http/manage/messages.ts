import { errors, manageMessageRecipients, manageMessages, manageTestMessage } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findMessage, listMessages, listRecipients } from '../../messages/message-store.ts';
import { testMessage } from '../../messages/send-message.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import { idOfCursor } from '../lists/cursor.ts';
import { pageOf } from '../lists/page-of.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageMessageRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageMessages, async ({ program }, request) => {
    const { limit, cursor } = queryOf(manageMessages, request);
    const found = await listMessages(ctx.db, program.id, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => [id]);
  });

  addProgramRoute(app, ctx, manageMessageRecipients, async ({ program }, request) => {
    const { limit, cursor } = queryOf(manageMessageRecipients, request);
    const messageId = idParam(request, 'message_id');
    if (!(await findMessage(ctx.db, program.id, messageId))) throw errors.notFound();
    const page = { after: idOfCursor(cursor), limit: limit + 1 };
    const found = await listRecipients(ctx.db, { programId: program.id, messageId }, page);
    return pageOf(found, limit, ({ partner_id: id }) => [id]);
  });

  addProgramRoute(app, ctx, manageTestMessage, async ({ program, userId }, request) => ({
    data: { sent_to: await testMessage(ctx, program, bodyOf(manageTestMessage, request), userId) },
  }));
}
