import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { LookupCache } from '../../partners/lookup-cache.ts';
import type { Program } from '../../programs/program.ts';
import { readCredential } from './credential.ts';

/** The program whose key the request carries. */
export async function programOfKey({ lookup }: { lookup: LookupCache }, request: FastifyRequest): Promise<Program> {
  const { credential } = request;
  const program = credential.is === 'program-key' ? await lookup.program(credential.key.programId) : null;
  if (!program) throw errors.programKey('unknown');
  return program;
}

/** Refuses a caller whose key was replaced after the request had begun, for routes that wait. */
export async function requireKeyStill({ lookup }: { lookup: LookupCache }, request: FastifyRequest): Promise<void> {
  const source = { key: lookup.key, accountToken: async () => null };
  const { is } = await readCredential(request.headers.authorization, source);
  if (is !== 'program-key') throw errors.programKey('unknown');
  await programOfKey({ lookup }, request);
}
