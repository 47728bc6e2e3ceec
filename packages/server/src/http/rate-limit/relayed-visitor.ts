import { isIP } from 'node:net';
import { type ProgramKey, rotationState } from '../../programs/api-key.ts';
import { isSignature, signatureOf } from '../../signature.ts';

/** A visitor whose address the relay of a program has signed with a live key of the program. */
export type RelayedVisitor = { programId: number; address: string };

/** Why a signature does not count. */
export type RelayProblem = 'malformed' | 'wrong_time' | 'no_key' | 'wrong_signature';

/** Where a relay puts the signed address of its visitor: program id, time in seconds, address and signature. */
export const RELAY_HEADER = 'svc-relay';

const PARTS = /^(\d{1,15}),(\d{1,12}),([0-9a-fA-F.:]{2,45}),([\w-]{43})$/;
const MAX_AGE_SECONDS = 300;
/** How far ahead of this clock that of a relay may be. */
const MAX_AHEAD_SECONDS = 60;

/**
 * The visitor that the header names, if a server with the program's key has signed it within the last five minutes. A copy of the
 * header names the same visitor until then, and nobody else.
 */
export async function readRelayedVisitor(
  header: string | string[],
  liveKeys: (programId: number) => Promise<ProgramKey[]>,
  now: Date,
): Promise<RelayedVisitor | RelayProblem> {
  const [, programId = '', seconds = '', address = '', signature = ''] = PARTS.exec(String(header)) ?? [];
  if (isIP(address) === 0) return 'malformed';
  const age = now.getTime() / 1000 - Number(seconds);
  if (age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS) return 'wrong_time';
  const keys = (await liveKeys(Number(programId))).filter((key) => rotationState(key, now) !== 'retired');
  if (keys.length === 0) return 'no_key';
  const signed = `${programId},${seconds},${address}`;
  const key = keys.find(({ hash }) => isSignature(signature, signatureOf(hash, 'relay', signed)));
  return key ? { programId: key.programId, address } : 'wrong_signature';
}
