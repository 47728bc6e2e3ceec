import { manageDeleteProgram, manageSetProgramStatus } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeProgramStatus, deleteProgram } from '../../../programs/change-program-status.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { ifProgramUnchanged } from './programs.ts';

export function addManageProgramStatusRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageSetProgramStatus, async ({ program, actor }, request) => {
    const { status } = bodyOf(manageSetProgramStatus, request);
    await changeProgramStatus(ctx, program, status, actor);
    return { data: { id: program.id, status } };
  });

  addProgramRoute(app, ctx, manageDeleteProgram, async ({ program, actor }, request) => {
    await deleteProgram(ifProgramUnchanged(ctx, program.id, request), program, actor);
    return { data: {} };
  });
}
