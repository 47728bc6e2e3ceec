import { manageAddApiKey, manageApiKeys, manageRetireApiKey } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addKey } from '../../../programs/add-key.ts';
import type { ProgramKey } from '../../../programs/api-key.ts';
import { listKeys } from '../../../programs/api-key-store.ts';
import { retireKey } from '../../../programs/retire-key.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageApiKeyRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageApiKeys, async ({ program }) => ({
    data: (await listKeys(ctx.db, program.id)).map(toReply),
  }));

  addProgramRoute(app, ctx, manageAddApiKey, async ({ program, actor }, request) => {
    const { apiKey, key } = await addKey(ctx, program, bodyOf(manageAddApiKey, request).mode, actor);
    return { data: { ...toReply(key), api_key: apiKey } };
  });

  addProgramRoute(app, ctx, manageRetireApiKey, async ({ program, actor }, request) => {
    await retireKey(ctx, program, idParam(request, 'key_id'), actor);
    return { data: {} };
  });
}

function toReply({ id, isTest, masked, createdAt, lastUsedAt, rotateBy }: ProgramKey) {
  return {
    id,
    mode: isTest ? ('test' as const) : ('live' as const),
    api_key_masked: masked,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    rotate_by: rotateBy?.toISOString() ?? null,
  };
}
