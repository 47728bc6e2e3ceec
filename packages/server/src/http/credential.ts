import type { Directory } from '../partners/directory.ts';
import { isKeyShaped, type ProgramKey } from '../programs/api-key.ts';

/** What the Authorization header of a request says, before anybody asks whether it may. */
export type Credential = { is: 'absent' | 'malformed' | 'empty' | 'unknown' } | { is: 'program-key'; key: ProgramKey };

export async function readCredential(header: string | undefined, directory: Directory): Promise<Credential> {
  if (header === undefined) return { is: 'absent' };
  const match = /^Bearer(?:\s+(.*))?$/i.exec(header.trim());
  if (!match) return { is: 'malformed' };
  const token = (match[1] ?? '').trim();
  if (token === '') return { is: 'empty' };
  const key = isKeyShaped(token) ? await directory.key(token) : null;
  return key ? { is: 'program-key', key } : { is: 'unknown' };
}
