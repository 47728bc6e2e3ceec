import { newCookie, newOwner, OWN_ORIGIN } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { CallOptions } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { hasTokenForShare, insertAccountToken } from './account-token-store.ts';
import { revokeTokens } from './revoke-access.ts';
import { newSecretToken } from './secret-token.ts';

const nodes = useTwoNodes();
const [service, other] = nodes;

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const create = (options: CallOptions) =>
  other.call('POST', '/api/v1/manage/tokens', { body: { name: 'CI', scopes: ['read'] }, ...options });
const working = (userId: string) =>
  service.sql('select 1 from account_tokens where user_id = $1 and revoked_at is null', [userId]);

describe('creating a token while all tokens are being revoked, on two nodes', () => {
  it('leaves none when the revocation comes first, by a session or by a token', async () => {
    for (const by of ['session', 'token']) {
      const owner = await newOwner(service);
      const cookie = await newCookie(service, owner.userId);
      const caller = by === 'token' ? { key: owner.token } : { headers: { cookie, origin: OWN_ORIGIN } };
      const { creating } = await service.ctx.db.transaction(async (tx) => {
        await revokeTokens(tx, owner.userId, service.ctx.now());
        const creating = create(caller);
        await eventually(
          () => service.sql(WAITING),
          (rows) => rows.length > 0,
        );
        return { creating };
      });
      expect((await creating).status).toBe(401);
      expect(await working(owner.userId)).toEqual([]);
    }
  });

  it('ends what a token is creating, when that comes first', async () => {
    const owner = await newOwner(service);
    const { userId } = owner;
    const now = service.ctx.now();
    const [parent] = await service.sql<{ id: number }>('select id from account_tokens where user_id = $1', [userId]);
    const { revoking } = await service.ctx.db.transaction(async (tx) => {
      expect(await hasTokenForShare(tx, { userId, tokenId: parent?.id ?? 0 }, now)).toBe(true);
      const revoking = other.ctx.db.transaction((revocation) => revokeTokens(revocation, userId, now));
      await eventually(
        () => service.sql(WAITING),
        (rows) => rows.length > 0,
      );
      const { hash } = newSecretToken('svc_pat_');
      await insertAccountToken(tx, { userId, hash, scopes: ['read'], expiresAt: new Date(now.getTime() + 1_000) }, now);
      return { revoking };
    });
    await revoking;
    expect(await working(userId)).toEqual([]);
  });
});
