import { randomInt } from 'node:crypto';
import type { Context } from '../../context.ts';
import { newSecretToken } from '../secret-token.ts';
import { insertCliSession } from './cli-session-store.ts';

const SESSION_MS = 5 * 60_000;
// Without characters that are easily confused.
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export type StartedCliLogin = { state: string; userCode: string; expiresAt: Date };

/** Starts a login that the user completes in a browser within five minutes. */
export async function startCliLogin(ctx: Context, deviceName: string | null): Promise<StartedCliLogin> {
  // Without a prefix, the command line could take one that starts with a hyphen for a flag: `svc login --state -q…`.
  const { token: state, hash } = newSecretToken('login_');
  const userCode = newUserCode();
  const expiresAt = new Date(ctx.now().getTime() + SESSION_MS);
  await insertCliSession(ctx.db, { stateHash: hash, userCode, deviceName, expiresAt }, ctx.now());
  return { state, userCode, expiresAt };
}

function newUserCode(): string {
  const code = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
