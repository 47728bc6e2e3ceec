import { createHmac } from 'node:crypto';
import { type DomainStatus, RECORD_PREFIX, type TxtRecord, withoutWww } from '@svc/contract';
import type { Program } from '../programs/program.ts';

/** A host that a program has, or wants to have, its links on. */
export type Domain = { id: number; programId: number; host: string; status: DomainStatus };

const TOKEN_CHARS = 40;

/** The record that proves that the host belongs to the program. It is computed, so nothing that is stored gives it away. */
export function recordOf(secret: string, { programId, host }: Pick<Domain, 'programId' | 'host'>): TxtRecord {
  const token = createHmac('sha256', secret).update(`${programId} ${host}`).digest('hex').slice(0, TOKEN_CHARS);
  return { type: 'TXT', name: `${RECORD_PREFIX}${host}`, value: `svc-verify=${token}` };
}

/** Whether the host is where links lead to. A link there would lead to itself. */
export function isHostOfSite({ domain }: Pick<Program, 'domain'>, host: string): boolean {
  return withoutWww(host) === withoutWww(domain.toLowerCase());
}
