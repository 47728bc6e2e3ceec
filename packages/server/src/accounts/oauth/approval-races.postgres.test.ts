import { newCookie, newOwner } from '@svc/testkit/service/accounts.ts';
import { askedForAccess, exchange, pageAt, sendApproval } from '@svc/testkit/service/applications.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { Answer } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { revokeTokens } from '../revoke-access.ts';
import { deleteOtherSessions } from '../sessions/session-store.ts';

const nodes = useTwoNodes();
const [service, other] = nodes;

/** A page that asks the user, in a session that was open before their access is revoked. */
async function asked() {
  const { userId } = await newOwner(service);
  const { path, fields } = await askedForAccess(service);
  const { request } = await pageAt(service, path);
  const cookie = await newCookie(service, userId);
  return { userId, fields, approve: () => sendApproval(other, request, cookie) };
}

const codeIn = ({ body }: Answer) => new URL(body.data.redirect_url).searchParams.get('code') ?? '';

describe('the approval of an application while access is being revoked, on two nodes', () => {
  it('gives no code when the revocation comes first', async () => {
    const { userId, approve } = await asked();
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const codes = () => service.sql('select 1 from oauth_codes where user_id = $1', [userId]);
    const { approved } = await service.ctx.db.transaction(async (tx) => {
      await revokeTokens(tx, userId, service.ctx.now());
      const approved = approve();
      const state = async () => [...(await service.sql(waiting)), ...(await codes())];
      expect(await eventually(state, (rows) => rows.length > 0)).toHaveLength(1);
      return { approved };
    });
    expect((await approved).status).toBe(401);
    expect(await codes()).toEqual([]);
  });

  it('leads to no token when sessions end too, whichever comes first', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { userId, fields, approve } = await asked();
      const revoke = service.ctx.db.transaction(async (tx) => {
        await revokeTokens(tx, userId, service.ctx.now());
        await deleteOtherSessions(tx, userId, null);
      });
      const [approved] = await Promise.all([approve(), revoke]);
      if (approved.status === 200) {
        const { status, body } = await exchange(service, { ...fields, code: codeIn(approved) });
        expect([status, body.error]).toEqual([400, 'invalid_grant']);
      }
    }
  });
});
