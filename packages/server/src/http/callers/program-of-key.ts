import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { LookupCache } from '../../partners/lookup-cache.ts';
import type { Program } from '../../programs/program.ts';

/** The program whose key the request carries. */
export async function programOfKey({ lookup }: { lookup: LookupCache }, request: FastifyRequest): Promise<Program> {
  const { credential } = request;
  const program = credential.is === 'program-key' ? await lookup.program(credential.key.programId) : null;
  if (!program) throw errors.programKey('unknown');
  return program;
}
