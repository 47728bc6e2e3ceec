import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../partners/directory.ts';
import type { Program } from '../../programs/program.ts';

/** The program whose key the request carries. */
export async function programOfKey({ directory }: { directory: Directory }, request: FastifyRequest): Promise<Program> {
  const { credential } = request;
  const program = credential.is === 'program-key' ? await directory.program(credential.key.programId) : null;
  if (!program) throw errors.programKey('unknown');
  return program;
}
