import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { findPartner, type Partner } from '../../../partners/partner-store.ts';
import type { Program } from '../../../programs/program.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

/** The partner that the path names, in the program. */
export async function partnerOf(ctx: ServiceContext, program: Program, request: FastifyRequest): Promise<Partner> {
  const partner = await findPartner(ctx.db, program.id, idParam(request, 'partner_id'));
  if (!partner) throw errors.notFound();
  return partner;
}
