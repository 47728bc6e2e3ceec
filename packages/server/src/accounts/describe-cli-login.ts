import type { Context } from '../context.ts';
import { findCliSession } from './cli-session-store.ts';
import { hashSecretToken } from './secret-token.ts';

export type DescribedCliLogin = { status: 'open' | 'expired' | 'used' | 'unknown'; userCode: string | null };

/** What the sign-in page shows about a login before the user signs in. */
export async function describeCliLogin(ctx: Context, state: string): Promise<DescribedCliLogin> {
  const session = await findCliSession(ctx.db, hashSecretToken(state));
  if (!session) return { status: 'unknown', userCode: null };
  if (session.userId !== null) return { status: 'used', userCode: null };
  if (session.expiresAt <= ctx.now()) return { status: 'expired', userCode: null };
  return { status: 'open', userCode: session.userCode };
}
