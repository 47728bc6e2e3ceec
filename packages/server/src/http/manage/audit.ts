import { manageAudit, manageExportAudit, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { sentenceOf } from '../../../audit/sentence.ts';
import {
  AUDIT_SORT_COLUMNS,
  type AuditFilter,
  type ListedAuditEvent,
  listAuditLog,
} from '../../../reporting/lists/audit-list-store.ts';
import type { ListedFields } from '../../../reporting/lists/csv-columns.ts';
import { addRoute } from '../../add-route.ts';
import { queryOf } from '../../body.ts';
import { signedInMember } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';
import { pageAfter, sendCsv } from './exports.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

const NEWEST_FIRST = '-created_at';

export function addManageAuditRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageAudit, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageAudit);
    const { limit, cursor, ...filters } = queryOf(manageAudit, request);
    const query = { sort: NEWEST_FIRST, limit, cursor } as const;
    const page = pageFor(query, AUDIT_SORT_COLUMNS);
    return sortedPage(await listAuditLog(ctx.db, workspaceId, filterIn(filters), page), query, toReply);
  });

  addRoute(app, manageExportAudit, async (request, reply) => {
    const { workspaceId } = await signedInMember(ctx, request, manageExportAudit);
    const filter = filterIn(queryOf(manageExportAudit, request));
    const columns = Object.keys(manageAudit.reply.shape.data.element.shape);
    return sendCsv(ctx, reply, { name: 'audit-log', columns, toFields }, (after) =>
      listAuditLog(ctx.db, workspaceId, filter, pageAfter(after)),
    );
  });
}

function filterIn(query: z.output<(typeof manageExportAudit)['query']>): AuditFilter {
  const { program_id: programId, user_id: userId, actor_kind: actorKind, subject_id: subjectId, ...others } = query;
  return { programId, userId, actorKind, subjectId, ...others };
}

function toReply(event: ListedAuditEvent): ReplyRow<typeof manageAudit> {
  return {
    id: event.id,
    created_at: event.createdAt.toISOString(),
    sentence: sentenceOf(event),
    action: event.action,
    actor_kind: event.actorKind,
    actor_id: event.actorId,
    actor_name: event.actorName,
    user_id: event.userId,
    subject: event.subject,
    subject_id: event.subjectId,
    subject_name: event.subjectName,
    program_id: event.programId,
    program_name: event.programName,
    before: event.before,
    after: event.after,
    request_id: event.requestId,
  };
}

/** A row of the file. What changed is JSON. */
function toFields(event: ListedAuditEvent): ListedFields {
  const { before, after, ...fields } = toReply(event);
  return { ...fields, before: JSON.stringify(before), after: JSON.stringify(after) };
}
