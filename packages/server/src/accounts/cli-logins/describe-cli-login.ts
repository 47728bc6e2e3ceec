import type { Context } from '../../context.ts';
import { hashSecretToken } from '../secret-token.ts';
import { findCliSession } from './cli-session-store.ts';

export type DescribedCliLogin = { status: 'open' | 'expired' | 'used' | 'unknown'; deviceName: string | null };

/** What the sign-in page shows about a login. Never its code: the user reads that in their terminal. */
export async function describeCliLogin(ctx: Context, state: string): Promise<DescribedCliLogin> {
  const session = await findCliSession(ctx.db, hashSecretToken(state));
  if (!session) return { status: 'unknown', deviceName: null };
  if (session.userId !== null) return { status: 'used', deviceName: null };
  if (session.expiresAt <= ctx.now()) return { status: 'expired', deviceName: null };
  return { status: 'open', deviceName: session.deviceName };
}
