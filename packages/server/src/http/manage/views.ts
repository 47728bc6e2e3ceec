import { manageDeleteView, manageSaveView, manageViews, type ReplyData } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addView, removeView } from '../../views/add-view.ts';
import { listViews, type SavedView } from '../../views/view-store.ts';
import { bodyOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageViewRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const ownerOf = ({ program, userId }: ProgramAccess) => ({ programId: program.id, userId });
  const changeBy = ({ program, actor }: ProgramAccess) => ({ workspaceId: program.workspaceId, actor });

  addProgramRoute(app, ctx, manageViews, async (access) => ({
    data: (await listViews(ctx.db, ownerOf(access))).map(toViewReply),
  }));

  addProgramRoute(app, ctx, manageSaveView, async (access, request) => ({
    data: toViewReply(await addView(ctx, ownerOf(access), bodyOf(manageSaveView, request), changeBy(access))),
  }));

  addProgramRoute(app, ctx, manageDeleteView, async (access, request) => {
    await removeView(ctx, ownerOf(access), idParam(request, 'view_id'), changeBy(access));
    return { data: {} };
  });
}

function toViewReply({ createdAt, ...view }: SavedView): ReplyData<typeof manageSaveView> {
  return { ...view, created_at: createdAt.toISOString() };
}
