import type { Directory } from '../partners/directory.ts';
import type { ProgramKey } from '../programs/api-key.ts';

/** What the Authorization header of a request says, before anybody asks whether it may. */
export type Credential = { is: 'absent' | 'malformed' | 'empty' | 'unknown' } | { is: 'program-key'; key: ProgramKey };

const MAX_TOKEN_CHARS = 512;

export async function readCredential(header: string | undefined, directory: Directory): Promise<Credential> {
  if (header === undefined) return { is: 'absent' };
  const match = /^Bearer(?:\s+(.*))?$/i.exec(header.trim());
  if (!match) return { is: 'malformed' };
  const token = (match[1] ?? '').trim();
  if (token === '') return { is: 'empty' };
  const key = token.length > MAX_TOKEN_CHARS ? null : await directory.key(token);
  return key ? { is: 'program-key', key } : { is: 'unknown' };
}
