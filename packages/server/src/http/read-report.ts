import type { FastifyReply } from 'fastify';
import type { Read } from '../db/report-reader.ts';
import type { ServiceContext } from './service-context.ts';

/** Reads what may lack the last moments, from the replica if there is one. The reply then says how far behind it may be. */
export async function readReport<Result>(
  ctx: ServiceContext,
  reply: FastifyReply,
  read: (ctx: ServiceContext) => Promise<Result>,
): Promise<Result> {
  return sayBehind(reply, await ctx.reports.read((db) => read({ ...ctx, db })));
}

/** Says in the reply how far behind it may be, and returns what was read. */
export function sayBehind<Result>(reply: FastifyReply, { result, behindSeconds }: Read<Result>): Result {
  if (behindSeconds !== null) reply.header('X-Data-Behind-Seconds', behindSeconds);
  return result;
}
