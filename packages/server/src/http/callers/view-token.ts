import { VIEW_MINUTES } from '@svc/contract';
import { isSignature, signatureOf } from '../../signature.ts';

/** Who looks at whose portal. */
type View = { userId: string; programId: number; partnerId: number };

const PURPOSE = 'view as partner';

/** The token of a view, and when it ends. Only the person who started it can use it, for one partner of one program. */
export function signView(secret: string, view: View, now: Date): { token: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + VIEW_MINUTES * 60_000);
  const until = expiresAt.getTime();
  return { token: `${view.partnerId}.${until}.${signatureOf(secret, PURPOSE, textOf(view, until))}`, expiresAt };
}

/** The partner that the token lets the person see in the program; null if it is not one of theirs, or has ended. */
export function readView(
  secret: string,
  token: string,
  { userId, programId }: Omit<View, 'partnerId'>,
  now: Date,
): number | null {
  const [, partner = '', until = '', signed = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]+)$/.exec(token) ?? [];
  const view = { userId, programId, partnerId: Number(partner) };
  if (!isSignature(signed, signatureOf(secret, PURPOSE, textOf(view, Number(until))))) return null;
  return Number(until) > now.getTime() ? view.partnerId : null;
}

const textOf = ({ userId, programId, partnerId }: View, until: number) =>
  JSON.stringify([userId, programId, partnerId, until]);
