import { manageAudit, manageExportAudit } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { AUDIT_LOG, selectAuditLog } from '../../audit/audit-list-store.ts';
import { addRoute } from '../add-route.ts';
import { queryOf } from '../body.ts';
import { signedInMember } from '../callers/signed-in-user.ts';
import { sendFile } from '../lists/exports.ts';
import { sortedPage } from '../lists/sorted-page.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageAuditRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageAudit, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageAudit);
    const { limit, cursor, ...filter } = queryOf(manageAudit, request);
    const page = { sort: '-created_at', limit, cursor } as const;
    return sortedPage(ctx.db, AUDIT_LOG, selectAuditLog(workspaceId, filter), page);
  });

  addRoute(app, manageExportAudit, async (request, reply) => {
    const { workspaceId } = await signedInMember(ctx, request, manageExportAudit);
    const { format, ...filter } = queryOf(manageExportAudit, request);
    const file = { name: 'audit-log', source: AUDIT_LOG, format };
    return sendFile(ctx, reply, file, selectAuditLog(workspaceId, filter));
  });
}
