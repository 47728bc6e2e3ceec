import { manageAddToken, manageRevokeToken, manageTokens, type TokenScope } from '@svc/contract';
import { wrongUsage } from '../failure.ts';
import { table } from '../output.ts';
import { accountToken, type Session } from '../session.ts';

type NewToken = { name: string; scope: TokenScope[]; days?: string; program?: string };

/** Lists the account's tokens, each with what it may do and its last use. */
export async function listTokens(session: Session): Promise<void> {
  const { data } = await session.api.call(manageTokens, { token: await accountToken(session) });
  const rows = data.map(({ id, name, scopes, program_id: program, last_used_at: used, expires_at: expires }) => [
    String(id),
    name,
    `${scopes?.join(' ') ?? 'everything'}${program === null ? '' : ` in program ${program}`}`,
    used ? `last used ${used}` : 'never used',
    expires ? `expires ${expires}` : 'does not expire',
  ]);
  session.out.result(data, table(rows));
}

/** Creates a token for a script or a machine, and prints it, the only time that it can be read. */
export async function createToken(session: Session, { name, scope, days, program }: NewToken): Promise<void> {
  const { data } = await session.api.call(manageAddToken, {
    token: await accountToken(session),
    body: {
      name,
      scopes: scope,
      ...(days !== undefined && { expires_in_days: wholeNumber(days, '--days') }),
      ...(program !== undefined && { program_id: wholeNumber(program, '--program') }),
    },
  });
  session.out.result(data, [
    data.token,
    `It is shown only once. It may ${data.scopes?.join(' and ')}, until ${data.expires_at}.`,
  ]);
}

/** Revokes a token of the account: it stops working at once. */
export async function revokeToken(session: Session, [id = '']: string[]): Promise<void> {
  const tokenId = wholeNumber(id, 'The id');
  await session.api.call(manageRevokeToken, { params: { token_id: tokenId }, token: await accountToken(session) });
  session.out.result({ revoked: tokenId }, `Token ${tokenId} no longer works.`);
}

function wholeNumber(text: string, what: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw wrongUsage(`${what} must be a whole number, not "${text}".`);
  return Number(text);
}
