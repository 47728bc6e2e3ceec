import { manageAddGroup, manageDeleteGroup, manageGroups, manageUpdateGroup, type ReplyData } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeGroup, createGroup, removeGroup } from '../../../partners/groups/change-group.ts';
import { type Group, listGroups } from '../../../partners/groups/group-store.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageGroupRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageGroups, async ({ program }) => {
    return { data: (await listGroups(ctx.db, program.id)).map(toGroupReply) };
  });

  addProgramRoute(app, ctx, manageAddGroup, async ({ program, actor }, request) => {
    const { name, tier = null } = bodyOf(manageAddGroup, request);
    return { data: toGroupReply(await createGroup(ctx, program, { name, tier }, actor)) };
  });

  addProgramRoute(app, ctx, manageUpdateGroup, async ({ program, actor }, request) => {
    const changes = bodyOf(manageUpdateGroup, request);
    return { data: toGroupReply(await changeGroup(ctx, program, idParam(request, 'group_id'), changes, actor)) };
  });

  addProgramRoute(app, ctx, manageDeleteGroup, async ({ program, actor }, request) => {
    await removeGroup(ctx, program, idParam(request, 'group_id'), actor);
    return { data: {} };
  });
}

function toGroupReply({ id, name, isDefault, tier, partners }: Group): ReplyData<typeof manageAddGroup> {
  return { id, name, is_default: isDefault, tier, partners };
}
